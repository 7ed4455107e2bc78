import type { ChatRequest } from "../../../src/engine/api/chat.ts";
import { invalidRequest } from "../../../src/engine/dialects/refusals.ts";
import { isRecord } from "../../../src/engine/dialects/wire-values.ts";
import { outputLimit, stopSequences, type Translation, tierWord, topK, warnOfRest } from "../chat/fields.ts";
import { writeContents } from "./contents.ts";
import { planThinking } from "./thinking.ts";
import { planTools } from "./tools.ts";
import { type GeminiTraits, traitsOf } from "./traits.ts";
import type { GeminiWireRequest, GenerationConfig, ThinkingConfig } from "./wire.ts";

/** What of the provider's options a request depends on. */
export interface GeminiWireOptions extends Translation {
  readonly filesUrl: string;
  /** True for a streamed answer. */
  readonly isStream?: boolean;
}

interface GeminiWireContext extends GeminiWireOptions {
  readonly traits: GeminiTraits;
}

const honoured = new Set([
  ..."max_completion_tokens max_tokens top_k temperature top_p stop seed tools tool_choice".split(" "),
  ..."frequency_penalty presence_penalty logprobs top_logprobs modalities response_format".split(" "),
  ..."reasoning reasoning_effort service_tier web_search_options n".split(" "),
]);

/** The body of `generateContent` for a request, which is left as it is. */
export function toWire(request: ChatRequest, options: GeminiWireOptions): GeminiWireRequest {
  const context: GeminiWireContext = { ...options, traits: traitsOf(options.call.model) };
  const taken = warnOfRest(request, honoured, context);
  const { systemInstruction, contents } = writeContents(request.messages, context);
  const { tools, toolConfig } = planTools(request, context);
  return {
    systemInstruction,
    contents,
    tools,
    toolConfig,
    generationConfig: generationConfig(request, planThinking(request, context), context),
    serviceTier: serviceTier(request, context),
    ...taken,
  };
}

function generationConfig(
  request: ChatRequest,
  thinkingConfig: ThinkingConfig | undefined,
  context: GeminiWireContext,
): GenerationConfig | undefined {
  const stops = stopSequences(request);
  const config: GenerationConfig = {
    temperature: request.temperature,
    topP: request.top_p,
    topK: topK(request),
    maxOutputTokens: outputLimit(request),
    stopSequences: stops.length === 0 ? undefined : stops,
    candidateCount: candidateCount(request, context),
    seed: request.seed,
    presencePenalty: request.presence_penalty,
    frequencyPenalty: request.frequency_penalty,
    ...responseFormat(request, context),
    ...logprobs(request),
    responseModalities: modalities(request),
    thinkingConfig,
  };
  return Object.values(config).some((value) => value !== undefined) ? config : undefined;
}

function candidateCount(
  { n = 1 }: ChatRequest,
  { traits, isStream, provider, call, rules }: GeminiWireContext,
): number | undefined {
  if (n === 1) return undefined;
  const isProvided = (traits.givesSeveral || rules?.parameters?.n === true) && typeof n === "number";
  if (isProvided && !isStream) return n;
  call.warn(`\`n\` is not supported by ${provider}${isProvided ? " in streams" : ""}`);
  return undefined;
}

function responseFormat(
  { response_format: requested }: ChatRequest,
  { provider, call }: Translation,
): GenerationConfig {
  if (requested === undefined || requested.type === "text") return {};
  if (requested.type === "json_object") return { responseMimeType: "application/json" };
  if (requested.type !== "json_schema") {
    call.warn(`\`response_format\` of type ${String(requested.type)} is not supported by ${provider}`);
    return {};
  }
  const schema = isRecord(requested.json_schema) ? requested.json_schema.schema : undefined;
  if (!isRecord(schema)) throw invalidRequest("response_format.json_schema.schema", "is missing.");
  return { responseMimeType: "application/json", responseJsonSchema: schema };
}

function logprobs({ logprobs: isRequested, top_logprobs: count }: ChatRequest): GenerationConfig {
  return isRequested === true || count ? { responseLogprobs: true, logprobs: count || undefined } : {};
}

function modalities({ modalities: requested }: ChatRequest): readonly string[] | undefined {
  if (requested === undefined || requested.every((kind) => kind === "text")) return undefined;
  return requested.map((kind) => kind.toUpperCase());
}

const serviceTiers = new Map([
  ["auto", undefined],
  ["default", "standard"],
  ["standard", "standard"],
  ["flex", "flex"],
  ["priority", "priority"],
]);

function serviceTier(
  { service_tier: requested }: ChatRequest,
  { provider, call, rules }: Translation,
): string | undefined {
  if (requested === undefined) return undefined;
  const word = tierWord({ rules }, requested);
  if (word !== undefined) return word;
  if (!serviceTiers.has(requested)) call.warn(`\`service_tier\` ${requested} is not supported by ${provider}`);
  return serviceTiers.get(requested);
}
