import type { ChatRequest } from "../../../src/api/chat.ts";
import { invalidRequest, outputLimit, stopSequences, type Translation, topK, warnOfRest } from "../chat/fields.ts";
import { isRecord } from "../http/fault.ts";
import { writeContents } from "./contents.ts";
import { planThinking } from "./thinking.ts";
import { planTools } from "./tools.ts";
import { type ModelTraits, traitsOf } from "./traits.ts";
import type { GenerationConfig, ThinkingConfig, WireRequest } from "./wire.ts";

/** What of the provider's options a request depends on. */
export interface WireOptions extends Translation {
  readonly filesUrl: string;
  /** True where the answer is asked for as a stream. */
  readonly isStream?: boolean;
}

interface WireContext extends WireOptions {
  readonly traits: ModelTraits;
}

const honoured = new Set([
  ..."max_completion_tokens max_tokens top_k temperature top_p stop seed tools tool_choice".split(" "),
  ..."frequency_penalty presence_penalty logprobs top_logprobs modalities response_format".split(" "),
  ..."reasoning reasoning_effort service_tier web_search_options n".split(" "),
]);

/** The body of `generateContent` for a request, which is left as it is. */
export function toWire(request: ChatRequest, options: WireOptions): WireRequest {
  const context: WireContext = { ...options, traits: traitsOf(options.call.model) };
  warnOfRest(request, honoured, context);
  const { systemInstruction, contents } = writeContents(request.messages, context);
  const { tools, toolConfig } = planTools(request, context);
  return {
    systemInstruction,
    contents,
    tools,
    toolConfig,
    generationConfig: generationConfig(request, planThinking(request, context), context),
    serviceTier: serviceTier(request, context),
  };
}

function generationConfig(
  request: ChatRequest,
  thinkingConfig: ThinkingConfig | undefined,
  context: WireContext,
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

function candidateCount({ n = 1 }: ChatRequest, { traits, isStream, provider, call }: WireContext): number | undefined {
  if (n === 1) return undefined;
  const isGiven = traits.givesSeveral && typeof n === "number";
  if (isGiven && !isStream) return n;
  call.warn(`\`n\` is not supported by ${provider}${isGiven ? " in streams" : ""}`);
  return undefined;
}

function responseFormat({ response_format: asked }: ChatRequest, { provider, call }: Translation): GenerationConfig {
  if (asked === undefined || asked.type === "text") return {};
  if (asked.type === "json_object") return { responseMimeType: "application/json" };
  if (asked.type !== "json_schema") {
    call.warn(`\`response_format\` of type ${String(asked.type)} is not supported by ${provider}`);
    return {};
  }
  const schema = isRecord(asked.json_schema) ? asked.json_schema.schema : undefined;
  if (!isRecord(schema)) throw invalidRequest("response_format.json_schema.schema", "is missing.");
  return { responseMimeType: "application/json", responseJsonSchema: schema };
}

function logprobs({ logprobs: isAsked, top_logprobs: count }: ChatRequest): GenerationConfig {
  return isAsked === true || count ? { responseLogprobs: true, logprobs: count || undefined } : {};
}

function modalities({ modalities: asked }: ChatRequest): readonly string[] | undefined {
  if (asked === undefined || asked.every((kind) => kind === "text")) return undefined;
  return asked.map((kind) => kind.toUpperCase());
}

const serviceTiers = new Map([
  ["auto", undefined],
  ["default", "standard"],
  ["standard", "standard"],
  ["flex", "flex"],
  ["priority", "priority"],
]);

function serviceTier({ service_tier: asked }: ChatRequest, { provider, call }: Translation): string | undefined {
  if (asked === undefined) return undefined;
  if (!serviceTiers.has(asked)) call.warn(`\`service_tier\` ${asked} is not supported by ${provider}`);
  return serviceTiers.get(asked);
}
