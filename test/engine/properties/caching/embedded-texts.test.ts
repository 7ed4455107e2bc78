import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { memoryCache } from "../../../../adapters/caches/memory.ts";
import { memoryStore } from "../../../../adapters/stores/memory/index.ts";
import type { EmbeddingRequest } from "../../../../src/engine/api/embeddings.ts";
import { shareOut } from "../../../../src/engine/caching/embedded-texts.ts";
import { type EmbeddingInput, inputsOf } from "../../../../src/engine/dialects/embedding-inputs.ts";
import type { AnswerCache } from "../../../../src/engine/ports/answers.ts";
import type { Provider } from "../../../../src/engine/ports/provider.ts";
import { engineOver } from "../../support/support.ts";

/** Tokens of an input as the vendor below counts them. */
const sizeOf = (input: EmbeddingInput) => 3 + input.length;

/** A vendor whose vectors say which text, model and parameters they are of. */
function vendor(name = "v") {
  const inputs: string[] = [];
  const provider: Provider = {
    name,
    async embed(request, { model, warn }) {
      const { input, fallbacks: _fallbacks, user: _user, ...parameters } = request;
      const texts = inputsOf({ input });
      inputs.push(...texts.map((text) => JSON.stringify([text, parameters])));
      for (const [at, text] of texts.entries())
        if (text.length > 2) warn(`\`input.${at}\` is cut off: ${JSON.stringify(text)}`);
      const data = texts.map((text, index) => ({
        index,
        object: "embedding",
        embedding: [...Buffer.from(JSON.stringify([name, model, text, parameters]).padEnd(120), "latin1")],
      }));
      const tokens = texts.reduce((sum, text) => sum + sizeOf(text), 0);
      // In any order: places are told by the index.
      const usage = { prompt_tokens: tokens, completion_tokens: 0, total_tokens: tokens };
      return { object: "list", model, data: data.reverse(), usage };
    },
  };
  return { provider, inputs };
}

/** A cache that takes time. */
function late(cache: AnswerCache): AnswerCache {
  return {
    get: async (...question) => cache.get(...question),
    put: async (...answer) => cache.put(...answer),
    delete: async (...name) => cache.delete(...name),
    clear: async (scope) => cache.clear(scope),
  };
}

const text = fc.constantFrom("", "a", "b", "cc", "ddd", "eeee", "ä");
const input = fc.oneof(
  text,
  fc.array(text, { minLength: 1, maxLength: 6 }),
  fc.array(fc.array(fc.nat(3), { minLength: 1, maxLength: 2 }), { minLength: 1, maxLength: 3 }),
  fc.array(fc.nat(3), { minLength: 1, maxLength: 2 }),
);
const request = fc.record(
  {
    model: fc.constantFrom("v/m", "v/n"),
    input,
    encoding_format: fc.constantFrom("float" as const, "base64" as const),
    input_type: fc.constantFrom("query", "document"),
  },
  { requiredKeys: ["model", "input"] },
) as fc.Arbitrary<EmbeddingRequest>;

const world = (isLate: boolean) => {
  const { provider, inputs } = vendor();
  const answers = isLate ? late(memoryCache()) : memoryCache();
  const { engine } = engineOver([provider], { store: memoryStore(), cache: { answers } });
  return { engine, inputs };
};

describe("vectors are cached by text", () => {
  it("a request has the vectors that it would have without a cache, in its order, whatever was asked before", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(request, { maxLength: 6 }), fc.boolean(), async (requests, isLate) => {
        const [cached, plain] = [world(isLate), engineOver([vendor().provider]).engine];
        for (const each of requests) {
          const { data } = await plain.embed(each);
          const inOrder = [...data].sort((one, other) => one.index - other.index);
          const answer = await cached.engine.embed(each);
          expect([...answer.data].sort((one, other) => one.index - other.index)).toEqual(inOrder);
        }
      }),
    );
  });

  it("no text is asked for twice, and every other one is", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(request, { maxLength: 6 }), fc.boolean(), async (requests, isLate) => {
        const { engine, inputs } = world(isLate);
        const wanted = new Set<string>();
        for (const each of requests) {
          await engine.embed(each);
          const { input, ...parameters } = each;
          for (const one of inputsOf({ input })) wanted.add(JSON.stringify([one, parameters]));
        }
        expect([...inputs].sort()).toEqual([...wanted].sort());
      }),
    );
  });

  it("what is asked is paid, what is cached is saved, and both together are the whole", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(request, { minLength: 1, maxLength: 6 }), async (requests) => {
        const { engine, inputs } = world(false);
        let [asked, all] = [0, 0];
        for (const each of requests) {
          const before = inputs.length;
          const { usage, extra_fields } = await engine.embed(each);
          const fresh = inputs.slice(before).map((line) => sizeOf((JSON.parse(line) as [EmbeddingInput])[0]));
          const tokens = fresh.reduce((sum, size) => sum + size, 0);
          asked += tokens;
          const distinct = new Set(inputsOf(each).map((one) => JSON.stringify(one)));
          if (fresh.length === distinct.size) expect(usage?.prompt_tokens).toBe(tokens);
          if (fresh.length === 0) expect(usage?.cost?.total_cost).toBe(0);
          else expect(usage?.cost?.total_cost).toBeGreaterThan(0);
          expect(extra_fields?.cache_debug?.cache_hit).toBe(fresh.length === 0);
          all += usage?.prompt_tokens ?? 0;
        }
        const [sums] = await engine.usage.query({ from: 0, to: Number.MAX_SAFE_INTEGER });
        expect(sums?.prompt_tokens).toBe(asked);
        expect(asked + (sums?.saved_prompt_tokens ?? 0)).toBe(all);
      }),
    );
  });

  it("warnings name the places of the caller's request, from the vendor or the cache", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(text, { minLength: 1, maxLength: 6 }), { maxLength: 5 }), async (lists) => {
        const { engine } = world(false);
        for (const list of lists) {
          const { extra_fields } = await engine.embed({ model: "v/m", input: list });
          const named = (extra_fields?.warnings ?? []).filter((warning) => warning.includes("is cut off"));
          const long = [...new Set(list)].filter((each) => each.length > 2);
          const expected = long.map((each) => `\`input.${list.indexOf(each)}\` is cut off: ${JSON.stringify(each)}`);
          expect([...named].sort()).toEqual(expected.sort());
        }
      }),
    );
  });

  it("shares are whole, sum to the total, and none is negative", () => {
    const weights = fc.array(fc.integer({ min: 1, max: 1e6 }), { minLength: 1, maxLength: 50 });
    fc.assert(
      fc.property(fc.nat(1e12), weights, (total, each) => {
        const shares = shareOut(total, each);
        expect(shares.reduce((sum, share) => sum + share, 0)).toBe(total);
        expect(shares.every((share) => Number.isInteger(share) && share >= 0)).toBe(true);
      }),
    );
  });
});
