import { expect, it } from "vitest";
import { catalogue } from "../../../../adapters/prices/catalogue/index.ts";

it.each([
  ["ibm/granite-4-h-small", 0.0636e-6, 0.265e-6],
  ["openai/gpt-oss-120b", 0.159e-6, 0.636e-6],
  ["meta-llama/llama-3-3-70b-instruct", 0.7526e-6, 0.7526e-6],
])("%s of watsonx has the price of its own name", (model, input, output) => {
  const found = catalogue().find("watsonx", model, Date.UTC(2026, 10, 26));
  expect(found?.rates?.input_cost_per_token).toBeCloseTo(input, 12);
  expect(found?.rates?.output_cost_per_token).toBeCloseTo(output, 12);
});

it("a file of LiteLLM's form names its models as the vendor does", () => {
  const entry = { litellm_provider: "watsonx", mode: "chat", input_cost_per_token: 1e-6, output_cost_per_token: 2e-6 };
  const prices = catalogue({ overrides: { "watsonx/ibm/granite-9": entry } });
  expect(prices.find("watsonx", "ibm/granite-9", 0)?.rates).toMatchObject({ input_cost_per_token: 1e-6 });
});
