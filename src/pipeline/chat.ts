import { type ChatChunk, ChatRequest, type ChatResponse, Effort, OlderNames } from "../api/chat.ts";
import { readChat } from "../api/read-chat.ts";
import { stabilise } from "../cache/stable.ts";
import { boundChat } from "../usage/estimate.ts";
import { deliverWhole } from "./deliver.ts";
import { parserOf, requestParserOf } from "./parse.ts";
import { deliverStream } from "./relay.ts";
import { type Opened, openStream } from "./stream.ts";
import type { Verb } from "./verb.ts";

const parseChatBody = requestParserOf(ChatRequest, readChat);
const parseOlderNames = parserOf(OlderNames);

/** What OpenAI's own clients call otherwise than the specification is read by its names. */
function parseChat(input: unknown): ChatRequest {
  const request = parseChatBody(withOwnWord(input));
  const { max_tokens, reasoning_effort } = request;
  if (max_tokens === undefined && reasoning_effort === undefined) return request;
  return withPresentNames(request, parseOlderNames({ max_tokens, reasoning_effort }));
}

/** OpenAI's `in_memory` is our `in-memory`. */
function withOwnWord(input: unknown): unknown {
  if (typeof input !== "object" || input === null || !("prompt_cache_retention" in input)) return input;
  return input.prompt_cache_retention === "in_memory" ? { ...input, prompt_cache_retention: "in-memory" } : input;
}

/** An effort of a vendor's own, such as OpenAI's `max`, stays with the vendor's name of the field and is its to judge. */
function withPresentNames(request: ChatRequest, { max_tokens, reasoning_effort }: OlderNames): ChatRequest {
  const { max_tokens: _tokens, reasoning_effort: _effort, ...renamed } = request;
  if (max_tokens !== undefined) renamed.max_completion_tokens ??= max_tokens;
  if (reasoning_effort === undefined) return renamed;
  const effort = Effort.safeParse(reasoning_effort).data;
  return effort === undefined
    ? { ...renamed, reasoning_effort }
    : { ...renamed, reasoning: { effort, ...request.reasoning } };
}

export const chat: Verb<ChatRequest, ChatResponse, ChatResponse> = {
  requestType: "chat_completion",
  method: "chat",
  parse: parseChat,
  ask: (provider, request, attempt) => provider.chat(request, attempt),
  deliver: ({ call }, served) => deliverWhole(call, served),
  bound: boundChat,
};

const streamChat: Verb<ChatRequest, Opened, AsyncIterable<ChatChunk>> = {
  requestType: "chat_completion_stream",
  method: "streamChat",
  parse: parseChat,
  ask: (provider, request, attempt) => openStream(provider.streamChat(request, attempt), attempt),
  deliver: deliverStream,
  bound: boundChat,
};

/** Both verbs as they are asked. */
export const plainChats = { chat, streamChat };

/** Both verbs for prompts that providers recognise: what is asked is put in an order that does not change from call to call. */
export const stableChats = {
  chat: { ...chat, parse: (input: unknown) => stabilise(parseChat(input)) },
  streamChat: { ...streamChat, parse: (input: unknown) => stabilise(parseChat(input)) },
};
