import type { ChatChunk, ChatRequest, ChatResponse } from "../../../src/api/chat.ts";
import type { ProviderCall } from "../../../src/ports/provider.ts";
import { type BetaRules, withBetas } from "../../shared/anthropic/betas.ts";
import { eventDecoder } from "../../shared/anthropic/events.ts";
import { streamFault } from "../../shared/anthropic/faults.ts";
import { fromWire } from "../../shared/anthropic/from-wire.ts";
import { toWire } from "../../shared/anthropic/to-wire.ts";
import type { AnthropicWireRequest } from "../../shared/anthropic/wire.ts";
import { readCount } from "../../shared/chat/count.ts";
import { decodeStream } from "../../shared/chat/decode.ts";
import type { HttpClient } from "../../shared/http/client.ts";

/** Whom a chat is with. */
export interface AnthropicContext {
  readonly client: HttpClient;
  readonly provider: string;
  readonly version: string;
  readonly maxTokens: number | undefined;
  readonly betas: BetaRules;
}

interface AnthropicCall {
  readonly request: ChatRequest;
  readonly call: ProviderCall;
}

function wireOf(
  { provider, version, maxTokens }: AnthropicContext,
  { request, call }: AnthropicCall,
  isStream: boolean,
): AnthropicWireRequest {
  return toWire(request, { provider, call, maxTokens, version, isStream });
}

/** A whole answer. */
export async function chatWith(of: AnthropicContext, request: ChatRequest, call: ProviderCall): Promise<ChatResponse> {
  const body = wireOf(of, { request, call }, false);
  return fromWire(await of.client.post("/v1/messages", body, withBetas(request, call, of.betas)), {
    provider: of.provider,
    call,
  });
}

/** The same as it is made. */
export function streamWith(of: AnthropicContext, request: ChatRequest, call: ProviderCall): AsyncIterable<ChatChunk> {
  const { client, provider } = of;
  const fault = (body: unknown) => streamFault(client, body, call);
  const open = () =>
    client.events("/v1/messages", wireOf(of, { request, call }, true), withBetas(request, call, of.betas));
  return decodeStream({ provider, call }, open, eventDecoder({ provider, call, fault }));
}

/** The tokens of the prompt: of all that stands before the answer. */
export async function countWith(of: AnthropicContext, request: ChatRequest, call: ProviderCall): Promise<number> {
  const { model, system, messages, thinking, tools, tool_choice } = wireOf(of, { request, call }, false);
  const question = { model, system, messages, thinking, tools, tool_choice };
  return readCount(
    await of.client.post("/v1/messages/count_tokens", question, withBetas(request, call, of.betas)),
    "input_tokens",
    of.provider,
  );
}
