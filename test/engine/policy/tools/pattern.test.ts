import { describe, expect, it } from "vitest";
import { testModels } from "../../../../src/engine/policy/model-pattern.ts";
import { parseModelName } from "../../../../src/engine/routing/model-name.ts";

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
    ["openai/gpt-5", ["GPT-5"]],
    ["openai/GPT-5", ["openai/gpt-*", "openai/gpt-5"]],
    ["gemini/models/gemini-2.5-pro", ["gemini-2.5-pro"]],
    ["openai/gpt-4o-2024-05-13", ["gpt-4o"]],
    ["openai/gpt-4o-latest", ["openai/gpt-4o"]],
    ["vertex/us-east5/claude-sonnet-4-5@20250929", ["claude-sonnet-4-5"]],
    ["bedrock/us.anthropic.claude-sonnet-4-5-20250929-v1:0", ["anthropic.claude-sonnet-4-5"]],
  ])("%s is allowed by %j", (name, allowed) => {
    expect(isAllowed(name, allowed)).toBe(true);
  });

  it.each([
    ["openai/gpt-5", []],
    ["openai/gpt-5", ["gpt"]],
    ["openai/gpt-5-mini", ["gpt-5"]],
    ["openai/gpt-4o-2024-05-13", ["gpt-4o-2024-08-06"]],
    ["openai/gpt-4o", ["gpt-4o-2024-08-06"]],
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

  it.each([
    ["openai/gpt-4o-2024-05-13", "gpt-4o"],
    ["openai/gpt-4o", "openai/gpt-4o-2024-08-06"], // behind the undated name may be the blocked one
    ["openai/GPT-4o-Latest", "gpt-4o"],
    ["gemini/models/Gemini-2.5-Pro", "gemini/gemini-2.5-pro"],
    ["bedrock/us.anthropic.claude-sonnet-4-5-20250929-v1:0", "anthropic.claude-sonnet-4-5-20250929-v1:0"],
  ])("%s is blocked by %s", (name, blocked) => {
    expect(isAllowed(name, ["*"], [blocked])).toBe(false);
  });

  it("blocks nothing else", () => {
    expect(isAllowed("openai/gpt-5-mini", ["*"], ["gpt-5", "anthropic/*"])).toBe(true);
    expect(isAllowed("openai/gpt-4o-2024-05-13", ["*"], ["gpt-4o-2024-08-06"])).toBe(true);
  });
});
