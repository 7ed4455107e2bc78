import type { ChatRequest } from "../../../src/engine/api/chat.ts";
import { isRecord } from "../../../src/engine/dialects/wire-values.ts";
import { isUnsignedLoop } from "../../shared/anthropic/conversation.ts";
import { planThinking } from "../../shared/anthropic/thinking.ts";
import { outputFormat, sampling, stops } from "../../shared/anthropic/to-wire.ts";
import type { ClaudeTraits } from "../../shared/anthropic/traits.ts";
import { outputLimit, type Translation, tierWord, warnOfRest } from "../../shared/chat/fields.ts";
import { writeMessages } from "./blocks.ts";
import type { RequestedByHeader } from "./client.ts";
import { converseTraits, isClaude, levelByRule } from "./parameters.ts";
import { planToolConfig } from "./tools.ts";
import type { ConverseRequest } from "./wire.ts";

/** What of the provider's options a request depends on. */
export interface ConverseWireOptions extends Translation {
  readonly maxTokens?: number | undefined;
  readonly byHeader?: RequestedByHeader | undefined;
}

interface ConverseContext extends Translation {
  readonly traits: ClaudeTraits;
}

const honoured = new Set([
  ..."max_completion_tokens max_tokens top_k temperature top_p stop tools tool_choice parallel_tool_calls".split(" "),
  ..."reasoning reasoning_effort response_format service_tier metadata".split(" "),
]);

/** The JSON pointers of what Converse leaves out of Claude's answers unless it is asked: which stop sequence it met. */
const sequencePaths = ["/stop_sequence"];

/** Default limit of output tokens for an answer with thinking. */
const usualOutput = 32_000;

/** The body of Converse and ConverseStream for a request, which is left as it is. */
export function toWire(
  request: ChatRequest,
  { provider, call, rules, maxTokens, byHeader = {} }: ConverseWireOptions,
): ConverseRequest {
  const context = { provider, call, rules, traits: converseTraits(call.model) };
  const taken = warnOfRest(request, honoured, context);
  const { system, messages } = writeMessages(request.messages, context);
  const { toolConfig, isForced } = planToolConfig(request, messages, context);
  const requested = outputLimit(request);
  const most = requested ?? maxTokens ?? Math.min(context.traits.maxOutput, usualOutput);
  const loop = isUnsignedLoop(request.messages);
  const levels = isClaude(call.model) ? undefined : levelByRule(request, context);
  const { thinking, effort } = levels
    ? {}
    : planThinking(request, { ...context, maxTokens: most, isForced, isUnsignedLoop: loop });
  const { temperature, top_p: topP, top_k } = sampling(request, thinking, context);
  const stopSequences = stops(request, context);
  const inference = {
    maxTokens: thinking === undefined ? requested : most,
    temperature,
    topP,
    stopSequences: stopSequences.length === 0 ? undefined : stopSequences,
  };
  return {
    messages,
    system: system.length === 0 ? undefined : system,
    inferenceConfig: orNone(inference),
    toolConfig,
    outputConfig: outputConfig(request, context),
    additionalModelRequestFields: orNone({
      thinking,
      output_config: effort && { effort },
      top_k,
      ...levels,
      ...taken,
    }),
    additionalModelResponseFieldPaths: stopSequences.length > 0 && isClaude(call.model) ? sequencePaths : undefined,
    serviceTier: serviceTier(request.service_tier ?? byHeader.serviceTier, context),
    performanceConfig: byHeader.latency === undefined ? undefined : { latency: byHeader.latency },
    requestMetadata: requestMetadata(request, context),
  };
}

function orNone<Fields extends object>(fields: Fields): Fields | undefined {
  return Object.values(fields).some((value) => value !== undefined) ? fields : undefined;
}

function outputConfig(request: ChatRequest, context: ConverseContext): unknown {
  const format = outputFormat(request, context);
  if (!isRecord(format)) return undefined;
  const { name, description } = isRecord(request.response_format?.json_schema)
    ? request.response_format.json_schema
    : {};
  const jsonSchema = { schema: JSON.stringify(format.schema), name, description };
  return { textFormat: { type: "json_schema", structure: { jsonSchema } } };
}

const serviceTiers = new Map([
  ["auto", undefined],
  ["default", "default"],
  ["standard", "default"],
  ["flex", "flex"],
  ["priority", "priority"],
]);

function serviceTier(
  requested: string | undefined,
  { provider, call, rules }: ConverseContext,
): ConverseRequest["serviceTier"] {
  if (requested === undefined) return undefined;
  const word = tierWord({ rules }, requested);
  if (word !== undefined) return { type: word };
  if (!serviceTiers.has(requested)) call.warn(`\`service_tier\` ${requested} is not supported by ${provider}`);
  const type = serviceTiers.get(requested);
  return type === undefined ? undefined : { type };
}

function requestMetadata(
  { metadata = {} }: ChatRequest,
  { provider, call }: ConverseContext,
): Record<string, string> | undefined {
  const entries = Object.entries(metadata);
  const texts = entries.filter((entry): entry is [string, string] => typeof entry[1] === "string");
  if (texts.length < entries.length) call.warn(`\`metadata\` other than texts is not supported by ${provider}`);
  return texts.length === 0 ? undefined : Object.fromEntries(texts);
}
