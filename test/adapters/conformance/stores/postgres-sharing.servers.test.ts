import { describe, expect, it, onTestFinished, vi } from "vitest";
import { memoryCounters } from "../../../../adapters/counters/memory.ts";
import {
  type Counters,
  createEngine,
  defineProvider,
  type Engine,
  isGatewayError,
  type Store,
} from "../../../../src/index.ts";
import { scriptedPrices } from "../../../../src/testing/index.ts";
import { postgresSuite } from "./postgres-suite.ts";

const suite = postgresSuite();
const { newSchema, openStore } = suite;

const provider = defineProvider({
  name: "a",
  async chat(_request, { id, model }) {
    const message = { role: "assistant" as const, content: "yes" };
    const usage = { prompt_tokens: 10, completion_tokens: 1, total_tokens: 11 };
    const choices = [{ index: 0, finish_reason: "stop", message }];
    return { id, object: "chat.completion" as const, created: 1, model, choices, usage };
  },
});
const request = { model: "a/m", messages: [{ role: "user" as const, content: "is it?" }] };
const provider_configs = [{ provider: "a", allowed_models: ["*"] }];

/** Counters that outlive engines and are theirs together, as those in Redis. */
function sharedCounters(): Counters {
  const { restore: _, ...counters } = memoryCounters();
  return counters;
}

function openEngine(store: Store, counters?: Counters): Engine {
  const engine = createEngine({
    providers: [provider],
    store,
    prices: scriptedPrices(),
    ...(counters && { counters }),
  });
  onTestFinished(() => engine.close());
  return engine;
}

const codeOf = (thrown: unknown) => (isGatewayError(thrown) ? thrown.code : String(thrown));

/** Waits until something holds that a server tells in its own time. */
const eventually = (check: () => unknown) => vi.waitFor(check, { timeout: 20_000, interval: 20 });

describe("engines over one PostgreSQL", () => {
  it("hear of each other: a key that one switches off is refused by the other, and the bill is one", async () => {
    const schema = newSchema();
    const counters = sharedCounters();
    const [one, two] = [openEngine(openStore(schema), counters), openEngine(openStore(schema), counters)];
    const { key: made, value } = await one.keys.create({ name: "k", provider_configs });
    for (const engine of [one, two]) await engine.chat(request, { key: value });
    const asked = () => two.chat(request, { key: value }).then(() => "served", codeOf);
    expect(await asked()).toBe("served");
    await one.keys.update(made.id, { active: false });
    await eventually(async () => expect(await asked()).toBe("virtual_key_blocked"));
    const [row] = await one.usage.query({ from: 0, to: Infinity, filters: { reason: "ok" } });
    expect(row).toMatchObject({
      requests: (await two.usage.query({ from: 0, to: Infinity, filters: { reason: "ok" } }))[0]?.requests,
    });
    expect(row?.requests).toBeGreaterThanOrEqual(3);
  });

  it("are refused where one counts in its own memory, whichever comes first; the place of one that closes is free", async () => {
    const schema = newSchema();
    const ready = (counters?: Counters) => {
      const engine = openEngine(openStore(schema), counters);
      return engine.ready().then(
        () => engine,
        (thrown: Error) => thrown.message,
      );
    };
    const first = await ready();
    expect(await ready()).toMatch(/in use by another gateway.*tollgate\/counters\/redis/);
    expect(await ready(sharedCounters())).toMatch(/in use by a gateway that counts in its own memory/);
    await (first as Engine).close();
    for (const engine of [await ready(sharedCounters()), await ready(sharedCounters())])
      expect(engine).toBeTypeOf("object");
    expect(await ready()).toMatch(/in use by another gateway/);
  });

  it("count on where the one before has stopped", async () => {
    const schema = newSchema();
    const first = openEngine(openStore(schema));
    const budgets = [{ max_limit: 1, reset_duration: "1d" as const }];
    const { key: made, value } = await first.keys.create({ name: "k", provider_configs, budgets });
    for (let call = 0; call < 3; call++) await first.chat(request, { key: value });
    const [standing] = await first.usage.limits(made.id);
    await first.close();
    const second = openEngine(openStore(schema));
    await second.ready();
    expect(standing?.used).toBeGreaterThan(0);
    expect(await second.usage.limits(made.id)).toMatchObject([{ used: standing?.used }]);
  });
});
