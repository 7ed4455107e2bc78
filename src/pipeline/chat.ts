import type { z } from "zod";
import { type ChatChunk, ChatRequest, type ChatResponse } from "../api/chat.ts";
import { stabilise } from "../cache/stable.ts";
import { boundChat } from "../usage/estimate.ts";
import { parserOf } from "./parse.ts";
import { deliverStream } from "./relay.ts";
import { deliverWhole } from "./settle.ts";
import { type Opened, openStream } from "./stream.ts";
import type { Verb } from "./verb.ts";

const parseChatBody = parserOf(ChatRequest);

/** The vendor's older names of two fields, still sent by many clients, are read as their present ones. */
function parseChat(input: unknown): ChatRequest {
  const request = parseChatBody(input);
  const { max_tokens, reasoning_effort } = request;
  if (max_tokens === undefined && reasoning_effort === undefined) return request;
  return parseChatBody(withPresentNames(request));
}

function withPresentNames({ max_tokens, reasoning_effort, ...request }: z.infer<typeof ChatRequest>): unknown {
  const renamed: Record<string, unknown> = { ...request };
  if (max_tokens !== undefined) renamed.max_completion_tokens ??= max_tokens;
  if (reasoning_effort !== undefined) renamed.reasoning = { effort: reasoning_effort, ...request.reasoning };
  return renamed;
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
