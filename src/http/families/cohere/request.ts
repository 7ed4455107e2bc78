import type { ChatRequest } from "../../../api/chat.ts";
import { parserOf } from "../../../pipeline/parse.ts";
import { type Notes, newNotes, refuseField } from "../shared/notes.ts";
import { parametersOf } from "../shared/parameters.ts";
import { schemaFormat } from "../shared/strict.ts";
import { warnOfUnknown } from "../shared/unknown.ts";
import { readConversation } from "./conversation.ts";
import { CohereChatRequest } from "./schema.ts";

/** A request of Cohere's chat in our words. */
export interface TranslatedRequest {
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
export function readRequest(body: unknown): TranslatedRequest {
  const asked = parse(body);
  const notes = newNotes(origins);
  if (Array.isArray(asked.documents) && asked.documents.length > 0) {
    throw refuseField("documents", "are searched at their vendor only; say them in a message.");
  }
  warnOfUnknown(CohereChatRequest, asked, { notes, path: "" });
  const request: ChatRequest = {
    ...sampling(asked),
    model: asked.model,
    messages: readConversation(asked.messages, notes),
    ...readTools(asked),
    ...readFormat(asked),
    ...readThinking(asked),
    ...(asked.fallbacks === undefined ? {} : { fallbacks: asked.fallbacks }),
    ...(asked.stream === true ? { stream_options: { include_usage: true } } : {}),
  };
  return { request, notes, isStream: asked.stream === true };
}

function sampling(asked: CohereChatRequest): Partial<ChatRequest> {
  const { stop_sequences: stop = [], k = 0 } = asked;
  const fields: Partial<ChatRequest> = {
    max_completion_tokens: asked.max_tokens,
    stop: stop.length === 0 ? undefined : stop,
    temperature: asked.temperature,
    seed: asked.seed,
    frequency_penalty: asked.frequency_penalty,
    presence_penalty: asked.presence_penalty,
    top_k: k === 0 ? undefined : k,
    top_p: asked.p,
    logprobs: asked.logprobs,
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

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
  const chosen =
    choice === undefined ? {} : { tool_choice: choice === "NONE" ? ("none" as const) : ("required" as const) };
  return { tools: functions, ...chosen };
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
