import type { ChatChunk, ChatRequest, ChatResponse } from "../../../src/engine/api/chat.ts";
import type { Provider, ProviderCall } from "../../../src/engine/ports/provider.ts";
import { decodeStream } from "../../shared/chat/decode.ts";
import type { Translation } from "../../shared/chat/fields.ts";
import type { TaughtChats } from "../../shared/chat/taught-chats.ts";
import { fitting } from "../../shared/fitting/fitting.ts";
import type { HttpClient } from "../../shared/http/client.ts";
import { fromWire } from "./answer.ts";
import { type BedrockOptions, dated, pathOf, requestedByHeader, streamed } from "./client.ts";
import { eventDecoder } from "./events.ts";
import { streamFault } from "./faults.ts";
import { requireClaude } from "./parameters.ts";
import { toWire } from "./to-wire.ts";

/** Whom a chat is with. */
export interface BedrockContext {
  readonly provider: string;
  readonly runtime: HttpClient;
  readonly chats: TaughtChats;
  readonly options: BedrockOptions;
}

/** The verbs of a chat. */
export function chatsOf(of: BedrockContext): Pick<Provider, "name" | "chat" | "streamChat" | "continueChat"> {
  return fitting(
    {
      name: of.provider,
      chat: (request, call) => chatWith(of, request, call),
      streamChat: (request, call) => streamWith(of, request, call),
      continueChat: (request, call) => continueWith(of, request, call),
    },
    "converse",
  );
}

function writing({ options }: BedrockContext, request: ChatRequest, call: ProviderCall) {
  const { maxTokens, callerHeaders } = options;
  const byHeader = requestedByHeader(call, callerHeaders);
  return (to: Translation) => ({ ...toWire(request, { ...to, maxTokens, byHeader }) });
}

/** A whole answer. */
async function chatWith(of: BedrockContext, request: ChatRequest, call: ProviderCall): Promise<ChatResponse> {
  const { provider, chats, options } = of;
  const write = writing(of, request, call);
  const chat = { path: pathOf(call, "converse"), call, sent: dated(call, options), write };
  return fromWire(await chats.whole(chat), { provider, call });
}

/** The same as it is made. */
function streamWith(of: BedrockContext, request: ChatRequest, call: ProviderCall): AsyncIterable<ChatChunk> {
  const { provider, runtime, chats, options } = of;
  const write = writing(of, request, call);
  const open = () =>
    chats.events({ path: pathOf(call, "converse-stream"), call, sent: streamed(call, options), write });
  const fault = (event: readonly [string, unknown]) => streamFault(runtime, event, call);
  return decodeStream({ provider, call }, open, eventDecoder({ provider, call, fault }));
}

/** Goes on from the last message; of the models here only Claude is documented to take one. */
function continueWith(of: BedrockContext, request: ChatRequest, call: ProviderCall): AsyncIterable<ChatChunk> {
  requireClaude(call.model, of.provider);
  return streamWith(of, request, call);
}
