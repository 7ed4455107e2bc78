import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { memoryStore } from "../../../../adapters/stores/memory/index.ts";
import { sqliteStore } from "../../../../adapters/stores/sqlite/index.ts";
import { Usage } from "../../../../src/engine/api/usage.ts";
import { soundUsage } from "../../../../src/engine/metering/counts.ts";
import { defineProvider } from "../../../../src/index.ts";
import { fakeClock, scriptedPrices } from "../../../../src/testing/index.ts";
import { engineOver } from "../../support/support.ts";

/** What no provider should say, and some do. */
const anyBroken = fc.constantFrom(Number.NaN, Infinity, -Infinity, -1, -1e18, 0.5, 2 ** 53, 1e18, 1e300, "7", null, {});
const anyCount = fc.oneof(fc.nat(2_000), fc.constantFrom(0, 2 ** 40));
const anyTold = fc.oneof(anyCount, anyBroken);
const anyDetails = fc.dictionary(
  fc.constantFrom("cached_read_tokens", "cached_write_tokens", "reasoning_tokens", "num_search_queries"),
  anyTold,
);

/** A usage with at least one field that is no count, or a detail that is none. */
const anyUsage = fc.record({
  prompt_tokens: anyTold,
  completion_tokens: anyTold,
  total_tokens: anyTold,
  prompt_tokens_details: anyDetails,
  completion_tokens_details: anyDetails,
});

/** A provider that says of every answer that it used that. */
function claiming(usage: unknown) {
  const envelope = { id: "1", created: 1, model: "m", usage: usage as Usage };
  const message = { role: "assistant" as const, content: "hello there" };
  return defineProvider({
    name: "a",
    chat: async () => ({
      ...envelope,
      object: "chat.completion",
      choices: [{ index: 0, finish_reason: "stop", message }],
    }),
    async *streamChat() {
      const chunk = { ...envelope, object: "chat.completion.chunk" };
      const { usage: _last, ...first } = chunk;
      yield { ...first, choices: [{ index: 0, finish_reason: null, delta: { content: "hello there" } }] };
      yield { ...first, choices: [{ index: 0, finish_reason: "stop", delta: {} }] };
      yield { ...chunk, choices: [] };
    },
    embed: async () => ({ ...envelope, object: "list", data: [{ index: 0, object: "embedding", embedding: [1] }] }),
    rerank: async () => ({ ...envelope, results: [{ index: 0, relevance_score: 1 }] }),
  });
}

type Engine = ReturnType<typeof engineOver>["engine"];
const messages = [{ role: "user" as const, content: "hi" }];
const asks = {
  chat: async (engine: Engine, key: string) => (await engine.chat({ model: "a/m", messages }, { key })).usage,
  stream: async (engine: Engine, key: string) => {
    const request = { model: "a/m", messages, stream_options: { include_usage: true } };
    let usage: Usage | undefined;
    for await (const chunk of await engine.streamChat(request, { key })) usage = chunk.usage ?? usage;
    return usage;
  },
  embed: async (engine: Engine, key: string) => (await engine.embed({ model: "a/m", input: "hi" }, { key })).usage,
  rerank: async (engine: Engine, key: string) =>
    (await engine.rerank({ model: "a/m", query: "hi", documents: [{ text: "there" }] }, { key })).usage,
};

const stores = { memory: () => memoryStore(), sqlite: () => sqliteStore(":memory:") };
const wide = {
  name: "k",
  provider_configs: [{ provider: "*", allowed_models: ["*"] }],
  budgets: [{ max_limit: 1_000_000, reset_duration: "1d" as const }],
  rate_limits: [{ token_max_limit: 1_000_000_000_000, token_reset_duration: "1d" as const }],
};

describe("what a provider says that it used", () => {
  const cases = Object.entries(stores).flatMap(([name, open]) =>
    Object.entries(asks).map(([verb, ask]) => ({ name, verb, open, ask })),
  );

  it.each(cases)("never spoils the books, whatever it is ($name, $verb)", ({ open, ask }) =>
    fc.assert(
      fc.asyncProperty(anyUsage, async (told) => {
        const store = open();
        const { engine } = engineOver([claiming(told)], { store, prices: scriptedPrices(), clock: fakeClock() });
        const defects: unknown[] = [];
        engine.on("defect", ({ error }) => defects.push(error));
        const { key, value } = await engine.keys.create(wide);
        const shown = await ask(engine, value);
        if (shown) expect(Number.isSafeInteger(Usage.shape.total_tokens.parse(shown.total_tokens))).toBe(true);
        const [row] = await engine.usage.query({ from: 0, to: Number.MAX_SAFE_INTEGER });
        const { entries } = await engine.usage.entries({ limit: 2 });
        const [attempt] = entries[0]?.attempts ?? [];
        for (const [unit, amount] of [
          ["tokens", (attempt?.prompt_tokens ?? 0) + (attempt?.completion_tokens ?? 0)],
          ["cost", attempt?.cost],
        ]) {
          const standing = await engine.usage.limits(key.id);
          expect(standing.find((limit) => limit.unit === unit)).toMatchObject({ used: amount, reserved: 0 });
        }
        for (const [field, sum] of Object.entries(row ?? {}))
          if (!["group", "cost", "saved"].includes(field))
            // dollars; `cost_nano` and `saved_nano` are whole
            expect([field, Number.isSafeInteger(sum) && Number(sum) >= 0]).toEqual([field, true]);
        expect(row).toMatchObject({ requests: 1, attempts: 1, failures: 0 });
        expect(attempt?.is_estimated).toBe(soundUsage(told as Usage) === undefined);
        await engine.close();
        expect(defects).toEqual([]);
      }),
      { numRuns: 40 },
    ),
  );

  it("is told in a warning and counted here when it is no count", async () => {
    const { engine } = engineOver([claiming({ prompt_tokens: -5, completion_tokens: 1, total_tokens: -4 })], {});
    const { usage, extra_fields } = await engine.chat({ model: "a/m", messages });
    expect(usage).toBeUndefined();
    expect(extra_fields?.warnings).toContain("usage: what a/m says it used is no count of tokens");
  });

  it("may leave a count out, and its total is prompt and completion", () => {
    expect(soundUsage({ prompt_tokens: 7 } as Usage)).toEqual({
      prompt_tokens: 7,
      completion_tokens: 0,
      total_tokens: 7,
    });
    expect(soundUsage({ prompt_tokens: 7, completion_tokens: 2, total_tokens: 1 })?.total_tokens).toBe(9);
    expect(soundUsage({} as Usage)).toBeUndefined();
  });
});
