import { describe, expect, it } from "vitest";
import { catalogue } from "../../../../adapters/prices/catalogue/index.ts";

const now = Date.parse("2026-11-20T12:00:00Z");
const prices = catalogue();
const inputOf = (provider: string, model: string, { at = now } = {}) =>
  prices.find(provider, model, at)?.rates?.input_cost_per_token;

describe("a look-up", () => {
  it("finds a model by its own name, with what is known of it", () => {
    expect(prices.find("openai", "gpt-4o", now)).toMatchObject({
      provider: "openai",
      model: "gpt-4o",
      mode: "chat",
      context_length: 128_000,
      max_output_tokens: 16_384,
      input_modalities: ["text", "image", "file"],
      supported_parameters: expect.arrayContaining(["tools"]),
      rates: { input_cost_per_token: 2.5e-6, output_cost_per_token: 1e-5, cache_read_input_token_cost: 1.25e-6 },
    });
  });

  it.each([
    ["openai", "gpt-4o-2024-08-06", "gpt-4o"],
    ["openai", "GPT-4o", "gpt-4o"],
    ["openai", "gpt-5-mini-2025-08-07", "gpt-5-mini"],
    ["openai", "gpt-4.1-2099-01-01", "gpt-4.1"],
    ["anthropic", "claude-sonnet-4-5-20250929", "claude-sonnet-4-5"],
    ["anthropic", "claude-opus-4-6-latest", "claude-opus-4-6"],
    ["gemini", "models/gemini-2.5-flash", "gemini-2.5-flash"],
    ["gemini", "gemini-2.5-pro-001", "gemini-2.5-pro"],
    ["mistral", "codestral-mamba", "codestral-mamba-latest"],
    ["vertex", "gemini-2.5-pro@default", "gemini-2.5-pro"],
    ["fireworks", "deepseek-v3p1", "accounts/fireworks/models/deepseek-v3p1"],
    ["bedrock", "ca.anthropic.claude-3-haiku-20240307-v1:0", "anthropic.claude-3-haiku-20240307-v1:0"],
  ])("finds %s/%s as %s", (provider, asked, found) => expect(prices.find(provider, asked, now)?.model).toBe(found));

  it("gives a dated name its own price where it has one", () => {
    expect([inputOf("openai", "gpt-4o-2024-05-13"), inputOf("openai", "gpt-4o")]).toEqual([5e-6, 2.5e-6]);
  });

  it.each([
    ["openai", "gpt-4o-banana"],
    ["openai", ""],
    ["openai", "-latest"],
    ["openai", "__proto__"],
    ["nowhere", "gpt-4o"],
    ["__proto__", "gpt-4o"],
    ["openrouter", "openai/gpt-4o:nitro"],
  ])("does not guess: %s/%s is unknown", (provider, model) =>
    expect(prices.find(provider, model, now)).toBeUndefined(),
  );

  it("knows a model without a price as just that", () => {
    const nvidia = prices.list(now, "nvidia").filter(({ rates }) => rates === undefined);
    expect(nvidia.length).toBeGreaterThan(10);
    expect(nvidia[0]).not.toHaveProperty("rates");
  });

  it("gives the same object as long as nothing changes", () => {
    expect(prices.find("openai", "gpt-4o", now)).toBe(prices.find("openai", "gpt-4o", now + 1));
    expect(prices.find("openai", "gpt-4o-2024-08-06", now)?.rates).toBe(prices.find("openai", "gpt-4o", now)?.rates);
  });

  it("gives facts that nobody can change", () => {
    const facts = prices.find("openai", "gpt-4o", now);
    expect(Object.isFrozen(facts) && Object.isFrozen(facts?.rates) && Object.isFrozen(facts?.input_modalities)).toBe(
      true,
    );
  });

  it("stays right when more names are asked for than it remembers", () => {
    for (let n = 0; n < 10_000; n += 1) prices.find("openai", `never-${n}`, now);
    expect(inputOf("openai", "gpt-4o")).toBe(2.5e-6);
  });
});

describe("prices in time", () => {
  const at = (time: string) => Date.parse(time);

  it("change on their first day", () => {
    expect(inputOf("openai", "gpt-5.6-luna", { at: at("2026-07-29T23:59:59.999Z") })).toBe(1e-6);
    expect(inputOf("openai", "gpt-5.6-luna", { at: at("2026-07-30T00:00:00Z") })).toBe(2e-7);
    expect(inputOf("gemini", "gemini-3.8-flash", { at: at("2027-01-01T00:00:00Z") })).toBe(1.5e-6);
  });

  it.each([
    ["2026-11-18T00:59:59.999Z", 1.5e-7, "before the peak of a Wednesday"],
    ["2026-11-18T01:00:00Z", 3e-7, "the first peak"],
    ["2026-11-18T03:59:59.999Z", 3e-7, "its end"],
    ["2026-11-18T04:00:00Z", 1.5e-7, "between the peaks"],
    ["2026-11-18T06:00:00Z", 3e-7, "the second peak"],
    ["2026-11-18T10:00:00Z", 1.5e-7, "after it"],
    ["2026-11-21T02:00:00Z", 1.5e-7, "a Saturday"],
  ])("follow the vendor's hours: %s", (time, dollars) =>
    expect(inputOf("deepseek", "deepseek-flash", { at: at(time) })).toBe(dollars),
  );

  it("are unknown before the vendor had any", () => {
    const early = prices.find("deepseek", "deepseek-flash", at("2026-01-01"));
    expect(early).toMatchObject({ context_length: 1_000_000 });
    expect(early).not.toHaveProperty("rates");
  });
});

describe("the list", () => {
  it("has every model once, under its own name, and each is found by it", () => {
    const all = prices.list(now);
    expect(all.length).toBeGreaterThan(2_000);
    expect(new Set(all.map(({ provider, model }) => `${provider}/${model}`)).size).toBe(all.length);
    for (const facts of all) expect(prices.find(facts.provider, facts.model, now)).toBe(facts);
  });

  it.each([
    "openai",
    "anthropic",
    "gemini",
    "groq",
    "mistral",
    "deepseek",
    "xai",
    "openrouter",
    "together",
    "fireworks",
    "perplexity",
    "cerebras",
    "deepinfra",
    "azure",
    "cohere",
    "voyage",
    "bedrock",
    "vertex",
  ])("has priced models of %s", (provider) => {
    expect(prices.list(now, provider).some(({ rates }) => (rates?.input_cost_per_token ?? 0) > 0)).toBe(true);
  });

  it("has no free model that does not say so in its name", () => {
    const free = prices.list(now).filter(({ rates }) => rates && !Object.values(rates).some((rate) => rate !== 0));
    const names = free.map(({ provider, model }) => `${provider}/${model}`);
    expect(names.filter((name) => !/free$/.test(name))).toEqual([
      "local/bm25",
      "local/echo",
      "local/hybrid",
      "local/minilm-l6-v2",
    ]);
  });

  it("knows that the echo costs nothing, under whatever name it is served", () => {
    const rates = { input_cost_per_token: 0, output_cost_per_token: 0 };
    expect(prices.find("local", "echo", now)?.rates).toEqual(rates);
    expect(catalogue({ like: { mine: "local" } }).find("mine", "echo", now)?.rates).toEqual(rates);
  });
});
