import { describe, expect, it } from "vitest";
import { catalogue } from "../../../../adapters/prices/catalogue/index.ts";
import { isGatewayError } from "../../../../src/engine/errors.ts";

const now = Date.parse("2026-11-20T12:00:00Z");
const luna = { litellm_provider: "openai", mode: "chat", input_cost_per_token: 2e-7, output_cost_per_token: 5e-7 };

describe("a common price map as it ships", () => {
  const map = {
    sample_spec: { litellm_provider: "one of …", mode: "one of: chat, embedding" },
    fallback_generalizations: { rules: [{ name: "some-ids", pattern: "^x" }] },
    version: "2026-11",
    "gpt-6-luna": {
      ...luna,
      input_cost_per_token_decisions: 1e-7,
      output_cost_per_token_decisions: 0,
      output_cost_of_next_month: { by: "the moon" },
      input_cost_per_thought: 1e-9,
      input_cost_per_audio_token: null,
      a_field_of_next_month: true,
    },
  };

  it("is taken without its entries that are no model", () => {
    const rates = catalogue({ overrides: map }).find("openai", "gpt-6-luna", now)?.rates;
    expect(rates).toEqual({
      input_cost_per_token: 2e-7,
      output_cost_per_token: 5e-7,
      input_cost_per_token_decisions: 1e-7,
      output_cost_per_token_decisions: 0,
      input_cost_per_thought: 1e-9,
    });
  });

  it("says in one warning what is not used", () => {
    const { warnings } = catalogue({ overrides: map });
    expect(warnings).toHaveLength(1);
    for (const name of ["fallback_generalizations", "version", "output_cost_of_next_month", "input_cost_per_thought"])
      expect(warnings[0]).toContain(name);
    expect(warnings[0]).not.toMatch(/sample_spec|decisions|a_field/);
  });

  it("is taken in silence where everything is used", () => {
    expect(catalogue({ overrides: { "gpt-6-luna": luna } }).warnings).toEqual([]);
    expect(catalogue().warnings).toEqual([]);
  });

  it("counts what is too much to name", () => {
    const rates = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`new_cost_${n}`, 1e-6]));
    expect(catalogue({ overrides: { "gpt-6-luna": { ...luna, ...rates } } }).warnings[0]).toMatch(/and 22 more\.$/);
  });

  it.each([
    ["a known rate that is no price", { "gpt-6-luna": { ...luna, output_cost_per_token: "free" } }],
    ["a model of nobody", { "gpt-6-luna": luna, "gpt-7": { input_cost_per_token: 1e-6 } }],
  ])("is refused for %s", (_, overrides) => {
    expect(() => catalogue({ overrides })).toThrow(
      expect.toSatisfy((error) => isGatewayError(error) && error.code === "invalid_configuration"),
    );
  });
});

describe("a file in the format of models.dev", () => {
  const file = {
    "amazon-bedrock": { id: "amazon-bedrock", models: { "acme.one-v1:0": { cost: { input: 0.1, output: 0.4 } } } },
    google: {
      id: "google",
      models: {
        "gemini-9": {
          cost: { input: 1.25, output: 10, cache_read: 0.31, context_over_200k: { input: 2.5, output: 15 } },
          limit: { context: 1_048_576, output: 65_536 },
        },
        "gemini-free-of-prices": { limit: { context: 1 } },
      },
    },
  };

  it("gives prices under our providers' names", () => {
    const own = catalogue({ overrides: file });
    expect(own.find("bedrock", "acme.one-v1:0", now)?.rates).toEqual({
      input_cost_per_token: 1e-7,
      output_cost_per_token: 4e-7,
    });
    expect(own.find("gemini", "gemini-9", now)).toMatchObject({
      context_length: 1_048_576,
      max_output_tokens: 65_536,
      rates: {
        input_cost_per_token: 1.25e-6,
        output_cost_per_token: 1e-5,
        cache_read_input_token_cost: 3.1e-7,
        input_cost_per_token_above_200k_tokens: 2.5e-6,
        output_cost_per_token_above_200k_tokens: 1.5e-5,
      },
    });
    expect(own.find("gemini", "gemini-free-of-prices", now)).toBeUndefined();
    expect(own.warnings).toEqual([]);
  });
});
