import { describe, expect, it } from "vitest";
import { testModels } from "../../../src/policy/pattern.ts";
import { parseModelName } from "../../../src/route/model-name.ts";

function isAllowed(name: string, allowed: readonly string[], blocked: readonly string[] = []): boolean {
  return testModels(allowed, blocked)(parseModelName(name) ?? { provider: "", model: "" });
}

describe("model patterns", () => {
  it.each([
    ["openai/gpt-5", ["*"]],
    ["openai/gpt-5", ["gpt-5"]],
    ["openai/gpt-5", ["openai/gpt-5"]],
    ["openai/gpt-5", ["openai/*"]],
    ["openrouter/meta-llama/llama-4", ["meta-llama/llama-4"]],
    ["openrouter/meta-llama/llama-4", ["openrouter/meta-llama/llama-4"]],
    ["openrouter/meta-llama/llama-4", ["openrouter/*"]],
    ["openrouter/meta-llama/llama-4", ["openrouter/meta-llama/*"]],
    ["openai/gpt-5", ["gpt-4", "anthropic/*", "gpt-5"]],
  ])("%s is allowed by %j", (name, allowed) => {
    expect(isAllowed(name, allowed)).toBe(true);
  });

  it.each([
    ["openai/gpt-5", []],
    ["openai/gpt-5", ["gpt"]],
    ["openai/gpt-5", ["GPT-5"]],
    ["openai/gpt-5-mini", ["gpt-5"]],
    ["openai/gpt-5", ["anthropic/*"]],
    ["openai/gpt-5", ["anthropic/gpt-5"]],
    ["openai2/gpt-5", ["openai/*"]],
    ["openrouter/openai/gpt-5", ["openai/*"]],
    ["openrouter/meta-llama2/llama-4", ["openrouter/meta-llama/*"]],
  ])("%s is not allowed by %j", (name, allowed) => {
    expect(isAllowed(name, allowed)).toBe(false);
  });

  it.each([["gpt-5"], ["openai/gpt-5"], ["openai/*"], ["*"]])(
    "what is blocked by %s is blocked, whatever allows it",
    (blocked) => {
      expect(isAllowed("openai/gpt-5", ["*", "gpt-5", "openai/gpt-5"], [blocked])).toBe(false);
    },
  );

  it("blocks nothing else", () => {
    expect(isAllowed("openai/gpt-5-mini", ["*"], ["gpt-5", "anthropic/*"])).toBe(true);
  });
});
