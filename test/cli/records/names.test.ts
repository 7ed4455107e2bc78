import { describe, expect, it } from "vitest";
import { catalogue } from "../../../adapters/prices/catalogue/index.ts";
import { bareName, spellingsOf } from "../../../src/engine/routing/model-spelling.ts";

const now = Date.parse("2026-11-20T12:00:00Z");
const prices = catalogue();
const ratesOf = (name: string) =>
  prices.find(name.slice(0, name.indexOf("/")), name.slice(name.indexOf("/") + 1), now)?.rates;
const priceOf = (name: string) => {
  const rates = ratesOf(name);
  return [rates?.input_cost_per_token, rates?.output_cost_per_token];
};

describe("vendors' own spellings", () => {
  it.each([
    ["vertex/claude-sonnet-5", 2e-6, 1e-5],
    ["vertex/claude-sonnet-5@default", 2e-6, 1e-5],
    ["vertex/claude-haiku-4-5", 1e-6, 5e-6],
    ["vertex/claude-haiku-4-5@20251001", 1e-6, 5e-6],
    ["vertex/claude-opus-4-5", 5e-6, 2.5e-5],
    ["vertex/publishers/anthropic/models/claude-opus-4-5", 5e-6, 2.5e-5],
    ["vertex/google/gemini-2.5-flash", 3e-7, 2.5e-6],
    ["gemini/models/gemini-flash-latest", 7.5e-7, 3.75e-6],
    ["openai/ft:gpt-4o-2024-08-06:org:name:id", 3.75e-6, 1.5e-5],
    ["openai/ft:gpt-4o-mini-2024-07-18:org::id", 3e-7, 1.2e-6],
    ["openai/ft:gpt-4.1-mini-2025-04-14:org::id", 8e-7, 3.2e-6],
    ["openai/ft:gpt-4.1-mini-2025-04-14:org::id:ckpt-step-90", 8e-7, 3.2e-6],
    ["anthropic/claude-mythos-5-1", 1e-5, 5e-5],
    ["mistral/magistral-small-latest", 1.5e-7, 6e-7],
    ["mistral/mistral-medium", 1.5e-6, 7.5e-6],
  ])("%s costs %d and %d", (name, input, output) => expect(priceOf(name)).toEqual([input, output]));

  it("are tried on as well as off: an undated name finds the model that is listed by its date only", () => {
    const line = { "acme/big-20250101": { input_cost_per_token: 1e-6 } };
    expect(catalogue({ overrides: line }).find("acme", "big", now)).toBeUndefined(); // overrides mean what they say
    const dated = prices.list(now, "openai").find(({ model }) => /^ft:.*-\d{4}-\d\d-\d\d$/.test(model));
    const undated = dated?.model.replace(/-\d{4}-\d\d-\d\d$/, "") ?? "";
    expect(prices.find("openai", undated, now)?.rates).toBe(dated?.rates);
  });

  it.each([
    ["cohere/rerank-v4.0-pro", "input_cost_per_query"],
    ["cohere/embed-v5.0-pro", "input_cost_per_token"],
    ["voyage/rerank-2.5", "input_cost_per_token"],
    ["voyage/voyage-code-4", "input_cost_per_token"],
    ["azure/Microsoft-Decision-1", "input_cost_per_token"],
    ["mistral/mistral-ocr-latest", "ocr_cost_per_page"],
  ])("%s has its %s", (name, rate) => expect(ratesOf(name)?.[rate]).toBeGreaterThan(0));

  it("of a fine-tune never end at the price of the model that it was made from", () => {
    expect(prices.find("openai", "ft:gpt-5-unheard-of:org::id", now)).toBeUndefined();
  });

  it("keep what changes the price", () => {
    expect([...spellingsOf("openrouter", "Openai/GPT-4o:free")]).toEqual([
      "openai/gpt-4o:free",
      "openai/gpt-4o:free-latest",
    ]);
    expect(bareName("openai", "gpt-5-mini-2025-08-07")).toBe("gpt-5-mini");
    expect(bareName("bedrock", "anthropic.claude-sonnet-4-5-20250929-v1:0")).toBe("anthropic.claude-sonnet-4-5");
  });
});
