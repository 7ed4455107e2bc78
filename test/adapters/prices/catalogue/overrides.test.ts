import { describe, expect, it } from "vitest";
import { catalogue } from "../../../../adapters/prices/catalogue/index.ts";
import { isGatewayError } from "../../../../src/engine/errors.ts";
import { unbilledNames } from "../../support/unbilled-names.ts";

const now = Date.parse("2026-11-20T12:00:00Z");
const prices = catalogue();
const inputOf = (provider: string, model: string, { at = now, of = prices } = {}) =>
  of.find(provider, model, at)?.rates?.input_cost_per_token;

describe("overrides", () => {
  const withOverrides = (overrides: Record<string, unknown>) => catalogue({ overrides });
  const refused = (overrides: Record<string, unknown>) => {
    try {
      return void withOverrides(overrides);
    } catch (error) {
      return isGatewayError(error) ? { code: error.code, param: error.param } : error;
    }
  };

  it("with an input and an output rate are a whole price", () => {
    const own = withOverrides({ "openai/gpt-4o": { input_cost_per_token: 1e-6, output_cost_per_token: 2e-6 } });
    expect(own.find("openai", "gpt-4o", now)).toMatchObject({ context_length: 128_000 });
    expect(own.find("openai", "gpt-4o", now)?.rates).toEqual({
      input_cost_per_token: 1e-6,
      output_cost_per_token: 2e-6,
    });
  });

  it.each(["input_cost_per_token", "output_cost_per_token"])(
    "with %s alone change that rate, and none goes missing",
    (name) => {
      const known = prices.find("openai", "gpt-4o", now)?.rates;
      const own = withOverrides({ "openai/gpt-4o": { [name]: 1e-6 } });
      expect(own.find("openai", "gpt-4o", now)?.rates).toEqual({ ...known, [name]: 1e-6 });
      expect(known).toHaveProperty("cache_read_input_token_cost");
    },
  );

  it("without either change single rates and facts", () => {
    const own = withOverrides({ "openai/gpt-4o": { cache_read_input_token_cost: 1e-7, max_output_tokens: 99 } });
    expect(own.find("openai", "gpt-4o", now)).toMatchObject({
      max_output_tokens: 99,
      rates: { input_cost_per_token: 2.5e-6, cache_read_input_token_cost: 1e-7 },
    });
  });

  it("limit the prompt without making the window smaller", () => {
    const own = withOverrides({
      "openai/gpt-5": { max_input_tokens: 272_000 },
      "acme/one": { max_input_tokens: 8_000 },
    });
    expect(own.find("openai", "gpt-5", now)).toMatchObject({ context_length: 400_000, max_input_tokens: 272_000 });
    expect(own.find("acme", "one", now)).toMatchObject({ context_length: 8_000, max_input_tokens: 8_000 });
  });

  it("hold for the dated names of their model, unless these have their own", () => {
    const own = withOverrides({
      "openai/gpt-4o": { input_cost_per_token: 1e-6 },
      "openai/gpt-4o-2024-08-06": { input_cost_per_token: 3e-6 },
    });
    const asked = ["gpt-4o", "gpt-4o-2024-11-20", "GPT-4O-2024-08-06"].map((model) =>
      inputOf("openai", model, { of: own }),
    );
    expect(asked).toEqual([1e-6, 1e-6, 3e-6]);
  });

  it("may be patterns, of which the closest holds", () => {
    const own = withOverrides({
      "ollama/*": { input_cost_per_token: 0, output_cost_per_token: 0 },
      "ollama/big-*": { input_cost_per_token: 2e-6 },
      "ollama/big-one": { input_cost_per_token: 3e-6 },
    });
    expect(["small", "big-two", "big-one"].map((model) => inputOf("ollama", model, { of: own }))).toEqual([
      0, 2e-6, 3e-6,
    ]);
    expect(inputOf("openai", "gpt-4o", { of: own })).toBe(2.5e-6);
  });

  it.each(["openai/*-mini", "*/gpt-4o", "open*ai/gpt-4o"])(
    "are refused where a star would match nothing: %s",
    (name) => {
      expect(refused({ [name]: { input_cost_per_token: 1e-6 } })).toEqual({
        code: "invalid_configuration",
        param: `prices.${name}`,
      });
    },
  );

  it("may change on a day", () => {
    const own = withOverrides({
      "acme/one": [
        { input_cost_per_token: 2e-6, effective_from: "2026-12-01" },
        { input_cost_per_token: 1e-6, effective_from: "2026-11-01" },
      ],
    });
    const days = ["2026-10-31", "2026-11-30", "2026-12-01"].map((day) =>
      inputOf("acme", "one", { at: Date.parse(day), of: own }),
    );
    expect(days).toEqual([undefined, 1e-6, 2e-6]);
    expect(own.find("acme", "one", Date.parse("2026-10-31"))).toBeUndefined();
  });

  it("that hold from a day on leave the price until then to the next closest", () => {
    const from = (day: string, rate: number) => [{ input_cost_per_token: rate, effective_from: day }];
    const own = withOverrides({
      "acme/*": { input_cost_per_token: 1e-6 },
      "acme/big-*": from("2026-12-01", 2e-6),
      "acme/big-one": from("2027-01-01", 3e-6),
    });
    const days = ["2026-11-30", "2026-12-31", "2027-01-01"].map((day) => Date.parse(day));
    expect(days.map((at) => inputOf("acme", "big-one", { at, of: own }))).toEqual([1e-6, 2e-6, 3e-6]);
    expect(days.map((at) => inputOf("acme", "big-two", { at, of: own }))).toEqual([1e-6, 2e-6, 2e-6]);
  });

  it("loads a file in the common per-token map format as it is", () => {
    const own = withOverrides({
      sample_spec: { max_tokens: "LEGACY parameter", input_cost_per_token: 0, litellm_provider: "one of many" },
      "gpt-4o": {
        litellm_provider: "openai",
        mode: "chat",
        max_tokens: 16_384,
        max_input_tokens: 128_000,
        input_cost_per_token: 2e-6,
        output_cost_per_token: 8e-6,
        input_cost_per_token_above_512k_tokens: 4e-6,
        search_context_cost_per_query: { search_context_size_low: 0.03, search_context_size_medium: 0.035 },
        supports_vision: true,
        supported_endpoints: ["/v1/chat/completions"],
        file_search_cost_per_1k_calls: 0.0025,
      },
      "vertex_ai/claude-sonnet-4": { litellm_provider: "vertex_ai-anthropic_models", input_cost_per_token: 3e-6 },
      "together_ai/meta/llama": { litellm_provider: "together_ai", input_cost_per_token: 1e-7 },
      "anthropic.claude-x-v1:0": { litellm_provider: "bedrock_converse", input_cost_per_token: 5e-6 },
      "rerank-v3.5": { litellm_provider: "cohere", mode: "rerank", input_cost_per_query: 0.002 },
    });
    expect(own.find("openai", "gpt-4o", now)).toMatchObject({
      max_output_tokens: 16_384,
      max_input_tokens: 128_000,
      rates: { output_cost_per_token: 8e-6, input_cost_per_token_above_512k_tokens: 4e-6 },
    });
    expect(unbilledNames(own.find("openai", "gpt-4o", now)?.rates ?? {})).toEqual(["file_search_cost_per_1k_calls"]);
    expect(inputOf("vertex", "claude-sonnet-4", { of: own })).toBe(3e-6);
    expect(inputOf("together", "meta/llama", { of: own })).toBe(1e-7);
    expect(inputOf("bedrock", "anthropic.claude-x-v1:0", { of: own })).toBe(5e-6);
    expect(own.find("cohere", "rerank-v3.5", now)).toMatchObject({
      mode: "rerank",
      rates: { input_cost_per_query: 0.002 },
    });
  });

  it.each<[string, Record<string, unknown>, string]>([
    [
      "a rate of the wrong type",
      { "openai/gpt-4o": { input_cost_per_token: "2.5" } },
      "prices.openai/gpt-4o.input_cost_per_token",
    ],
    [
      "a negative rate",
      { "openai/gpt-4o": { output_cost_per_token: -1 } },
      "prices.openai/gpt-4o.output_cost_per_token",
    ],
    ["a rate too small to be kept", { "a/b": { input_cost_per_token: 1e-14 } }, "prices.a/b.input_cost_per_token"],
    [
      "an unlisted tier of the wrong type",
      { "a/b": { input_cost_per_token_above_512k_tokens: "1" } },
      "prices.a/b.input_cost_per_token_above_512k_tokens",
    ],
    ["a size of the wrong type", { "a/b": { max_output_tokens: 1.5 } }, "prices.a/b.max_output_tokens"],
    ["a day that is none", { "a/b": { effective_from: "soon" } }, "prices.a/b.effective_from"],
    ["a day that no month has", { "a/b": { effective_from: "2026-02-31" } }, "prices.a/b.effective_from"],
    ["a list without a price", { "a/b": [] }, "prices.a/b"],
    ["an entry that is no object", { "a/b": 5 }, "prices.a/b"],
    [
      "a fee by size of the wrong type",
      { "a/b": { search_context_cost_per_query: { search_context_size_low: true } } },
      "prices.a/b.search_context_cost_per_query.search_context_size_low",
    ],
    ["a model of nobody", { "gpt-4o": { input_cost_per_token: 1e-6 } }, "prices.gpt-4o.litellm_provider"],
  ])("refuse %s, naming model and field", (_, overrides, param) => {
    expect(refused(overrides)).toEqual({ code: "invalid_configuration", param });
  });

  it("change the version, and only then", () => {
    const one = { "openai/gpt-4o": { input_cost_per_token: 1e-6 } };
    const versions = [
      withOverrides(one),
      withOverrides({ ...one }),
      withOverrides({ "openai/gpt-4o": { input_cost_per_token: 2e-6 } }),
      catalogue(),
    ];
    const [a, b, c, plain] = versions.map(({ version }) => version);
    expect(a).toBe(b);
    expect(new Set([a, c, plain]).size).toBe(3);
    expect(plain).toMatch(/^\d{4}-\d\d-\d\d\.[0-9a-f]{8}$/);
    expect(a?.startsWith(`${plain}+`)).toBe(true);
  });

  it("add their models to the list", () => {
    const own = withOverrides({ "acme/one": { input_cost_per_token: 1e-6 }, "acme/*": { input_cost_per_token: 0 } });
    expect(own.list(now, "acme").map(({ model }) => model)).toEqual(["one"]);
    expect(own.list(now).some(({ provider }) => provider === "acme")).toBe(true);
  });

  it("are not needed for a provider that sells at another's prices", () => {
    const own = catalogue({ like: { "my-azure": "openai" } });
    expect(own.find("my-azure", "gpt-4o", now)).toMatchObject({
      provider: "my-azure",
      rates: { input_cost_per_token: 2.5e-6 },
    });
  });
});
