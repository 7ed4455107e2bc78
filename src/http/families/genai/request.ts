import type { ChatRequest } from "../../../api/chat.ts";
import { parserOf } from "../../../pipeline/parse.ts";
import { type Notes, newNotes, refuseField } from "../shared/notes.ts";
import { warnOfUnknown } from "../shared/unknown.ts";
import { readContents } from "./contents.ts";
import { readFormat } from "./format.ts";
import { toCamelCase } from "./names.ts";
import { type GenaiConfig, GenaiRequest, GenaiTool } from "./schema.ts";
import { readTools } from "./tools.ts";

/** A request of the Gemini API in our words. */
export interface TranslatedRequest {
  readonly request: ChatRequest;
  readonly notes: Notes;
  /** The caller wants to see thoughts; without it only their signatures are told. */
  readonly showsThoughts: boolean;
}

const parse = parserOf(GenaiRequest);
const elsewhere = new Set<unknown>([GenaiTool]);

const config = "generationConfig";
const origins = {
  model: "model",
  temperature: `${config}.temperature`,
  top_p: `${config}.topP`,
  top_k: `${config}.topK`,
  n: `${config}.candidateCount`,
  max_completion_tokens: `${config}.maxOutputTokens`,
  stop: `${config}.stopSequences`,
  seed: `${config}.seed`,
  presence_penalty: `${config}.presencePenalty`,
  frequency_penalty: `${config}.frequencyPenalty`,
  response_format: `${config}.responseMimeType`,
  logprobs: `${config}.responseLogprobs`,
  top_logprobs: `${config}.logprobs`,
  modalities: `${config}.responseModalities`,
  reasoning: `${config}.thinkingConfig`,
  "reasoning.effort": `${config}.thinkingConfig.thinkingLevel`,
  "reasoning.max_tokens": `${config}.thinkingConfig.thinkingBudget`,
  tool_choice: "toolConfig.functionCallingConfig",
  service_tier: "serviceTier",
};

/** Reads the body of `generateContent`; throws `invalid_request` with the vendor's name of the field. */
export function readRequest(model: string, isStream: boolean, body: unknown): TranslatedRequest {
  const asked = parse(toCamelCase(body));
  const notes = newNotes(origins);
  if (asked.cachedContent !== undefined) throw refuseField("cachedContent", "is kept at its vendor only.");
  warnOfUnknown(GenaiRequest, asked, { notes, path: "", elsewhere });
  const { generationConfig = {}, serviceTier, fallbacks } = asked;
  const request: ChatRequest = {
    ...sampling(generationConfig),
    ...counting(generationConfig),
    ...readFormat(generationConfig, notes),
    ...readThinking(generationConfig),
    model,
    messages: readContents(asked, notes),
    ...readTools(asked, notes),
    ...(serviceTier === undefined ? {} : { service_tier: serviceTier.toLowerCase() }),
    ...(fallbacks === undefined ? {} : { fallbacks }),
    ...(isStream ? { stream_options: { include_usage: true } } : {}),
  };
  return { request, notes, showsThoughts: generationConfig.thinkingConfig?.includeThoughts === true };
}

/** The fields of ours that have a value. */
function given(fields: Partial<ChatRequest>): Partial<ChatRequest> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function sampling(asked: GenaiConfig): Partial<ChatRequest> {
  return given({
    temperature: asked.temperature,
    top_p: asked.topP,
    top_k: asked.topK,
    seed: asked.seed,
    presence_penalty: asked.presencePenalty,
    frequency_penalty: asked.frequencyPenalty,
  });
}

function counting(asked: GenaiConfig): Partial<ChatRequest> {
  const { candidateCount = 1, stopSequences = [] } = asked;
  return given({
    n: candidateCount === 1 ? undefined : candidateCount,
    max_completion_tokens: asked.maxOutputTokens,
    stop: stopSequences.length === 0 ? undefined : stopSequences,
    logprobs: asked.responseLogprobs,
    top_logprobs: asked.logprobs,
    modalities: asked.responseModalities?.map((kind) => kind.toLowerCase()),
  });
}

const efforts: Readonly<Record<string, "minimal" | "low" | "medium" | "high">> = {
  MINIMAL: "minimal",
  LOW: "low",
  MEDIUM: "medium",
  HIGH: "high",
};

/** A budget of 0 is none; -1 leaves it to the model. */
function readThinking({ thinkingConfig }: GenaiConfig): Pick<ChatRequest, "reasoning"> {
  if (thinkingConfig === undefined) return {};
  const { thinkingBudget: budget = -1, thinkingLevel, includeThoughts } = thinkingConfig;
  if (budget === 0) return { reasoning: { effort: "none" } };
  if (budget > 0) return { reasoning: { max_tokens: budget } };
  const effort = efforts[thinkingLevel?.toUpperCase() ?? ""];
  if (effort !== undefined) return { reasoning: { effort } };
  return includeThoughts === true ? { reasoning: { enabled: true } } : {};
}
