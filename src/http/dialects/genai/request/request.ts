import type { ChatRequest } from "../../../../engine/api/chat.ts";
import { invalidRequest } from "../../../../engine/dialects/refusals.ts";
import { parserOf } from "../../../../engine/pipeline/call/parse.ts";
import { schemaFormat } from "../../shared/strict.ts";
import { type Notes, newNotes, warnUnsupportedFields } from "../../shared/translation-warnings.ts";
import { warnOfUnknown } from "../../shared/unknown.ts";
import { toCamelCase } from "../names.ts";
import { type GenaiConfig, GenaiRequest, GenaiTool } from "../schema.ts";
import { readContents } from "./contents.ts";
import { toJsonSchema } from "./json-schema.ts";
import { readTools } from "./tools.ts";

/** The type of an answer that is one value of an enum, without quotation marks. */
const enumType = "text/x.enum";

/** The form that the answer is to have: text, JSON, or JSON by either kind of schema. */
function readFormat(parsed: GenaiConfig, notes: Notes): Pick<ChatRequest, "response_format"> {
  const { responseMimeType: mimeType = "text/plain", responseSchema, responseJsonSchema } = parsed;
  const schema = responseJsonSchema ?? (responseSchema === undefined ? undefined : toJsonSchema(responseSchema));
  if (schema !== undefined) return { response_format: schemaFormat(schema) };
  if (mimeType === "application/json") return { response_format: { type: "json_object" } };
  if (mimeType !== "text/plain") warnUnsupportedFields(notes, "generationConfig.responseMimeType");
  return {};
}

const parse = parserOf(GenaiRequest);

/** Parses the body of `generateContent`, in camel or snake case; throws `invalid_request` with the vendor's name of the field. */
function parseRequest(body: unknown): GenaiRequest {
  const parsed = parse(toCamelCase(body));
  if (parsed.cachedContent !== undefined) throw invalidRequest("cachedContent", "is kept at its vendor only.");
  return parsed;
}

/** A request of the Gemini API in our form. */
export interface TranslatedGenerate {
  readonly request: ChatRequest;
  readonly notes: Notes;
  /** True when the answer shows thoughts; otherwise it has only their signatures. */
  readonly showsThoughts: boolean;
  /** True when the answer is to be the value of an enum as it is, not as JSON. */
  readonly isBare: boolean;
}

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
export function readRequest(model: string, isStream: boolean, body: unknown): TranslatedGenerate {
  const parsed = parseRequest(body);
  const notes = newNotes(origins);
  warnOfUnknown(GenaiRequest, parsed, { notes, path: "", elsewhere });
  const { generationConfig = {}, serviceTier, fallbacks } = parsed;
  const request: ChatRequest = {
    ...sampling(generationConfig),
    ...counting(generationConfig),
    ...readFormat(generationConfig, notes),
    ...readThinking(generationConfig),
    model,
    messages: readContents(parsed, notes),
    ...readTools(parsed, notes),
    ...(serviceTier === undefined ? {} : { service_tier: serviceTier.toLowerCase() }),
    ...(fallbacks === undefined ? {} : { fallbacks }),
    ...(isStream ? { stream_options: { include_usage: true } } : {}),
  };
  const showsThoughts = generationConfig.thinkingConfig?.includeThoughts === true;
  return { request, notes, showsThoughts, isBare: generationConfig.responseMimeType === enumType };
}

/** The fields of ours that have a value. */
function provided(fields: Partial<ChatRequest>): Partial<ChatRequest> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function sampling(parsed: GenaiConfig): Partial<ChatRequest> {
  return provided({
    temperature: parsed.temperature,
    top_p: parsed.topP,
    top_k: parsed.topK,
    seed: parsed.seed,
    presence_penalty: parsed.presencePenalty,
    frequency_penalty: parsed.frequencyPenalty,
  });
}

function counting(parsed: GenaiConfig): Partial<ChatRequest> {
  const { candidateCount = 1, stopSequences = [] } = parsed;
  return provided({
    n: candidateCount === 1 ? undefined : candidateCount,
    max_completion_tokens: parsed.maxOutputTokens,
    stop: stopSequences.length === 0 ? undefined : stopSequences,
    logprobs: parsed.responseLogprobs,
    top_logprobs: parsed.logprobs,
    modalities: parsed.responseModalities?.map((kind) => kind.toLowerCase()),
  });
}

const efforts: Readonly<Record<string, "minimal" | "low" | "medium" | "high">> = {
  MINIMAL: "minimal",
  LOW: "low",
  MEDIUM: "medium",
  HIGH: "high",
};

/** A budget of 0 turns thinking off; -1 leaves it to the model. */
function readThinking({ thinkingConfig }: GenaiConfig): Pick<ChatRequest, "reasoning"> {
  if (thinkingConfig === undefined) return {};
  const { thinkingBudget: budget = -1, thinkingLevel, includeThoughts } = thinkingConfig;
  if (budget === 0) return { reasoning: { effort: "none" } };
  if (budget > 0) return { reasoning: { max_tokens: budget } };
  const effort = efforts[thinkingLevel?.toUpperCase() ?? ""];
  if (effort !== undefined) return { reasoning: { effort } };
  return includeThoughts === true ? { reasoning: { enabled: true } } : {};
}
