import type { ChatRequest } from "../../../src/engine/api/chat.ts";
import { GatewayError } from "../../../src/engine/errors.ts";
import { type ClaudeTraits, traitsOf } from "../../shared/anthropic/traits.ts";
import { effortWord, type Translation } from "../../shared/chat/fields.ts";
import type { ParameterPlaces } from "../../shared/chat/parameter-places.ts";
import { requestedReasoning } from "../../shared/chat/reasoning.ts";
import { rulesCheck } from "../../shared/chat/rules-option.ts";

/** Converse: docs.aws.amazon.com, "Converse" and "Carry out a conversation", read in November 2026. */
export const conversePlaces: ParameterPlaces = {
  needed: new Set([
    ..."messages system toolConfig outputConfig additionalModelResponseFieldPaths".split(" "),
    "inferenceConfig.maxTokens",
  ]),
  holders: ["inferenceConfig", "additionalModelRequestFields", "additionalModelRequestFields.output_config"],
  units: ["additionalModelRequestFields.thinking", "additionalModelRequestFields.reasoningConfig", "serviceTier"],
};

/** Checks the option `modelRules`. */
export const converseRules = rulesCheck(conversePlaces);

/** How models that are not Claude are asked for an effort that the configuration has a word for: Nova as AWS documents it, the rest as gpt-oss. */
export function levelByRule(request: ChatRequest, context: Translation): Record<string, unknown> | undefined {
  if (context.rules?.efforts === undefined) return undefined;
  const word = effortWord(context, requestedReasoning(request, context)?.effort);
  if (word === undefined) return undefined;
  return /\bnova\b/i.test(context.call.model)
    ? { reasoningConfig: { type: "enabled", maxReasoningEffort: word } }
    : { reasoning_effort: word };
}

/** Claude as it is everywhere; of others the thinking is asked for in ways of their own, and not here. */
export function converseTraits(model: string): ClaudeTraits {
  const traits = traitsOf(model);
  return isClaude(model) ? traits : { ...traits, thinking: "none" };
}

/** True for Anthropic's models under whatever prefix of a region. */
export function isClaude(model: string): boolean {
  return model.toLowerCase().includes("claude");
}

/** Throws `unsupported_operation` for a model that takes no last message of its own. */
export function requireClaude(model: string, provider: string): void {
  if (isClaude(model)) return;
  throw new GatewayError("unsupported_operation", `${model} of ${provider} takes no prefill.`, { provider });
}
