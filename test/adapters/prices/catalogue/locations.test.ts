import { describe, expect, it } from "vitest";
import { catalogue } from "../../../../adapters/prices/catalogue/index.ts";

const now = Date.parse("2026-11-20T12:00:00Z");
const prices = catalogue();
const rateOf = (provider: string, model: string, rate = "input_cost_per_token") =>
  prices.find(provider, model, now)?.rates?.[rate];

describe("the location in a model's name", () => {
  it.each([
    ["anthropic.claude-sonnet-5-5", 2e-6],
    ["anthropic.claude-haiku-4-5-20251001-v1:0", 1e-6],
    ["anthropic.claude-opus-4-5-20251101-v1:0", 5e-6],
    ["anthropic.claude-sonnet-4-6", 3e-6],
  ])("costs 10 %% more in a region and in a geography of Bedrock, 20 %% in GovCloud: %s", (model, global) => {
    expect(rateOf("bedrock", `global.${model}`)).toBe(global);
    for (const name of [
      model,
      ...["us", "eu", "apac", "jp", "au"].map((geo) => `${geo}.${model}`),
      `eu-west-1/${model}`,
    ])
      expect([name, rateOf("bedrock", name)]).toEqual([name, expect.closeTo(global * 1.1, 14)]);
    for (const name of [`us-gov.${model}`, `us-gov-west-1/${model}`])
      expect([name, rateOf("bedrock", name)]).toEqual([name, expect.closeTo(global * 1.2, 14)]);
  });

  it("is in every rate of tokens, and in no fee", () => {
    const inGeography = prices.find("bedrock", "apac.anthropic.claude-haiku-5-5", now)?.rates;
    expect(inGeography).toMatchObject({
      cache_read_input_token_cost: 1.1e-8,
      input_cost_per_token_above_100k_tokens: 5.5e-7,
      search_context_cost_per_query: prices.find("bedrock", "global.anthropic.claude-haiku-5-5", now)?.rates
        ?.search_context_cost_per_query,
    });
  });

  it("of an undated or dated name is understood in either spelling", () => {
    expect(rateOf("bedrock", "us-gov.anthropic.claude-sonnet-4-5-20250929-v1:0")).toBe(3.6e-6);
    expect(rateOf("bedrock", "us-gov.anthropic.claude-sonnet-4-5")).toBe(3.6e-6);
    expect(
      rateOf("bedrock", "arn:aws:bedrock:us-east-1:1:inference-profile/us.anthropic.claude-sonnet-4-5-20250929-v1:0"),
    ).toBe(3.3e-6);
  });

  it.each([
    ["bedrock", "eu.amazon.nova-2-lite-v1:0", 4.29e-7, "listed, because it does not follow the rule"],
    ["bedrock", "eu-west-2/nvidia.nemotron-super-3-120b", 2.3e-7, "a region with a price of its own"],
    ["bedrock", "us-gov.nvidia.nemotron-super-3-120b", 1.8e-7, "GovCloud, whatever the vendor"],
    ["bedrock", "us.anthropic.claude-sonnet-4-20250514-v1:0", 3e-6, "older models cost the same everywhere"],
    ["azure", "eu/gpt-5", 1.375e-6, "a data zone"],
    ["azure", "us/gpt-6-sol", 2.2e-6, "a data zone"],
    ["azure", "eu/gpt-6-sol", 2.4e-6, "a data zone of a model that costs 20 % more there"],
    ["azure", "global/gpt-5", 1.25e-6, "the global deployment"],
    ["vertex", "europe-west1/claude-sonnet-4-6", 3.3e-6, "Claude outside the global endpoint"],
    ["vertex", "global/claude-sonnet-4-6", 3e-6, "the global endpoint"],
    ["vertex", "europe-west1/gemini-2.5-pro", 1.25e-6, "Gemini costs the same everywhere"],
    ["anthropic", "us/claude-opus-4-6", 5.5e-6, "inference_geo"],
    ["anthropic", "us/claude-opus-4-5", 5e-6, "older than inference_geo"],
    ["openai", "eu/gpt-5.4", 2.75e-6, "regional processing"],
    ["openai", "eu/gpt-4.1", 2e-6, "older than the regional price"],
  ])("%s/%s costs %d: %s", (provider, model, dollars) => expect(rateOf(provider, model)).toBeCloseTo(dollars, 14));

  it("is named with the price, so that the name finds it again", () => {
    const facts = prices.find("bedrock", "US-GOV.anthropic.claude-sonnet-5-5", now);
    expect(facts?.model).toBe("us-gov.anthropic.claude-sonnet-5-5");
    expect(prices.find("bedrock", "us-gov.anthropic.claude-sonnet-5-5", now)).toBe(facts);
  });

  it("leaves overrides of the model to all its locations", () => {
    const own = catalogue({ overrides: { "bedrock/anthropic.claude-sonnet-5-5": { output_cost_per_token: 1e-6 } } });
    for (const name of ["us-gov.anthropic.claude-sonnet-5-5", "eu.anthropic.claude-sonnet-5-5"])
      expect(own.find("bedrock", name, now)?.rates?.output_cost_per_token).toBe(1e-6);
  });

  it("is read as that of the vendor for a provider that sells alike", () => {
    const own = catalogue({ like: { "my-aws": "bedrock" } });
    expect(own.find("my-aws", "eu.anthropic.claude-sonnet-5-5", now)).toMatchObject({
      provider: "my-aws",
      rates: { input_cost_per_token: 2.2e-6 },
    });
  });
});
