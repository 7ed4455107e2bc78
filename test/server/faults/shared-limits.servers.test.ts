import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { redisCounters } from "../../../adapters/counters/redis/index.ts";
import { createEngine, defineProvider, type Engine, isGatewayError } from "../../../src/index.ts";
import { fakeClock } from "../../../src/testing/index.ts";
import { type RedisServer, startRedis } from "../../adapters/conformance/counters/redis-server.ts";
import { postgresSuite } from "../../adapters/conformance/stores/postgres-suite.ts";
import { pricesOf } from "../../engine/support/money/world.ts";

const postgres = postgresSuite();
let redis: RedisServer;
beforeAll(async () => {
  redis = await startRedis();
}, 300_000);
afterAll(() => redis.stop());

const rates = { input_cost_per_token: 1e-6, output_cost_per_token: 1e-6 };
const prices = pricesOf({ "a/m": rates, "a/big": rates });
/** Every call takes 20 tokens. */
const dollars = 0.000_02;
const usage = { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 };

/** A vendor that answers once `open` resolves. */
function vendorOf(open: Promise<void>) {
  return defineProvider({
    name: "a",
    async chat(_request, { id, model }) {
      await open;
      const choices = [{ index: 0, finish_reason: "stop", message: { role: "assistant" as const, content: "yes" } }];
      return { id, object: "chat.completion" as const, created: 1, model, choices, usage };
    },
  });
}

let places = 0;

/** Engines over one PostgreSQL and one Redis, as gateways of one place have them. */
function newPlace() {
  const place = { schema: postgres.newSchema(), prefix: `{place-${places++}}:` };
  return async (open = Promise.resolve(), now = Date.UTC(2026, 10, 26, 12)) => {
    const clock = fakeClock({ startAt: now });
    const counters = redisCounters({ time: "caller", client: await redis.connect(), prefix: place.prefix });
    const store = postgres.openStore(place.schema);
    const engine = createEngine({ providers: [vendorOf(open)], store, counters, prices, clock });
    return { engine, clock, store };
  };
}

const codeOf = (thrown: unknown) => (isGatewayError(thrown) ? thrown.code : String(thrown));
const provider_configs = [{ provider: "a", allowed_models: ["*"] }];

function ask(engine: Engine, key: string, { model = "a/m", user }: { model?: string; user?: string } = {}) {
  const messages = [{ role: "user" as const, content: "0123456789" }];
  const request = { model, messages, max_completion_tokens: 10, ...(user === undefined ? {} : { user }) };
  return engine.chat(request, { key }).then(() => "served", codeOf);
}

/** How many of so many calls at once, over two engines, are served. */
async function burst([one, two]: readonly [Engine, Engine], key: string, wish: Parameters<typeof ask>[2]) {
  const calls = Array.from({ length: 10 }, (_, n) => ask(n % 2 ? one : two, key, wish));
  return (await Promise.all(calls)).filter((each) => each === "served").length;
}

const budget = (calls: number, more: object = {}) => ({
  ...{ max_limit: calls * dollars, reset_duration: "1d" as const, enforcement: "hard" as const },
  ...more,
});

describe("limits of two gateways over PostgreSQL and Redis", () => {
  it("for some models and for each end user are counted once for both", async () => {
    const open = newPlace();
    const [{ engine: one }, { engine: two }] = [await open(), await open()];
    onTestFinished(() => Promise.all([one.close(), two.close()]).then(() => {}));
    const each = { request_max_limit: 3, request_reset_duration: "1d" as const, user: "*", models: ["a/m"] };
    const draft = { name: "k", budgets: [budget(6, { models: ["a/big"] })], rate_limits: [each], provider_configs };
    const { key, value } = await one.keys.create(draft);
    const engines = [one, two] as const;
    const served = await Promise.all([
      ...[{ user: "ann" }, { user: "bob" }, {}].map((wish) => burst(engines, value, wish)),
      burst(engines, value, { model: "a/big" }),
    ]);
    expect(served.slice(0, 3)).toEqual([3, 3, 3]);
    const [ofAnn, big] = (await two.usage.limits(key.id, "key", "ann")).toSorted((a, b) =>
      b.unit.localeCompare(a.unit),
    );
    expect(big).toMatchObject({
      models: ["a/big"],
      used_nano: Math.round((served[3] ?? 0) * dollars * 1e9),
      reserved: 0,
    });
    expect([served[3], (big?.used ?? 1) <= (big?.max ?? 0)]).toEqual([expect.any(Number), true]);
    expect(ofAnn).toMatchObject({ user: "ann", used: 3, is_used_up: true });
    expect(new Set(await one.usage.limits(key.id, "key", "ann"))).toEqual(new Set([big, ofAnn]));
  });

  it("of a prepaid budget never reset, and are what the ledger says after Redis lost them", async () => {
    const open = newPlace();
    const [{ engine: one, clock }, { engine: two, clock: other }] = [await open(), await open()];
    onTestFinished(() => Promise.all([one.close(), two.close()]).then(() => {}));
    const { key, value } = await one.keys.create({
      ...{ name: "k", budgets: [budget(10, { reset_duration: "never" })], provider_configs },
    });
    let calls = 0;
    while ((await ask(calls % 2 ? one : two, value)) === "served") calls++;
    expect(calls).toBeGreaterThan(0);
    await Promise.all([clock, other].map((each) => each.advance(400 * 86_400_000)));
    for (const engine of [one, two]) {
      expect(await ask(engine, value)).toBe("budget_exceeded");
      expect((await engine.usage.limits(key.id))[0]).toMatchObject({ used_nano: calls * 20_000, resets_at: undefined });
    }
  });

  it("in a time zone end when its day does", async () => {
    const open = newPlace();
    const late = Date.UTC(2026, 10, 26, 22, 59); // 23:59 in Berlin
    const [{ engine: one, clock }, { engine: two, clock: other }] = [
      await open(Promise.resolve(), late),
      await open(Promise.resolve(), late),
    ];
    onTestFinished(() => Promise.all([one.close(), two.close()]).then(() => {}));
    const budgets = [budget(5, { calendar_aligned: true, timezone: "Europe/Berlin" })];
    const { key, value } = await one.keys.create({ name: "k", budgets, provider_configs });
    for (const end of [Date.UTC(2026, 10, 26, 23), Date.UTC(2026, 10, 27, 23)]) {
      const served = await burst([one, two], value, {});
      const used_nano = Math.round(served * dollars * 1e9);
      expect([served > 0, served <= 5]).toEqual([true, true]);
      expect((await two.usage.limits(key.id))[0]).toMatchObject({ used_nano, reserved: 0, resets_at: end });
      await Promise.all([clock, other].map((each) => each.advance(60_000)));
    }
  });
});

it("calls of a gateway that died get a row `lost` each, once, and give a hard budget back what they held", async () => {
  const open = newPlace();
  const dead = await open(new Promise(() => {})); // its vendor never answers, and its clock stops
  const draft = { name: "k", budgets: [budget(100, { reset_duration: "never" })], provider_configs };
  const { key, value } = await dead.engine.keys.create(draft);
  void ask(dead.engine, value, { user: "ann" });
  const reserved = async () => (await dead.engine.usage.limits(key.id))[0]?.reserved ?? 0;
  const first = await vi.waitFor(async () => {
    expect(await reserved()).toBeGreaterThan(0);
    return reserved();
  });
  void ask(dead.engine, value, { user: "bob" });
  await vi.waitFor(async () => expect(await reserved()).toBeCloseTo(2 * first, 9));
  const budgets = [budget(0, { reset_duration: "never", max_limit: 2.5 * first })]; // of what is held, no third call has room
  await dead.engine.keys.update(key.id, { budgets });
  await dead.clock.advance(1_000);
  await vi.waitFor(async () => {
    const { records } = await dead.store.records.list("calls", { limit: 9 });
    expect(records.map(({ record }) => record.entries.length)).toEqual([2]);
  });
  const [call] = (await dead.store.records.list("calls", { limit: 9 })).records;
  const lapsesAt = call?.record.lapses_at ?? 0;
  const early = await open(Promise.resolve(), lapsesAt - 1);
  expect(await ask(early.engine, value)).toBe("budget_exceeded");
  await early.engine.close();
  const later = await Promise.all([open(Promise.resolve(), lapsesAt), open(Promise.resolve(), lapsesAt)]);
  onTestFinished(() => Promise.all(later.map(({ engine }) => engine.close())).then(() => {}));
  for (const { engine } of later) expect(await ask(engine, value)).toBe("served");
  await vi.waitFor(async () => {
    const { entries } = await (later[0] as (typeof later)[0]).engine.usage.entries({
      limit: 9,
      filters: { reason: "lost" },
    });
    expect(entries.map(({ user, status, attempts }) => [user, status, attempts]).toSorted()).toEqual([
      ["ann", 500, []],
      ["bob", 500, []],
    ]);
  });
});
