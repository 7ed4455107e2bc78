import type { ChatChunk, ChatRequest, ChatResponse } from "../../../src/engine/api/chat.ts";
import type { ProviderCall } from "../../../src/engine/ports/provider.ts";
import { readCount } from "../../shared/chat/count.ts";
import { decodeStream } from "../../shared/chat/decode.ts";
import type { Translation } from "../../shared/chat/fields.ts";
import type { TaughtChats } from "../../shared/chat/taught-chats.ts";
import { eventDecoder } from "../../shared/gemini/events.ts";
import { fromWire } from "../../shared/gemini/from-wire.ts";
import { toWire } from "../../shared/gemini/to-wire.ts";
import type { GeminiClient } from "./client.ts";

/** Whom a chat is with. */
export interface GeminiContext extends GeminiClient {
  readonly provider: string;
  readonly chats: TaughtChats;
}

/** A whole answer. */
export async function chatWith(of: GeminiContext, request: ChatRequest, call: ProviderCall): Promise<ChatResponse> {
  const { chats, provider, filesUrl } = of;
  const write = (to: Translation) => ({ ...toWire(request, { ...to, filesUrl }) });
  return fromWire(await chats.whole({ path: pathOf(call, "generateContent"), call, write }), { provider, call });
}

/** The same as it is made. */
export function streamWith(of: GeminiContext, request: ChatRequest, call: ProviderCall): AsyncIterable<ChatChunk> {
  const { chats, provider, filesUrl } = of;
  const write = (to: Translation) => ({ ...toWire(request, { ...to, filesUrl, isStream: true }) });
  const open = () => chats.events({ path: pathOf(call, "streamGenerateContent?alt=sse"), call, write });
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
