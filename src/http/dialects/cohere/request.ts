import type { ChatRequest } from "../../../engine/api/chat.ts";
import { readToolChoice } from "../../../engine/dialects/cohere/tool-choice.ts";
import { invalidRequest } from "../../../engine/dialects/refusals.ts";
import { parserOf } from "../../../engine/pipeline/call/parse.ts";
import { parametersOf } from "../shared/parameters.ts";
import { schemaFormat } from "../shared/strict.ts";
import { type Notes, newNotes } from "../shared/translation-warnings.ts";
import { warnOfUnknown } from "../shared/unknown.ts";
import { readConversation } from "./conversation.ts";
import { CohereChatRequest } from "./schema.ts";

/** A request of Cohere's chat in our form. */
export interface TranslatedCohereChat {
  readonly request: ChatRequest;
  readonly notes: Notes;
  readonly isStream: boolean;
}

const parse = parserOf(CohereChatRequest);

const origins = {
  max_completion_tokens: "max_tokens",
  stop: "stop_sequences",
  top_k: "k",
  top_p: "p",
  reasoning: "thinking",
  "reasoning.max_tokens": "thinking.token_budget",
  stream_options: "stream",
};

/** Reads the body of `POST /v2/chat`; throws `invalid_request` with the vendor's name of the field. */
export function readRequest(body: unknown): TranslatedCohereChat {
  const parsed = parse(body);
  const notes = newNotes(origins);
  if (Array.isArray(parsed.documents) && parsed.documents.length > 0) {
    throw invalidRequest("documents", "are searched at their vendor only; say them in a message.");
  }
  warnOfUnknown(CohereChatRequest, parsed, { notes, path: "" });
  const request: ChatRequest = {
    ...sampling(parsed),
    model: parsed.model,
    messages: readConversation(parsed.messages, notes),
    ...readTools(parsed),
    ...readFormat(parsed),
    ...readThinking(parsed),
    ...(parsed.fallbacks === undefined ? {} : { fallbacks: parsed.fallbacks }),
    ...(parsed.stream === true ? { stream_options: { include_usage: true } } : {}),
  };
  return { request, notes, isStream: parsed.stream === true };
}

function sampling(parsed: CohereChatRequest): Partial<ChatRequest> {
  const { stop_sequences: stop = [], k = 0 } = parsed;
  const fields: Partial<ChatRequest> = {
    max_completion_tokens: parsed.max_tokens,
    stop: stop.length === 0 ? undefined : stop,
    temperature: parsed.temperature,
    seed: parsed.seed,
    frequency_penalty: parsed.frequency_penalty,
    presence_penalty: parsed.presence_penalty,
    top_k: k === 0 ? undefined : k,
    top_p: parsed.p,
    logprobs: parsed.logprobs,
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** A schema may stand under either of two names. */
function readFormat({ response_format: format }: CohereChatRequest): Pick<ChatRequest, "response_format"> {
  if (format === undefined || format.type === "text") return {};
  const schema = format.json_schema ?? format.schema;
  return { response_format: schema ? schemaFormat(schema) : { type: "json_object" } };
}

function readThinking({ thinking }: CohereChatRequest): Pick<ChatRequest, "reasoning"> {
  if (thinking === undefined) return {};
  if (thinking.type === "disabled") return { reasoning: { effort: "none" } };
  return { reasoning: thinking.token_budget ? { max_tokens: thinking.token_budget } : { enabled: true } };
}

/** Tools and the choice among them in our form; strictness is one switch for all of them. */
function readTools({ tools = [], strict_tools, tool_choice: choice }: CohereChatRequest): Partial<ChatRequest> {
  if (tools.length === 0) return {};
  const functions = tools.map(({ function: { name, description, parameters } }) => {
    const definition = {
      name,
      ...(description ? { description } : {}),
      ...(parameters ? { parameters: parametersOf(parameters) } : {}),
      ...(strict_tools === true ? { strict: true } : {}),
    };
    return { type: "function" as const, function: definition };
  });
  const chosen = choice === undefined ? {} : { tool_choice: readToolChoice(choice) };
  return { tools: functions, ...chosen };
}
