import { describe, expect, it } from "vitest";
import { catalogue } from "../../../../adapters/prices/catalogue/index.ts";
import { priceUsage } from "../../../../src/engine/metering/cost.ts";
import { boundCost } from "../../../../src/engine/metering/cost-bound.ts";
import { boundChat } from "../../../../src/engine/metering/usage-bound.ts";

const now = Date.parse("2026-11-20T12:00:00Z");
const prices = catalogue();

function costOf(
  name: string,
  [prompt, completion]: readonly [number, number],
  more: { serviceTier?: string; audio?: number } = {},
) {
  const slash = name.indexOf("/");
  const rates = prices.find(name.slice(0, slash), name.slice(slash + 1), now)?.rates ?? {};
  const usage = {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: { audio_tokens: more.audio ?? 0 },
  };
  return priceUsage({ usage, serviceTier: more.serviceTier }, rates)?.cost.total_cost;
}

describe("service tiers", () => {
  it.each([
    ["bedrock/openai.gpt-oss-120b-1:0", "flex", 0.5 * 0.00075],
    ["bedrock/openai.gpt-oss-120b-1:0", "priority", 1.75 * 0.00075],
    ["gemini/gemini-3.5-flash", "priority", 1.8 * 0.0105],
    ["gemini/gemini-3-flash-preview", "priority", 1.8 * 0.0035],
    ["gemini/gemini-3.1-pro-preview", "priority", 1.8 * 0.014],
    ["gemini/gemini-2.5-flash", "flex", 0.5 * 0.0028],
    ["openai/gpt-5.6", "priority", 0.048],
    ["openai/gpt-6-luna", "decisions", 0.0001],
    ["anthropic/claude-sonnet-4-6", "batch", 0.5 * 0.018],
  ])("%s served as %s costs $%d", (name, serviceTier, dollars) =>
    expect(costOf(name, [1_000, 1_000], { serviceTier })).toBeCloseTo(dollars, 9),
  );

  it("that are only served when asked for are dearer than the standard one", () => {
    const standard = costOf("openai/gpt-6-astra", [1_000, 1_000]) ?? 0;
    expect(costOf("openai/gpt-6-astra", [1_000, 1_000], { serviceTier: "ultrafast" })).toBeGreaterThan(standard);
  });
});

describe("a hard budget", () => {
  const reserve = (model: string, serviceTier?: string) => {
    const facts = prices.find("openai", model, now);
    const bound = boundChat({ model, messages: [{ role: "user", content: "x" }], max_completion_tokens: 100 }, facts);
    return boundCost(bound, facts?.rates ?? {}, serviceTier)?.hard ?? 0;
  };

  it("holds the price of a tier that is served on request only when it is requested", () => {
    expect(reserve("gpt-6-astra", "ultrafast")).toBeGreaterThan(reserve("gpt-6-astra"));
  });

  it("holds the fee of a model that searches for every answer", () =>
    expect(reserve("gpt-5-search-api")).toBeGreaterThan(10_000_000));
});

describe("a spelling that a poorer list has", () => {
  it("hides no long-context price", () =>
    expect(costOf("vertex/gemini-3.1-pro-preview-customtools", [300_000, 1_000])).toBeCloseTo(1.218, 9));
  it("hides no audio price", () =>
    expect(costOf("gemini/gemini-2.5-flash-lite-preview-09-2025", [9_000, 0], { audio: 6_000 })).toBeCloseTo(
      0.0021,
      9,
    ));
  it("makes up no long-context price", () =>
    expect(costOf("vertex/claude-opus-4-6", [300_000, 1_000])).toBeCloseTo(1.525, 9));
});

describe("a model that searches for every answer", () => {
  it.each([
    ["openai/gpt-4o-search-preview", 0.02625],
    ["openai/gpt-5-search-api", 0.011125],
  ])("has the fee of %s in every bill", (name, dollars) => expect(costOf(name, [100, 100])).toBeCloseTo(dollars, 9));
});
