import type { ChatChunk, ChatRequest, ChatResponse } from "../../../src/api/chat.ts";
import type { ProviderCall } from "../../../src/ports/provider.ts";
import { readCount } from "../../shared/chat/count.ts";
import { decodeStream } from "../../shared/chat/decode.ts";
import { eventDecoder } from "../../shared/gemini/events.ts";
import { fromWire } from "../../shared/gemini/from-wire.ts";
import { toWire } from "../../shared/gemini/to-wire.ts";
import type { GeminiClient } from "./client.ts";

/** Whom a chat is with. */
export interface GeminiContext extends GeminiClient {
  readonly provider: string;
}

/** A whole answer. */
export async function chatWith(of: GeminiContext, request: ChatRequest, call: ProviderCall): Promise<ChatResponse> {
  const { client, provider, filesUrl } = of;
  const body = toWire(request, { provider, call, filesUrl });
  return fromWire(await client.post(pathOf(call, "generateContent"), body, call), { provider, call });
}

/** The same as it is made. */
export function streamWith(of: GeminiContext, request: ChatRequest, call: ProviderCall): AsyncIterable<ChatChunk> {
  const { client, provider, filesUrl } = of;
  const body = () => toWire(request, { provider, call, filesUrl, isStream: true });
  const open = () => client.events(pathOf(call, "streamGenerateContent?alt=sse"), body(), call);
  return decodeStream(
    { provider, call },
    open,
    eventDecoder({ provider, call, fault: (body) => of.fault(body, call) }),
  );
}

/** The tokens of the prompt: of all that stands before the answer. */
export async function countWith(of: GeminiContext, request: ChatRequest, call: ProviderCall): Promise<number> {
  const { client, provider, filesUrl } = of;
  const { contents, systemInstruction, tools, toolConfig } = toWire(request, { provider, call, filesUrl });
  const model = pathOf(call, "").slice(1, -1);
  const body = { generateContentRequest: { model, contents, systemInstruction, tools, toolConfig } };
  return readCount(await client.post(pathOf(call, "countTokens"), body, call), "totalTokens", provider);
}

/** `/models/<model>:<method>`; a name such as `tunedModels/x` already says what it is. */
export function pathOf({ model }: ProviderCall, method: string): string {
  const name = model.split("/").map(encodeURIComponent).join("/");
  return `/${name.includes("/") ? name : `models/${name}`}:${method}`;
}
