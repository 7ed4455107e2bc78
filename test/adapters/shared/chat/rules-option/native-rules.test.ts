import { describe, expect, it } from "vitest";
import { anthropic } from "../../../../../adapters/providers/anthropic/index.ts";
import { bedrock } from "../../../../../adapters/providers/bedrock/index.ts";
import { cohere } from "../../../../../adapters/providers/cohere/index.ts";
import { mistral } from "../../../../../adapters/providers/compatible/index.ts";
import { gemini } from "../../../../../adapters/providers/gemini/index.ts";
import { vertex } from "../../../../../adapters/providers/vertex/index.ts";
import { watsonx } from "../../../../../adapters/providers/watsonx/index.ts";
import type { ModelRulesOption } from "../../../../../adapters/shared/chat/rules-option.ts";
import type { ChatRequest } from "../../../../../src/engine/api/chat.ts";
import type { Transport, WireRequest } from "../../../../../src/engine/ports/transport.ts";
import { recordedCall } from "../../../../fixtures/native.ts";

interface Opening {
  readonly transport: Transport;
  readonly modelRules: ModelRulesOption;
}

const key = { apiKey: "k-0123456789" };
const makers = {
  anthropic: (of: Opening) => anthropic({ ...key, ...of }),
  bedrock: (of: Opening) => bedrock({ ...key, region: "eu-central-1", ...of }),
  cohere: (of: Opening) => cohere({ ...key, ...of }),
  gemini: (of: Opening) => gemini({ ...key, ...of }),
  mistral: (of: Opening) => mistral({ ...key, ...of }),
  vertex: (of: Opening) => vertex({ project: "p", location: "global", accessToken: "t", ...of }),
  watsonx: (of: Opening) => watsonx({ ...key, projectId: "p", ...of }),
};
type Vendor = keyof typeof makers;

/** What a model is sent for a request by the rules, and what the caller is told. */
async function sent(vendor: Vendor, model: string, { rules, ...request }: Partial<ChatRequest> & { rules: object }) {
  let body = {};
  const keep = ({ url, body: text }: WireRequest) => {
    if (!url.includes("iam.cloud")) body = JSON.parse(String(text));
    const token = JSON.stringify({ access_token: "t", expires_in: 3600 });
    return url.includes("iam.cloud") ? { status: 200, headers: {}, body: token } : undefined;
  };
  const refused = { status: 404, headers: { "content-type": "application/json" }, body: "{}" };
  const transport: Transport = {
    whole: async (wire) => keep(wire) ?? refused,
    stream: async () => Promise.reject(new Error("nothing streams here")),
    close: async () => {},
  };
  const call = recordedCall(model);
  const provider = makers[vendor]({ transport, modelRules: { [`${model.slice(0, 6)}*`]: rules } });
  await provider.chat?.({ model, messages: [{ role: "user", content: "Hi" }], ...request }, call).catch(() => {});
  return { body, warnings: call.warnings };
}

const xhigh = { reasoning: { effort: "xhigh" } } as const;

describe("what a model takes, by the configuration", () => {
  it.each<[Vendor, string, string, Partial<ChatRequest>, object, object]>([
    [
      "anthropic",
      "claude-opus-4-6",
      "xhigh",
      xhigh,
      { efforts: { xhigh: "xhigh" } },
      { output_config: { effort: "xhigh" } },
    ],
    [
      "anthropic",
      "claude-3-haiku",
      "a budget",
      { ...xhigh, max_tokens: 20_000 },
      { efforts: { xhigh: "9000" } },
      { thinking: { type: "enabled", budget_tokens: 9_000 } },
    ],
    [
      "anthropic",
      "claude-opus-9",
      "a temperature",
      { temperature: 0.4 },
      { parameters: { temperature: true } },
      { temperature: 0.4 },
    ],
    ["anthropic", "claude-opus-9", "a seed", { seed: 5 }, { parameters: { seed: true } }, { seed: 5 }],
    [
      "anthropic",
      "claude-opus-9",
      "a tier",
      { service_tier: "flex" },
      { tiers: { flex: "batch" } },
      { service_tier: "batch" },
    ],
    [
      "vertex",
      "claude-opus-4-6",
      "xhigh",
      xhigh,
      { efforts: { xhigh: "xhigh" } },
      { output_config: { effort: "xhigh" } },
    ],
    [
      "gemini",
      "gemini-2.0-flash",
      "a level",
      xhigh,
      { efforts: { xhigh: "ultra" } },
      { generationConfig: { thinkingConfig: { thinkingLevel: "ULTRA" } } },
    ],
    [
      "gemini",
      "gemini-3-pro",
      "a budget",
      xhigh,
      { efforts: { xhigh: "32768" } },
      { generationConfig: { thinkingConfig: { thinkingBudget: 32_768 } } },
    ],
    [
      "gemini",
      "gemini-3-pro",
      "candidates",
      { n: 2 },
      { parameters: { n: true } },
      { generationConfig: { candidateCount: 2 } },
    ],
    [
      "vertex",
      "gemini-3-pro",
      "a tier",
      { service_tier: "flex" },
      { tiers: { flex: "slow" } },
      { serviceTier: "slow" },
    ],
    [
      "bedrock",
      "amazon.nova-2",
      "an effort",
      xhigh,
      { efforts: { xhigh: "high" } },
      { additionalModelRequestFields: { reasoningConfig: { type: "enabled", maxReasoningEffort: "high" } } },
    ],
    [
      "bedrock",
      "openai.gpt-oss",
      "an effort",
      xhigh,
      { efforts: { xhigh: "high" } },
      { additionalModelRequestFields: { reasoning_effort: "high" } },
    ],
    [
      "bedrock",
      "openai.gpt-oss",
      "a tier",
      { service_tier: "flex" },
      { tiers: { flex: "slow" } },
      { serviceTier: { type: "slow" } },
    ],
    [
      "cohere",
      "command-a",
      "a budget",
      xhigh,
      { efforts: { xhigh: "900" } },
      { thinking: { type: "enabled", token_budget: 900 } },
    ],
    [
      "cohere",
      "command-a",
      "a field of its next version",
      { verbosity: "low" },
      { parameters: { verbosity: true } },
      { verbosity: "low" },
    ],
    ["mistral", "magistral", "an effort", xhigh, { efforts: { xhigh: "ultra" } }, { reasoning_effort: "ultra" }],
    [
      "mistral",
      "magistral",
      "a field",
      { logit_bias: { "1": 1 } },
      { parameters: { logit_bias: true } },
      { logit_bias: { "1": 1 } },
    ],
    ["watsonx", "granite-9", "a field", { user: "u" }, { parameters: { user: true } }, { user: "u" }],
  ])("is sent to %s's %s: %s", async (vendor, model, ...[_what, request, rules, expected]) => {
    const { body, warnings } = await sent(vendor, model, { ...request, rules });
    expect(body).toMatchObject(expected);
    const before = await sent(vendor, model, { ...request, rules: {} });
    expect(before.body).not.toMatchObject(expected);
    expect(warnings.filter((warning) => warning.includes("not supported"))).toEqual([]);
  });

  it.each<[Vendor, string, string]>([
    ["anthropic", "claude-sonnet-4-5", "top_k"],
    ["vertex", "claude-sonnet-4-5", "top_k"],
    ["vertex", "gemini-3-pro", "generationConfig.topK"],
    ["gemini", "gemini-3-pro", "generationConfig.topK"],
    ["bedrock", "anthropic.claude-sonnet-4-5", "additionalModelRequestFields.top_k"],
    ["cohere", "command-a", "k"],
    ["mistral", "mistral-9", "random_seed"],
    ["watsonx", "granite-9", "seed"],
  ])("is not sent to %s's %s and named: %s", async (vendor, model, path) => {
    const { body, warnings } = await sent(vendor, model, {
      ...{ top_k: 3, seed: 1, max_tokens: 10 },
      rules: { parameters: { [path]: false } },
    });
    expect(body).not.toHaveProperty(path);
    expect(warnings).toContain(`\`${path}\` is not supported by ${model} of ${vendor}`);
  });

  it.each<[Vendor, string]>([
    ["anthropic", "max_tokens"],
    ["anthropic", "output_config"],
    ["bedrock", "inferenceConfig.maxTokens"],
    ["cohere", "messages"],
    ["gemini", "generationConfig"],
    ["mistral", "max_tokens"],
    ["vertex", "contents"],
    ["watsonx", "messages"],
  ])("cannot take from %s what a request needs: %s", (vendor, path) => {
    const modelRules = { "m*": { parameters: { [path]: false } } };
    expect(() => makers[vendor]({ transport: {} as Transport, modelRules })).toThrow(
      expect.objectContaining({ code: "invalid_configuration", param: "modelRules" }),
    );
  });
});
