import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ChatRequest } from "../../../../src/engine/api/chat.ts";
import { type Rates, rateNames } from "../../../../src/engine/api/rates.ts";
import type { Usage } from "../../../../src/engine/api/usage.ts";
import { priceUsage } from "../../../../src/engine/metering/cost.ts";
import { boundCost } from "../../../../src/engine/metering/cost-bound.ts";
import { hasTier } from "../../../../src/engine/metering/fees/service-tiers.ts";
import { boundChat, boundEmbedding, boundRerank } from "../../../../src/engine/metering/usage-bound.ts";
import { anyChat } from "./any-chat.ts";

const dollars = fc.integer({ min: 10_000, max: 100_000_000 }).map((picos) => picos / 1e12);
const anyRates: fc.Arbitrary<Rates> = fc
  .dictionary(fc.constantFrom(...rateNames), dollars, { maxKeys: 30 })
  .chain((rates) =>
    fc
      .tuple(dollars, dollars)
      .map(([input, output]) => ({ ...rates, input_cost_per_token: input, output_cost_per_token: output })),
  );

const facts = { model: "gpt-4o", context_length: 400_000, max_output_tokens: 20_000 };
/** Mostly all or nothing: bounds are tight at the edges. */
const share = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(0, 1) },
  { weight: 1, arbitrary: fc.double({ min: 0, max: 1, noNaN: true }) },
);

type Share = "prompt" | "completion" | "read" | "write" | "reasoning" | "citation";

/** Rates that contradict each other so much that a batch costs 435 dollars a token, as CI drew them. */
const contradictory: [ChatRequest, Rates, { asked: "auto" } & Record<Share, number>] = [
  { model: "openai/gpt-4o", messages: [] },
  {
    cache_read_input_token_cost: 0.00001351954,
    input_cost_per_token_above_200k_tokens: 0.000039927802,
    input_cost_per_token_batches: 0.000080651977,
    input_cost_per_token: 1e-8,
    output_cost_per_token: 1e-8,
  },
  { asked: "auto", prompt: 1, completion: 0, read: 0.07063763479412008, write: 0, reasoning: 0, citation: 0 },
];

describe("the reserved cost", () => {
  it("is never below the bill of what stays within the bounds", () => {
    const within = fc.record({
      asked: fc.constantFrom(undefined, "auto", "priority", "flex", "default"),
      prompt: share,
      completion: share,
      read: share,
      write: share,
      reasoning: share,
      citation: share,
    });
    fc.assert(
      fc.property(anyChat, anyRates, within, (chat, rates, { asked, ...used }) => {
        const bound = boundChat(
          { ...chat, messages: [...chat.messages, { role: "user", content: "x".repeat(290_000) }] },
          facts,
        );
        const prompt = Math.floor(bound.prompt.hard * used.prompt);
        const completion = Math.floor(bound.completion.hard * used.completion);
        const usage: Usage = {
          prompt_tokens: prompt,
          completion_tokens: completion,
          total_tokens: prompt + completion,
          prompt_tokens_details: {
            cached_read_tokens: Math.floor(prompt * used.read),
            cached_write_tokens: Math.floor(prompt * used.write),
          },
          completion_tokens_details: {
            reasoning_tokens: Math.floor(completion * used.reasoning),
            citation_tokens: Math.floor(completion * used.citation),
          },
        };
        const reserved = boundCost(bound, rates, asked)?.hard;
        if (reserved === undefined) {
          expect(hasTier(rates, asked)).toBe(false); // no rate for the tier: refused
          return;
        }
        for (const served of asked === "auto" ? ["priority", "flex", "batch", undefined] : [asked, undefined]) {
          const bill = priceUsage({ usage, serviceTier: served }, rates);
          // Beyond nine million dollars there is no bill, and what was reserved is charged: no hard budget has let it pass.
          if (bill === undefined) expect(reserved).toBe(Number.MAX_SAFE_INTEGER);
          else expect(bill.total).toBeLessThanOrEqual(reserved);
        }
      }),
      { numRuns: 300, examples: [contradictory] },
    );
  });

  const chat: ChatRequest = { model: "m", messages: [{ role: "user", content: "hi" }], max_completion_tokens: 10 };
  const plain: Rates = { input_cost_per_token: 1e-6, output_cost_per_token: 2e-6 };
  const softOf = (rates: Rates, asked?: string) => boundCost(boundChat(chat), rates, asked)?.soft ?? Number.NaN;

  it("covers a cache write, reasoning, a service that was asked for and one that was not given", () => {
    const { soft: prompt } = boundChat(chat).prompt;
    expect(softOf(plain)).toBe(prompt * 1_000 + 10 * 2_000 + 16);
    expect(softOf({ ...plain, cache_creation_input_token_cost: 1.25e-6 })).toBe(prompt * 1_250 + 10 * 2_000 + 16);
    expect(softOf({ ...plain, output_cost_per_reasoning_token: 5e-6 })).toBe(prompt * 1_000 + 10 * 5_000 + 16);
    const tiers = { ...plain, input_cost_per_token_flex: 5e-7, input_cost_per_token_priority: 3e-6 };
    expect([softOf(tiers), softOf(tiers, "flex"), softOf(tiers, "priority")]).toEqual([
      softOf(plain),
      softOf(plain),
      prompt * 3_000 + 10 * 2_000 + 16,
    ]);
  });

  it("takes an hour's cache, sound and images at their rates only where they are asked for", () => {
    const rates: Rates = {
      ...plain,
      cache_creation_input_token_cost_above_1hr: 4e-6,
      input_cost_per_image_token: 9e-6,
      output_cost_per_audio_token: 8e-6,
    };
    const cached = {
      type: "text" as const,
      text: "hi",
      cache_control: { type: "ephemeral" as const, ttl: "1h" as const },
    };
    const image = { type: "image_url" as const, image_url: { url: "https://example.com/a.png" } };
    const cost = (request: Partial<ChatRequest>) =>
      boundCost(boundChat({ ...chat, ...request }), rates)?.soft ?? Number.NaN;
    expect(cost({})).toBe(softOf(plain));
    expect(cost({ messages: [{ role: "user", content: [cached] }] }) - cost({})).toBe(
      boundChat(chat).prompt.soft * 3_000,
    );
    expect(
      cost({ messages: [{ role: "user", content: ["hi", ""].map((text) => ({ type: "text" as const, text })) }] }),
    ).toBe(cost({}));
    expect(cost({ messages: [{ role: "user", content: [image] }] })).toBeGreaterThan(cost({}) + 1_000 * 9_000);
    expect(cost({ modalities: ["text", "audio"] }) - cost({})).toBe(10 * 6_000);
  });

  it("is unknown exactly when the bill would be", () => {
    expect(boundCost(boundChat(chat), {})).toBeUndefined();
    expect(boundCost(boundChat(chat), { input_cost_per_token: 1e-6 })).toBeUndefined();
    expect(boundCost(boundEmbedding({ model: "m", input: "hi" }), { input_cost_per_token: 1e-6 })).toBeDefined();
    expect(
      boundCost(boundRerank({ model: "m", query: "q", documents: [{ text: "d" }] }), { input_cost_per_query: 0.002 })
        ?.hard,
    ).toBe(2_000_016);
  });
});
