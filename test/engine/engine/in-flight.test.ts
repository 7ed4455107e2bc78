import { describe, expect, it } from "vitest";
import { memoryCounters } from "../../../adapters/counters/memory.ts";
import { memoryStore } from "../../../adapters/stores/memory/index.ts";
import { createEngine, defineProvider, type EngineOptions, isGatewayError } from "../../../src/index.ts";

/** A provider that answers when it is told to. */
function createHeldProvider(name: string) {
  const open: { readonly key: string; answer(): void; fail(error: Error): void }[] = [];
  const provider = defineProvider({
    name,
    chat: ({ messages }, { id, model }) =>
      new Promise((resolve, reject) => {
        const message = { role: "assistant" as const, content: "yes" };
        const choices = [{ index: 0, finish_reason: "stop" as const, message }];
        const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
        const answer = () => resolve({ id, object: "chat.completion" as const, created: 1, model, choices, usage });
        open.push({ key: String(messages[0]?.content), answer, fail: reject });
      }),
  });
  return { provider, open };
}

const turns = async () => {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
};
const codeOf = (thrown: unknown) => (isGatewayError(thrown) ? thrown.code : String(thrown));

function begin(options: Partial<EngineOptions> = {}) {
  const { provider, open } = createHeldProvider("a");
  const store = memoryStore();
  const engine = createEngine({ providers: [provider], store, ...options });
  const makeKey = async (bounds: object) =>
    (await engine.keys.create({ name: "k", provider_configs: [{ provider: "a", allowed_models: ["*"] }], ...bounds }))
      .value;
  const ask = (key: string, name: string, more: object = {}) =>
    engine
      .chat({ model: "a/m", messages: [{ role: "user", content: name }] }, { key, ...more })
      .then(() => "ok", codeOf);
  return { engine, open, makeKey, ask };
}

describe("max_in_flight", () => {
  it("of a key bounds its calls under way; the next one begins when one has ended, however it ended", async () => {
    const { open, makeKey, ask } = begin({ retry: { retries: 0 } });
    const key = await makeKey({ max_in_flight: 2 });
    const abort = new AbortController();
    const ends = [ask(key, "0"), ask(key, "1", { signal: abort.signal }), ask(key, "2"), ask(key, "3"), ask(key, "4")];
    await turns();
    expect(open.map(({ key: name }) => name)).toEqual(["0", "1"]);
    open[0]?.fail(new Error("broken"));
    await turns();
    expect(open.length).toBe(3);
    abort.abort();
    await turns();
    expect(open.length).toBe(4);
    open[2]?.answer();
    await turns();
    for (const { answer } of open) answer();
    expect(await Promise.all(ends)).toEqual(["upstream_error", "request_cancelled", "ok", "ok", "ok"]);
  });

  it("of a project and of a customer holds for all their keys together", async () => {
    const { engine, open, makeKey, ask } = begin();
    const customer = await engine.customers.create({ name: "c", max_in_flight: 3 });
    const project = await engine.projects.create({ name: "p", customer_id: customer.id, max_in_flight: 2 });
    const keys = [
      await makeKey({ project_id: project.id }),
      await makeKey({ project_id: project.id }),
      await makeKey({ customer_id: customer.id }),
    ];
    for (const key of [...keys, ...keys]) void ask(key, String(keys.indexOf(key)));
    await turns();
    expect(open.length).toBe(3);
    for (let ended = 0; ended < 6; ended++) {
      const underWay = open.slice(ended).map(({ key }) => key);
      expect(underWay.length).toBeLessThanOrEqual(3);
      expect(underWay.filter((key) => key !== "2").length).toBeLessThanOrEqual(2);
      open[ended]?.answer();
      await turns();
    }
    expect(open.map(({ key }) => key).sort()).toEqual(["0", "0", "1", "1", "2", "2"]);
  });

  it("is one bound for all engines over the same counters", async () => {
    const counters = memoryCounters();
    const store = memoryStore();
    const [one, other] = [begin({ counters, store }), begin({ counters, store })];
    const key = await one.makeKey({ max_in_flight: 3 });
    for (let n = 0; n < 5; n++) void [one.ask(key, "x"), other.ask(key, "x")];
    await turns();
    expect(one.open.length + other.open.length).toBe(3);
  });

  it("refuses with `concurrency_limited` when too many wait, and asks no fallback", async () => {
    const { open, makeKey, ask } = begin({ concurrency: { maxWaiting: 2 } });
    const key = await makeKey({ max_in_flight: 1 });
    void ask(key, "0");
    void ask(key, "1");
    await turns();
    expect(await ask(key, "2", {})).toBe("concurrency_limited");
    expect(open.length).toBe(1);
  });
});

describe("concurrency.maxInFlight", () => {
  it("lets the second key in next, behind 300 calls of the first", async () => {
    const { open, makeKey, ask } = begin({ concurrency: { maxInFlight: 4 } });
    const [first, second] = [await makeKey({}), await makeKey({})];
    for (let n = 0; n < 300; n++) void ask(first, "first");
    await turns();
    void ask(second, "second");
    await turns();
    expect(open.length).toBe(4);
    open[0]?.answer();
    await turns();
    expect(open.map(({ key }) => key)).toEqual(["first", "first", "first", "first", "second"]);
  });
});
