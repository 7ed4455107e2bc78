import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Usage } from "../../../../src/engine/api/usage.ts";
import { readUsage as readAnthropic } from "../../../../src/engine/dialects/anthropic/usage.ts";
import { readUsage as readGemini } from "../../../../src/engine/dialects/gemini/usage.ts";
import { readUsage } from "../../../../src/engine/dialects/openai/usage.ts";

const count = fc.oneof(fc.nat(5_000), fc.constantFrom(null, undefined, -1, 1.5, Number.NaN, "7"));
const anyUsage = fc.record(
  {
    prompt_tokens: count,
    completion_tokens: count,
    total_tokens: count,
    prompt_tokens_details: fc.option(
      fc.record({ cached_tokens: count, cache_write_tokens: count, audio_tokens: count }),
    ),
    completion_tokens_details: fc.option(fc.record({ reasoning_tokens: count, audio_tokens: count })),
    prompt_cache_hit_tokens: count,
    reasoning_tokens: count,
    citation_tokens: count,
    num_search_queries: count,
    cost: fc.oneof(fc.double(), fc.record({ total_cost: fc.double() })),
    queue_time: fc.double({ noNaN: true }),
  },
  { requiredKeys: [] },
);

describe("usage, whatever a vendor tells", () => {
  const holds = (check: (usage: Usage) => void) =>
    fc.assert(
      fc.property(anyUsage, (told) => {
        const usage = readUsage(told);
        if (usage !== undefined) check(usage);
      }),
      { numRuns: 500 },
    );

  it("has a total of prompt and completion", () =>
    holds((usage) => expect(usage.total_tokens).toBe(usage.prompt_tokens + usage.completion_tokens)));

  it("has no part that exceeds its whole", () =>
    holds(({ prompt_tokens, completion_tokens, prompt_tokens_details = {}, completion_tokens_details = {} }) => {
      const tokens = (parts: object) =>
        Object.entries(parts).flatMap(([name, n]) => (name.endsWith("_tokens") ? [n] : []));
      for (const n of tokens(prompt_tokens_details)) expect(n).toBeLessThanOrEqual(prompt_tokens);
      for (const n of tokens(completion_tokens_details)) expect(n).toBeLessThanOrEqual(completion_tokens);
    }));

  it("keeps the schema, and leaves the cost to the engine", () =>
    holds((usage) => {
      Usage.parse(usage);
      expect(usage.cost).toBeUndefined();
    }));

  it("is never invented", () => {
    for (const told of [
      null,
      undefined,
      "x",
      [],
      {},
      { total_tokens: 5 },
      { prompt_tokens: null, completion_tokens: "7" },
    ]) {
      expect(readUsage(told)).toBeUndefined();
    }
  });

  it.each([-5, 1.5, "10", Number.NaN, {}])(
    "is none where a count is none, so that it is not billed as nothing: %j",
    (broken) => {
      expect(readUsage({ prompt_tokens: broken, completion_tokens: 3, total_tokens: 3 })).toBeUndefined();
      expect(readUsage({ prompt_tokens: 3, completion_tokens: broken, total_tokens: 3 })).toBeUndefined();
      expect(readAnthropic({ input_tokens: 3, output_tokens: broken as number })).toBeUndefined();
      expect(readGemini({ promptTokenCount: broken as number, candidatesTokenCount: 3 })).toBeUndefined();
    },
  );

  it("has no tokens where a count is null or left out", () => {
    expect(readUsage({ prompt_tokens: 3, completion_tokens: null })).toMatchObject({ completion_tokens: 0 });
    expect(readUsage({ completion_tokens: 3 })).toMatchObject({ prompt_tokens: 0, total_tokens: 3 });
  });

  it("does not change what it reads", () => {
    fc.assert(
      fc.property(anyUsage, (told) => {
        const before = structuredClone(told);
        readUsage(told);
        expect(told).toEqual(before);
      }),
    );
  });
});

describe("reasoning tokens", () => {
  const read = (told: object) => {
    const usage = readUsage(told);
    return [usage?.completion_tokens, usage?.completion_tokens_details?.reasoning_tokens];
  };
  const details = (reasoning_tokens: number) => ({ completion_tokens_details: { reasoning_tokens } });

  it("are inside the completion where the total says so", () => {
    expect(read({ prompt_tokens: 10, completion_tokens: 20, total_tokens: 30, ...details(15) })).toEqual([20, 15]);
    expect(read({ prompt_tokens: 10, completion_tokens: 20, ...details(15) })).toEqual([20, 15]);
  });

  it("and citations are beside completion and total in Perplexity's deep research", () => {
    const told = { prompt_tokens: 33, completion_tokens: 7163, total_tokens: 7196 };
    const research = { citation_tokens: 20016, num_search_queries: 18, reasoning_tokens: 73997 };
    expect(readUsage({ ...told, ...research })).toEqual({
      prompt_tokens: 33,
      completion_tokens: 101_176,
      total_tokens: 101_209,
      completion_tokens_details: research,
    });
    // Citations alone are told by models that do not bill them.
    expect(read({ ...told, citation_tokens: 20_016 })).toEqual([7163, undefined]);
  });

  it("are added to the completion where the total, or their number, says that they are beside it", () => {
    expect(read({ prompt_tokens: 10, completion_tokens: 20, total_tokens: 45, ...details(15) })).toEqual([35, 15]);
    expect(read({ prompt_tokens: 10, completion_tokens: 20, ...details(300) })).toEqual([320, 300]);
  });

  it("are cut to the completion where the total denies that there are more", () => {
    expect(read({ prompt_tokens: 10, completion_tokens: 20, total_tokens: 30, ...details(25) })).toEqual([20, 20]);
  });
});
