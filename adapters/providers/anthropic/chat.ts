import type { ChatChunk, ChatRequest, ChatResponse } from "../../../src/engine/api/chat.ts";
import type { ProviderCall } from "../../../src/engine/ports/provider.ts";
import { type BetaRules, withBetas } from "../../shared/anthropic/betas.ts";
import { eventDecoder } from "../../shared/anthropic/events.ts";
import { streamFault } from "../../shared/anthropic/faults.ts";
import { fromWire } from "../../shared/anthropic/from-wire.ts";
import { toWire } from "../../shared/anthropic/to-wire.ts";
import { readCount } from "../../shared/chat/count.ts";
import { decodeStream } from "../../shared/chat/decode.ts";
import type { Translation } from "../../shared/chat/fields.ts";
import type { TaughtChats } from "../../shared/chat/taught-chats.ts";
import type { HttpClient } from "../../shared/http/client.ts";

/** Whom a chat is with. */
export interface AnthropicContext {
  readonly client: HttpClient;
  readonly chats: TaughtChats;
  readonly provider: string;
  readonly version: string;
  readonly maxTokens: number | undefined;
  readonly betas: BetaRules;
}

function outgoing(of: AnthropicContext, request: ChatRequest, call: ProviderCall) {
  const { version, maxTokens, betas } = of;
  const write = (isStream: boolean) => (to: Translation) => ({
    ...toWire(request, { ...to, maxTokens, version, isStream }),
  });
  return { path: "/v1/messages", call, sent: withBetas(request, call, betas), write };
}

/** A whole answer. */
export async function chatWith(of: AnthropicContext, request: ChatRequest, call: ProviderCall): Promise<ChatResponse> {
  const chat = outgoing(of, request, call);
  const { provider } = of;
  return fromWire(await of.chats.whole({ ...chat, write: chat.write(false) }), { provider, call });
}

/** The same as it is made. */
export function streamWith(of: AnthropicContext, request: ChatRequest, call: ProviderCall): AsyncIterable<ChatChunk> {
  const { client, provider, chats } = of;
  const fault = (body: unknown) => streamFault(client, body, call);
  const open = () => {
    const chat = outgoing(of, request, call);
    return chats.events({ ...chat, write: chat.write(true) });
  };
  return decodeStream({ provider, call }, open, eventDecoder({ provider, call, fault }));
}

/** The tokens of the prompt: of all that stands before the answer. */
export async function countWith(of: AnthropicContext, request: ChatRequest, call: ProviderCall): Promise<number> {
  const { provider, version, maxTokens } = of;
  const body = toWire(request, { provider, call, maxTokens, version, isStream: false });
  const { model, system, messages, thinking, tools, tool_choice } = body;
  const question = { model, system, messages, thinking, tools, tool_choice };
  return readCount(
    await of.client.post("/v1/messages/count_tokens", question, withBetas(request, call, of.betas)),
    "input_tokens",
    provider,
  );
}
