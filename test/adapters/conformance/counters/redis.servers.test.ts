import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RedisCountersOptions, redisCounters } from "../../../../adapters/counters/redis/index.ts";
import { memoryStore } from "../../../../adapters/stores/memory/index.ts";
import { sqliteStore } from "../../../../adapters/stores/sqlite/index.ts";
import {
  type ChatResponse,
  createEngine,
  defineProvider,
  type Engine,
  isGatewayError,
  type Store,
} from "../../../../src/index.ts";
import {
  day,
  hold,
  mustRefuse,
  mustReserve,
  notify,
  start,
} from "../../../../src/testing/conformance/counters/probe.ts";
import { countersCases, scriptedPrices } from "../../../../src/testing/index.ts";
import { type RedisServer, startRedis } from "./redis-server.ts";

let redis: RedisServer;
beforeAll(async () => {
  redis = await startRedis();
}, 300_000);
afterAll(() => redis.stop());

let made = 0;
/** Counters of which nothing is used yet, over a connection of their own. */
async function freshCounters({ hardLapseMs, prefix = `{fresh-${made++}}:` }: Partial<RedisCountersOptions> = {}) {
  return redisCounters({ time: "caller", client: await redis.connect(), prefix, hardLapseMs });
}

describe("counters: redis", () => {
  for (const { title, run } of countersCases) {
    // The suite's rule for hard amounts is the strictest that there is: they are held until their window ends.
    it(title, async () => run(await freshCounters({ hardLapseMs: 366 * day })));
  }

  it("counts amounts exactly that Lua would write with fewer digits", async () => {
    const counters = await freshCounters();
    const [limit, amount] = [9_007_199_254_740_000, 9_007_199_254_739_997];
    const ticket = await mustReserve(counters, [hold({ amount, limit })]);
    expect(ticket.held[0]?.left).toBe(3);
    expect(await mustRefuse(counters, [hold({ amount: 4, limit })])).toMatchObject({ left: 3 });
    await counters.settle(ticket, [amount - 1], start);
    expect(await notify(counters)).toBe(`${amount - 1}+0 -`);
  });

  it("goes on after the server forgot its scripts", async () => {
    const client = await redis.connect();
    const counters = redisCounters({ time: "caller", client, prefix: "{forgotten}:" });
    const ticket = await mustReserve(counters, [hold()]);
    await client.scriptFlush();
    await counters.settle(ticket, [4], start);
    expect(await notify(counters)).toBe("4+0 -");
  });

  it("gives back what a dead process had reserved of a hard budget when the ticket expires, also of one that never resets", async () => {
    const counters = await freshCounters();
    const opens = { start: 0, end: 253_402_300_800_000 };
    const held = [hold({ amount: 7, isHard: true }), hold({ counter: "b", amount: 2, isHard: true, opens })];
    const expiresAt = start + 1_000;
    const dead = await mustReserve(counters, held, { expiresAt });
    const living = await mustReserve(counters, [hold({ amount: 3, isHard: true })], { expiresAt: start + 9_000 });
    expect(await notify(counters, expiresAt - 1)).toBe("0+10 0+2");
    expect(await notify(counters, expiresAt)).toBe("0+3 0+0");
    await counters.settle(living, [1], expiresAt);
    await counters.settle(dead, [6, 1], expiresAt + 1); // it lived, and was late
    expect(await notify(counters, expiresAt + 1)).toBe("7+0 1+0");
  });

  describe("with `hardLapseMs`", () => {
    const [expiresAt, later] = [start + 1_000, start + 1_000 + 5_000];
    const lapsing = async () => {
      const client = await redis.connect();
      return redisCounters({ time: "caller", client, prefix: `{lapse-${made++}}:`, hardLapseMs: 5_000 });
    };
    const held = [hold({ amount: 7, isHard: true }), hold({ counter: "b", amount: 2 })];

    it("gives back what a dead process had reserved of a hard budget, so long after the ticket expired", async () => {
      const counters = await lapsing();
      await mustReserve(counters, held, { expiresAt });
      expect(await notify(counters, expiresAt)).toBe("0+7 0+0");
      expect(await notify(counters, later - 1)).toBe("0+7 0+0");
      expect(await notify(counters, later)).toBe("0+0 0+0");
      await mustReserve(counters, [hold({ amount: 10, limit: 10, isHard: true })], { now: later });
    });

    it("charges a call that ends later all the same, once", async () => {
      const counters = await lapsing();
      const ticket = await mustReserve(counters, held, { expiresAt });
      expect(await notify(counters, later)).toBe("0+0 0+0");
      await counters.settle(ticket, [6, 1], later);
      await counters.settle(ticket, [6, 1], later);
      expect(await notify(counters, later)).toBe("6+0 1+0");
    });

    it("takes off what was still held of a call that ends in between", async () => {
      const counters = await lapsing();
      const ticket = await mustReserve(counters, held, { expiresAt });
      await counters.settle(ticket, [6, 1], later - 1);
      expect(await notify(counters, later - 1)).toBe("6+0 1+0");
      expect(await notify(counters, later)).toBe("6+0 1+0");
    });
  });

  it("leaves no key behind that stays for ever", async () => {
    const client = await redis.connect();
    const counters = redisCounters({ time: "caller", client, prefix: "{left}:" });
    await mustReserve(counters, [hold(), hold({ counter: "b", isHard: true })], { reservationId: "open" });
    const ended = await mustReserve(counters, [hold(), hold({ counter: "c" })], { reservationId: "ended" });
    await counters.settle(ended, [1, 2], start);
    const keys = await client.keys("{left}:*");
    expect(keys.sort()).toEqual(["a", "a:soft", "b", "b:soft", "c", "ticket/open"].map((name) => `{left}:${name}`));
    for (const key of keys) expect(await client.pTTL(key)).toBeGreaterThan(day);
  });
});

/** Answers a call after it waited for a turn or two, so that calls overlap. */
const provider = defineProvider({
  name: "a",
  async chat(_request, { id, model }) {
    await new Promise((resolve) => setImmediate(resolve));
    const message = { role: "assistant" as const, content: "yes" };
    const usage = { prompt_tokens: 10, completion_tokens: 1, total_tokens: 11 };
    const choices = [{ index: 0, finish_reason: "stop", message }];
    return { id, object: "chat.completion" as const, created: 1, model, choices, usage };
  },
});
const request = { model: "a/m", messages: [{ role: "user" as const, content: "is it?" }] };
const limit = 0.02;

/** An engine as a process of its own has it: a ledger file each, keys in one file and counts in Redis. */
async function openEngine(folder: string, name: string) {
  const keys = sqliteStore(join(folder, "keys.db"));
  const own = sqliteStore(join(folder, `${name}.db`));
  const store: Store = {
    records: keys.records,
    ledger: own.ledger,
    close: async () => void (await Promise.all([keys.close(), own.close()])),
  };
  return createEngine({
    providers: [provider],
    store,
    prices: scriptedPrices(),
    counters: await freshCounters({ prefix: "{s}:" }),
  });
}

describe("engines over one Redis", () => {
  it("never pass a hard budget together, and one that starts later counts on", async () => {
    const folder = mkdtempSync(join(tmpdir(), "tollgate-shared-"));
    const engines = await Promise.all(["one", "two", "three"].map((name) => openEngine(folder, name)));
    const { key, value } = await (engines[0] as Engine).keys.create({
      name: "k",
      budgets: [{ max_limit: limit, reset_duration: "1d", enforcement: "hard" }],
      provider_configs: [{ provider: "a", allowed_models: ["*"] }],
    });
    const ask = (engine: Engine) => engine.chat(request, { key: value }).then(costOf, codeOf);
    const ends = await Promise.all(engines.flatMap((engine) => Array.from({ length: 20 }, () => ask(engine))));
    const costs = ends.filter((end) => typeof end === "number");
    expect(costs.length).toBeGreaterThan(0);
    expect(new Set(ends.filter((end) => typeof end === "string"))).toEqual(new Set(["budget_exceeded"]));
    const spent = costs.reduce((sum, cost) => sum + cost, 0);
    const later = await openEngine(folder, "four");
    await later.ready();
    for (const engine of [...engines, later]) {
      expect(await engine.usage.limits(key.id)).toMatchObject([{ used_nano: Math.round(spent * 1e9), reserved: 0 }]);
      await engine.close();
    }
    rmSync(folder, { recursive: true });
  });

  it("answer no call with a budget that they cannot count", async () => {
    const gone = await startRedis();
    const counters = redisCounters({ time: "caller", client: await gone.connect() });
    const engine = createEngine({ providers: [provider], store: memoryStore(), prices: scriptedPrices(), counters });
    const { value } = await engine.keys.create({
      name: "k",
      budgets: [{ max_limit: limit, reset_duration: "1d" }],
      provider_configs: [{ provider: "a", allowed_models: ["*"] }],
    });
    await engine.chat(request, { key: value });
    await gone.kill();
    const options = { key: value, timeouts: { whole: 200 } };
    expect(await engine.chat(request, options).then(costOf, codeOf)).toBe("upstream_timeout");
    expect(engine.inFlight).toBe(0);
    await gone.stop();
  });
});

function costOf({ usage }: ChatResponse): number {
  return usage?.cost?.total_cost ?? Number.NaN;
}

function codeOf(thrown: unknown): string {
  return isGatewayError(thrown) ? thrown.code : String(thrown);
}
