import type { ChatChunk, ChatRequest, ChatResponse } from "../../../src/api/chat.ts";
import { GatewayError } from "../../../src/errors.ts";
import type { ProviderCall } from "../../../src/ports/provider.ts";
import { decodeStream } from "../../shared/chat/decode.ts";
import type { HttpClient } from "../../shared/http/client.ts";
import { fromWire } from "./answer.ts";
import { type BedrockOptions, dated, pathOf, streamed } from "./client.ts";
import { eventDecoder } from "./events.ts";
import { streamFault } from "./faults.ts";
import { isClaude, toWire } from "./to-wire.ts";

/** Whom a chat is with. */
export interface BedrockContext {
  readonly provider: string;
  readonly runtime: HttpClient;
  readonly options: BedrockOptions;
}

/** A whole answer. */
export async function chatWith(of: BedrockContext, request: ChatRequest, call: ProviderCall): Promise<ChatResponse> {
  const { provider, runtime, options } = of;
  const body = toWire(request, { provider, call, maxTokens: options.maxTokens });
  return fromWire(await runtime.post(pathOf(call, "converse"), body, dated(call, options)), { provider, call });
}

/** The same as it is made. */
export function streamWith(of: BedrockContext, request: ChatRequest, call: ProviderCall): AsyncIterable<ChatChunk> {
  const { provider, runtime, options } = of;
  const body = () => toWire(request, { provider, call, maxTokens: options.maxTokens });
  const open = () => runtime.events(pathOf(call, "converse-stream"), body(), streamed(call, options));
  const fault = (event: readonly [string, unknown]) => streamFault(runtime, event, call);
  return decodeStream({ provider, call }, open, eventDecoder({ provider, call, fault }));
}

/** Goes on from the last message; of the models here only Claude is documented to take one. */
export function continueWith(of: BedrockContext, request: ChatRequest, call: ProviderCall): AsyncIterable<ChatChunk> {
  if (isClaude(call.model)) return streamWith(of, request, call);
  const { provider } = of;
  throw new GatewayError("unsupported_operation", `${call.model} of ${provider} takes no prefill.`, { provider });
}
