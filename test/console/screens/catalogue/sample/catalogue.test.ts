import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type Limits,
  limitsInWords,
  toDraft,
  toLimits,
} from "../../../../../console/src/screens/accounts/limit-draft.ts";
import { findModels, type ModelPrice, priceOf } from "../../../../../console/src/screens/catalogue/sample.ts";

const modelOf = (rates: Partial<ModelPrice>): ModelPrice => ({
  ...{ id: "p/m", provider: "p", model: "m", is_priced: true },
  ...rates,
});

const tokens = fc.nat({ max: 100_000 });
const rate = fc.integer({ min: 0, max: 1_000 }).map((micro) => micro / 1e6);

describe("the price of a request", () => {
  it("is the sum of its three parts, each tokens × rate", () => {
    fc.assert(
      fc.property(fc.tuple(tokens, tokens, tokens), fc.tuple(rate, rate, rate), (size, rates) => {
        const [[prompt, cached, completion], [input, output, read]] = [size, rates];
        const model = modelOf({
          ...{ input_cost_per_token: input, output_cost_per_token: output, cache_read_input_token_cost: read },
        });
        const fromCache = Math.min(cached, prompt);
        const expected = (prompt - fromCache) * input + fromCache * read + completion * output;
        expect(priceOf(model, { prompt, cached, completion })).toBeCloseTo(expected, 9);
      }),
    );
  });

  it("takes the rates of long prompts beyond their bound, and not at it", () => {
    const model = modelOf({ input_cost_per_token: 1, input_cost_per_token_above_200k_tokens: 2 });
    expect(priceOf(model, { prompt: 200_000, cached: 0, completion: 0 })).toBe(200_000);
    expect(priceOf(model, { prompt: 200_001, cached: 0, completion: 0 })).toBe(400_002);
  });

  it("is unknown without a rate, and cached tokens without a rate of their own cost what others do", () => {
    expect(priceOf(modelOf({}), { prompt: 1, cached: 0, completion: 0 })).toBeUndefined();
    expect(priceOf(modelOf({ input_cost_per_token: 3 }), { prompt: 2, cached: 1, completion: 0 })).toBe(6);
  });
});

describe("the models", () => {
  const everyModel = { q: "", provider: "", mode: "", context: 0, isPricedOnly: false };
  const sample = { prompt: 1, cached: 0, completion: 0 };

  it("are in the order of the price of the request, those without one last, and none is lost", () => {
    const priced = fc.option(rate, { nil: undefined });
    fc.assert(
      fc.property(fc.array(priced), (rates) => {
        const models = rates.map((one, position) =>
          modelOf({ id: `p/${position}`, ...(one !== undefined && { input_cost_per_token: one }) }),
        );
        const prices = findModels(models, everyModel, sample).map((model) => priceOf(model, sample) ?? Infinity);
        expect(prices).toEqual([...prices].sort((one, other) => one - other));
        expect(prices).toHaveLength(models.length);
      }),
    );
  });

  it("are narrowed by name, provider, kind, context and price together", () => {
    const models = [
      modelOf({ id: "a/long", provider: "a", mode: "chat", context_length: 200_000 }),
      modelOf({ id: "a/short", provider: "a", mode: "chat", context_length: 8_000 }),
      modelOf({ id: "b/long", provider: "b", mode: "embedding", is_priced: false }),
    ];
    const ids = (filter: Partial<typeof everyModel>) =>
      findModels(models, { ...everyModel, ...filter }, sample).map(({ id }) => id);
    expect(ids({ q: "LONG" })).toEqual(["a/long", "b/long"]);
    expect(ids({ provider: "a", context: 128_000 })).toEqual(["a/long"]);
    expect(ids({ mode: "embedding" })).toEqual(["b/long"]);
    expect(ids({ isPricedOnly: true })).toEqual(["a/long", "a/short"]);
  });
});

describe("the limits of a form", () => {
  const before: Limits = {
    budgets: [
      { max_limit: 20, reset_duration: "1M", calendar_aligned: true, enforcement: "soft" },
      { max_limit: 3, reset_duration: "1d" },
    ],
    rate_limits: [
      { token_max_limit: 9, token_reset_duration: "1m" },
      { request_max_limit: 5, request_reset_duration: "1h", token_max_limit: 8, token_reset_duration: "1d" },
    ],
  };

  it("that nobody has touched are not sent", () => {
    expect(toLimits(toDraft(before), before)).toEqual({});
    expect(toLimits(toDraft({ budgets: [], rate_limits: [] }), { budgets: [], rate_limits: [] })).toEqual({});
  });

  it("change what they show and leave the rest as it was", () => {
    const budgets = toLimits({ ...toDraft(before), budget: "30" }, before);
    expect(budgets).toEqual({
      budgets: [
        { max_limit: 30, reset_duration: "1M", calendar_aligned: true, enforcement: "soft" },
        { max_limit: 3, reset_duration: "1d", calendar_aligned: false, enforcement: "hard" },
      ],
    });
    expect(toLimits({ ...toDraft(before), requests: "" }, before)).toEqual({
      rate_limits: [
        { token_max_limit: 8, token_reset_duration: "1d" },
        { token_max_limit: 9, token_reset_duration: "1m" },
      ],
    });
  });

  it("are taken away where the field is empty, and said in a few words", () => {
    const only: Limits = { budgets: [{ max_limit: 1, reset_duration: "1d" }], rate_limits: [] };
    expect(toLimits({ ...toDraft(only), budget: "" }, only)).toEqual({ budgets: [] });
    expect(limitsInWords(before)).toBe("$20 / 1M, $3 / 1d, 5 / 1h");
  });
});
