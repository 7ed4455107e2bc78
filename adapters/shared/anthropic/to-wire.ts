import type { ChatRequest } from "../../../src/engine/api/chat.ts";
import { invalidRequest, unsupported } from "../../../src/engine/dialects/refusals.ts";
import { isRecord } from "../../../src/engine/dialects/wire-values.ts";
import { outputLimit, stopSequences, type Translation, tierWord, topK, warnOfRest } from "../chat/fields.ts";
import { isUnsignedLoop, ownFormats, writeConversation } from "./conversation.ts";
import { narrowSchema } from "./schema.ts";
import { planThinking } from "./thinking.ts";
import { planTools, warnOfRelaxed } from "./tools.ts";
import { type ClaudeTraits, traitsOf } from "./traits.ts";
import type { AnthropicWireRequest, Thinking } from "./wire.ts";

/** What of the provider's options a request depends on. */
export interface AnthropicWireOptions extends Translation {
  /** `max_tokens` where the caller gives no bound; the vendor requires one. */
  readonly maxTokens: number | undefined;
  /** The `anthropic-version` that is sent. */
  readonly version: string;
  readonly isStream: boolean;
}

const honoured = new Set([
  ..."max_completion_tokens max_tokens top_k temperature top_p stop tools tool_choice parallel_tool_calls".split(" "),
  ..."reasoning reasoning_effort response_format user safety_identifier service_tier web_search_options metadata anthropic".split(
    " ",
  ),
]);

/** Default limit of output tokens: enough for thinking and a long answer, within every model's own limit. */
const usualOutput = 32_000;

/** The body of `POST /v1/messages` for a request, which is left as it is. */
export function toWire(request: ChatRequest, options: AnthropicWireOptions): AnthropicWireRequest {
  const traits = sampledTraits(traitsOf(options.call.model), options.version);
  const context = { provider: options.provider, call: options.call, rules: options.rules, traits };
  const taken = warnOfRest(request, honoured, context);
  const maxTokens = outputLimit(request) ?? options.maxTokens ?? Math.min(traits.maxOutput, usualOutput);
  const { tools, choice, isForced } = planTools(request, context);
  const { thinking, effort } = planThinking(request, {
    ...context,
    maxTokens,
    isForced,
    isUnsignedLoop: isUnsignedLoop(request.messages),
  });
  const { system, turns } = writeConversation(request.messages, {
    ...context,
    formats: ownFormats,
  });
  const format = outputFormat(request, context);
  return {
    model: options.call.model,
    max_tokens: maxTokens,
    system: listed(system),
    messages: turns,
    thinking,
    output_config: effort === undefined && format === undefined ? undefined : { effort, format },
    ...sampling(request, thinking, context),
    stop_sequences: listed(stops(request, context)),
    tools,
    tool_choice: choice,
    metadata: metadataOf(request, context),
    service_tier: serviceTier(request, context),
    stream: options.isStream ? true : undefined,
    ...taken,
  };
}

function listed<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length === 0 ? undefined : list;
}

/** Version 2026-10-21 removed temperature, top_p and top_k for every model. */
function sampledTraits(traits: ClaudeTraits, version: string): ClaudeTraits {
  return version >= "2026-10-21" ? { ...traits, sampling: "none" } : traits;
}

interface AnthropicWireContext extends Translation {
  readonly traits: ClaudeTraits;
}

type SamplingFields = Partial<Record<"temperature" | "top_p" | "top_k", number>>;

/** Values that are the vendor's own and need not be said. */
const usualSampling: SamplingFields = { temperature: 1, top_p: 1 };

/** Temperature, top_p and top_k, as far as the model takes them; what it does not take is warned of. */
export function sampling(
  request: ChatRequest,
  thinking: Thinking | undefined,
  { traits, call, rules }: AnthropicWireContext,
): SamplingFields {
  const requested: Record<keyof SamplingFields, number | undefined> = {
    temperature: request.temperature,
    top_p: request.top_p,
    top_k: topK(request),
  };
  const isThinking = thinking?.type === "enabled" || thinking?.type === "adaptive";
  const stored: SamplingFields = {};
  for (const field of ["temperature", "top_p", "top_k"] as const) {
    const value = requested[field];
    if (value === undefined || value === usualSampling[field]) continue;
    const isTaken = rules?.parameters?.[field] === true;
    const refusal = isTaken ? undefined : refusalOf(field, value, { rule: traits.sampling, isThinking, stored });
    if (refusal !== undefined) call.warn(`\`${field}\` is not sent to ${call.model}: ${refusal}`);
    else stored[field] = field === "temperature" ? heat(value, call) : value;
  }
  return stored;
}

interface SamplingState {
  readonly rule: ClaudeTraits["sampling"];
  readonly isThinking: boolean;
  readonly stored: SamplingFields;
}

/** Why a value may not be sent; thinking goes with a top_p of 0.95 and more. */
function refusalOf(
  field: keyof SamplingFields,
  value: number,
  { rule, isThinking, stored }: SamplingState,
): string | undefined {
  if (rule === "none") return "it samples by itself";
  if (isThinking && !(field === "top_p" && value >= 0.95)) return "it is thinking";
  if (rule === "one" && field === "top_p" && stored.temperature !== undefined)
    return "it takes a temperature or a top_p";
  return undefined;
}

function heat(temperature: number, call: Translation["call"]): number {
  if (temperature <= 1) return temperature;
  call.warn(`\`temperature\` ${temperature} is sent to ${call.model} as 1, its highest`);
  return 1;
}

/** The sequences that end an answer, without those that the vendor refuses. */
export function stops(request: ChatRequest, { provider, call }: AnthropicWireContext): string[] {
  const requested = stopSequences(request);
  const visible = requested.filter((sequence) => sequence.trim() !== "");
  if (visible.length < requested.length)
    call.warn(`\`stop\`: sequences of white space are not supported by ${provider}`);
  return visible;
}

/**
 * The format that the answer must have, its schema narrowed to what can be enforced. A model that cannot be held to a schema throws
 * `unsupported_operation`, so that the next candidate is asked: prose would look like an answer.
 */
export function outputFormat({ response_format: requested }: ChatRequest, context: AnthropicWireContext): unknown {
  const { provider, call, traits } = context;
  if (requested === undefined || requested.type === "text") return undefined;
  if (requested.type !== "json_schema") {
    call.warn(`\`response_format\` of type ${String(requested.type)} is not supported by ${provider}`);
    return undefined;
  }
  if (!traits.hasStructuredOutputs)
    throw unsupported("response_format", `of type json_schema cannot be held by ${call.model}.`);
  const schema = isRecord(requested.json_schema) ? requested.json_schema.schema : undefined;
  if (!isRecord(schema)) throw invalidRequest("response_format.json_schema.schema", "is missing.");
  const narrowed = narrowSchema(schema);
  warnOfRelaxed("response_format.json_schema.schema", narrowed.relaxed, context);
  return { type: "json_schema", schema: narrowed.schema };
}

function metadataOf(
  { user, safety_identifier, metadata }: ChatRequest,
  { provider, call }: AnthropicWireContext,
): AnthropicWireRequest["metadata"] {
  const { user_id, ...rest } = metadata ?? {};
  if (Object.keys(rest).length > 0) call.warn(`\`metadata\` other than \`user_id\` is not supported by ${provider}`);
  const named = safety_identifier ?? user ?? (typeof user_id === "string" ? user_id : undefined);
  return named === undefined ? undefined : { user_id: named };
}

const serviceTiers = new Map([
  ["auto", "auto"],
  ["priority", "auto"],
  ["default", "standard_only"],
  ["standard", "standard_only"],
  ["standard_only", "standard_only"],
]);

function serviceTier(
  { service_tier: requested }: ChatRequest,
  { provider, call, rules }: AnthropicWireContext,
): string | undefined {
  if (requested === undefined) return undefined;
  const tier = tierWord({ rules }, requested) ?? serviceTiers.get(requested);
  if (tier === undefined) call.warn(`\`service_tier\` ${requested} is not supported by ${provider}`);
  return tier;
}
