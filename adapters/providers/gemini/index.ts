import type { ChatChunk, ChatRequest } from "../../../src/api/chat.ts";
import type { EmbeddingRequest, EmbeddingResponse } from "../../../src/api/embeddings.ts";
import type { Provider, ProviderCall } from "../../../src/ports.ts";
import { readCount } from "../../shared/chat/count.ts";
import { decodeStream } from "../../shared/chat/decode.ts";
import { overCredentials } from "../../shared/credentials.ts";
import { eventDecoder } from "../../shared/gemini/events.ts";
import { fromWire } from "../../shared/gemini/from-wire.ts";
import { toWire } from "../../shared/gemini/to-wire.ts";
import { type GeminiOptions, openClient } from "./client.ts";
import { type EmbedQuestion, embedTexts } from "./embeddings.ts";
import { listModels } from "./models.ts";

export type { GeminiOptions } from "./client.ts";

/** Google's Gemini API as a provider: whole and streamed answers, functions, media, thinking, search, embeddings. */
export function gemini(options: GeminiOptions): Provider {
  const { name = "gemini", fetch, transport } = options;
  return overCredentials(options, { name, fetch, transport }, (apiKey, shared) =>
    signedWith({ ...options, apiKey, transport: shared }),
  );
}

function signedWith(options: GeminiOptions): Provider {
  const { name: provider = "gemini" } = options;
  const { client, filesUrl, fault } = openClient(options, provider);

  async function chat(request: ChatRequest, call: ProviderCall) {
    const body = toWire(request, { provider, call, filesUrl });
    return fromWire(await client.post(pathOf(call, "generateContent"), body, call), { provider, call });
  }

  function streamChat(request: ChatRequest, call: ProviderCall): AsyncIterable<ChatChunk> {
    const open = () =>
      client.events(pathOf(call, "streamGenerateContent?alt=sse"), toWire(request, { provider, call, filesUrl }), call);
    return decodeStream(open, eventDecoder({ provider, call, fault: (body) => fault(body, call) }));
  }

  async function countTokens(request: ChatRequest, call: ProviderCall): Promise<number> {
    const { contents, systemInstruction, tools, toolConfig } = toWire(request, { provider, call, filesUrl });
    const model = pathOf(call, "").slice(1, -1);
    const body = { generateContentRequest: { model, contents, systemInstruction, tools, toolConfig } };
    return readCount(await client.post(pathOf(call, "countTokens"), body, call), "totalTokens", provider);
  }

  function embed(request: EmbeddingRequest, call: ProviderCall): Promise<EmbeddingResponse> {
    const ask = ({ method, body }: EmbedQuestion, own: ProviderCall) => client.post(pathOf(own, method), body, own);
    return embedTexts(request, call, { provider, ask });
  }

  return {
    name: provider,
    chat,
    streamChat,
    embed,
    countTokens,
    listModels: (call) => listModels(client, call, provider),
    close: () => client.close(),
  };
}

/** `/models/<model>:<method>`; a name such as `tunedModels/x` already says what it is. */
function pathOf({ model }: ProviderCall, method: string): string {
  const name = model.split("/").map(encodeURIComponent).join("/");
  return `/${name.includes("/") ? name : `models/${name}`}:${method}`;
}
