import type { ChatChunk, ChatRequest } from "../../../src/api/chat.ts";
import type { Provider, ProviderCall } from "../../../src/ports.ts";
import { eventDecoder } from "../../shared/anthropic/events.ts";
import { streamFault } from "../../shared/anthropic/faults.ts";
import { fromWire } from "../../shared/anthropic/from-wire.ts";
import { toWire } from "../../shared/anthropic/to-wire.ts";
import { readCount } from "../../shared/chat/count.ts";
import { decodeStream } from "../../shared/chat/decode.ts";
import { overCredentials } from "../../shared/credentials.ts";
import { type AnthropicOptions, openClient } from "./client.ts";
import { listModels } from "./models.ts";

export type { AnthropicOptions } from "./client.ts";

/** Anthropic's Messages API as a provider: whole and streamed answers, tools, images, files, thinking, caching, web search. */
export function anthropic(options: AnthropicOptions): Provider {
  const { name = "anthropic", fetch, transport } = options;
  return overCredentials(options, { name, fetch, transport }, (apiKey, shared) =>
    signedWith({ ...options, apiKey, transport: shared }),
  );
}

function signedWith(options: AnthropicOptions): Provider {
  const { name: provider = "anthropic", version = "2023-06-01", maxTokens } = options;
  const client = openClient(options, { provider, version });

  function wireOf(request: ChatRequest, call: ProviderCall, isStream: boolean) {
    return toWire(request, { provider, call, maxTokens, version, isStream });
  }

  function streamChat(request: ChatRequest, call: ProviderCall): AsyncIterable<ChatChunk> {
    const fault = (body: unknown) => streamFault(client, body, call);
    const open = () => client.events("/v1/messages", wireOf(request, call, true), call);
    return decodeStream(open, eventDecoder({ provider, call, fault }));
  }

  return {
    name: provider,
    chat: async (request, call) =>
      fromWire(await client.post("/v1/messages", wireOf(request, call, false), call), { provider, call }),
    streamChat,
    continueChat: streamChat,
    countTokens: async (request, call) => {
      const { model, system, messages, thinking, tools, tool_choice } = wireOf(request, call, false);
      const question = { model, system, messages, thinking, tools, tool_choice };
      return readCount(await client.post("/v1/messages/count_tokens", question, call), "input_tokens", provider);
    },
    listModels: (call) => listModels(client, call, provider),
    close: () => client.close(),
  };
}
