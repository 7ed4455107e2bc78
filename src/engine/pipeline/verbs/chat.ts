import type { ChatChunk, ChatRequest, ChatResponse } from "../../api/chat.ts";
import { boundChat } from "../../metering/usage-bound.ts";
import { askChat, askStream } from "../attempts/ask-chat.ts";
import { awaitFirstContent, type CommittedStream } from "../delivery/first-content.ts";
import { toPublicAnswer } from "../delivery/public-form.ts";
import { deliverStream } from "../delivery/stream.ts";
import { discardStream } from "../delivery/stream-end.ts";
import { deliverWhole, discardWhole } from "../delivery/whole.ts";
import { chatFields, parseChat } from "./parse-chat.ts";
import type { Verb } from "./verb.ts";

export const chat: Verb<ChatRequest, ChatResponse, ChatResponse> = {
  requestType: "chat_completion",
  route: "chat",
  parse: parseChat,
  fields: chatFields,
  ask: askChat,
  deliver: ({ call }, served) => deliverWhole(call, served, toPublicAnswer),
  discard: discardWhole,
  bound: boundChat,
};

const streamChat: Verb<ChatRequest, CommittedStream, AsyncIterable<ChatChunk>> = {
  requestType: "chat_completion_stream",
  route: "streamChat",
  parse: parseChat,
  fields: chatFields,
  ask: (provider, request, attempt) => awaitFirstContent(askStream(provider, request, { attempt }), attempt),
  deliver: deliverStream,
  discard: discardStream,
  bound: boundChat,
};

/** Both verbs with the prompt unchanged. */
export const plainChats = { chat, streamChat };
