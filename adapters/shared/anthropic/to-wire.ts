import type { ChatRequest } from "../../../src/api/chat.ts";
import { invalidRequest, outputLimit, stopSequences, type Translation, topK, warnOfRest } from "../chat/fields.ts";
import { isRecord } from "../http/fault.ts";
import { isUnsignedLoop, writeConversation } from "./conversation.ts";
import { narrowSchema } from "./schema.ts";
import { planThinking } from "./thinking.ts";
import { planTools, warnOfRelaxed } from "./tools.ts";
import { type ModelTraits, traitsOf } from "./traits.ts";
import type { Thinking, WireRequest } from "./wire.ts";

/** What of the provider's options a request depends on. */
export interface WireOptions extends Translation {
  /** `max_tokens` where the caller gives no bound; the vendor requires one. */
  readonly maxTokens: number | undefined;
  /** The `anthropic-version` that is sent. */
  readonly version: string;
  readonly isStream: boolean;
}

const honoured = new Set([
  ..."max_completion_tokens max_tokens top_k temperature top_p stop tools tool_choice parallel_tool_calls".split(" "),
  ..."reasoning reasoning_effort response_format user safety_identifier service_tier web_search_options metadata".split(
    " ",
  ),
]);

/** Tokens that an answer may have where nobody says more: enough for thinking and a long answer, within every model's own limit. */
const usualOutput = 32_000;

/** The body of `POST /v1/messages` for a request, which is left as it is. */
export function toWire(request: ChatRequest, options: WireOptions): WireRequest {
  const traits = sampledTraits(traitsOf(options.call.model), options.version);
  const context = { provider: options.provider, call: options.call, traits };
  warnOfRest(request, honoured, context);
  const maxTokens = outputLimit(request) ?? options.maxTokens ?? Math.min(traits.maxOutput, usualOutput);
  const { tools, choice, isForced } = planTools(request, context);
  const { thinking, effort } = planThinking(request, {
    ...context,
    maxTokens,
    isForced,
    isUnsignedLoop: isUnsignedLoop(request.messages),
  });
  const { system, turns } = writeConversation(request.messages, context);
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
  };
}

function listed<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length === 0 ? undefined : list;
}

/** Version 2026-10-21 removed temperature, top_p and top_k for every model. */
function sampledTraits(traits: ModelTraits, version: string): ModelTraits {
  return version >= "2026-10-21" ? { ...traits, sampling: "none" } : traits;
}

interface WireContext extends Translation {
  readonly traits: ModelTraits;
}

type Sampling = Partial<Record<"temperature" | "top_p" | "top_k", number>>;

/** Values that are the vendor's own and need not be said. */
const usualSampling: Sampling = { temperature: 1, top_p: 1 };

/** Temperature, top_p and top_k, as far as the model takes them; what it does not take is warned of. */
export function sampling(
  request: ChatRequest,
  thinking: Thinking | undefined,
  { traits, call }: WireContext,
): Sampling {
  const asked: Record<keyof Sampling, number | undefined> = {
    temperature: request.temperature,
    top_p: request.top_p,
    top_k: topK(request),
  };
  const isThinking = thinking?.type === "enabled" || thinking?.type === "adaptive";
  const kept: Sampling = {};
  for (const field of ["temperature", "top_p", "top_k"] as const) {
    const value = asked[field];
    if (value === undefined || value === usualSampling[field]) continue;
    const refusal = refusalOf(field, value, { rule: traits.sampling, isThinking, kept });
    if (refusal !== undefined) call.warn(`\`${field}\` is not sent to ${call.model}: ${refusal}`);
    else kept[field] = field === "temperature" ? heat(value, call) : value;
  }
  return kept;
}

interface SamplingState {
  readonly rule: ModelTraits["sampling"];
  readonly isThinking: boolean;
  readonly kept: Sampling;
}

/** Why a value may not be sent; thinking goes with a top_p of 0.95 and more. */
function refusalOf(
  field: keyof Sampling,
  value: number,
  { rule, isThinking, kept }: SamplingState,
): string | undefined {
  if (rule === "none") return "it samples by itself";
  if (isThinking && !(field === "top_p" && value >= 0.95)) return "it is thinking";
  if (rule === "one" && field === "top_p" && kept.temperature !== undefined) return "it takes a temperature or a top_p";
  return undefined;
}

function heat(temperature: number, call: Translation["call"]): number {
  if (temperature <= 1) return temperature;
  call.warn(`\`temperature\` ${temperature} is sent to ${call.model} as 1, its highest`);
  return 1;
}

/** The sequences that end an answer, without those that the vendor refuses. */
export function stops(request: ChatRequest, { provider, call }: WireContext): string[] {
  const asked = stopSequences(request);
  const visible = asked.filter((sequence) => sequence.trim() !== "");
  if (visible.length < asked.length) call.warn(`\`stop\`: sequences of white space are not supported by ${provider}`);
  return visible;
}

/** The format that the answer must have, its schema narrowed to what can be enforced. */
export function outputFormat({ response_format: asked }: ChatRequest, context: WireContext): unknown {
  const { provider, call, traits } = context;
  if (asked === undefined || asked.type === "text") return undefined;
  if (asked.type !== "json_schema" || !traits.hasStructuredOutputs) {
    call.warn(
      `\`response_format\` of type ${String(asked.type)} is not supported by ${traits.hasStructuredOutputs ? provider : call.model}`,
    );
    return undefined;
  }
  const schema = isRecord(asked.json_schema) ? asked.json_schema.schema : undefined;
  if (!isRecord(schema)) throw invalidRequest("response_format.json_schema.schema", "is missing.");
  const narrowed = narrowSchema(schema);
  warnOfRelaxed("response_format.json_schema.schema", narrowed.relaxed, context);
  return { type: "json_schema", schema: narrowed.schema };
}

function metadataOf(
  { user, safety_identifier, metadata }: ChatRequest,
  { provider, call }: WireContext,
): WireRequest["metadata"] {
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

function serviceTier({ service_tier: asked }: ChatRequest, { provider, call }: WireContext): string | undefined {
  if (asked === undefined) return undefined;
  const tier = serviceTiers.get(asked);
  if (tier === undefined) call.warn(`\`service_tier\` ${asked} is not supported by ${provider}`);
  return tier;
}
