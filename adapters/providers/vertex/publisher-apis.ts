import type { ChatChunk, ChatRequest, ChatResponse } from "../../../src/api/chat.ts";
import type { ProviderCall } from "../../../src/ports/provider.ts";
import { usualBetas, withBetas } from "../../shared/anthropic/betas.ts";
import { eventDecoder as claudeDecoder } from "../../shared/anthropic/events.ts";
import { streamFault } from "../../shared/anthropic/faults.ts";
import { fromWire as fromClaude } from "../../shared/anthropic/from-wire.ts";
import { toWire as toClaude } from "../../shared/anthropic/to-wire.ts";
import { readCount } from "../../shared/chat/count.ts";
import { decodeStream } from "../../shared/chat/decode.ts";
import type { VertexClient } from "./client.ts";
import { geminiPublisherApi } from "./gemini.ts";

/** How the models of one publisher are spoken to. */
export interface PublisherApi {
  chat(request: ChatRequest, call: ProviderCall): Promise<ChatResponse>;
  streamChat(request: ChatRequest, call: ProviderCall): AsyncIterable<ChatChunk>;
  countTokens(request: ChatRequest, call: ProviderCall): Promise<number>;
}

/** Whom a provider is, as its publishers see it. */
export interface PublisherContext {
  readonly provider: string;
  readonly client: VertexClient;
  readonly maxTokens: number | undefined;
}

/** Both publishers' ways to speak. */
export function publisherApisOf(speaker: PublisherContext): {
  readonly google: PublisherApi;
  readonly anthropic: PublisherApi;
} {
  return { google: geminiPublisherApi(speaker), anthropic: claudePublisherApi(speaker) };
}

/** In place of the header and the model's name, which stands in the address. */
const anthropicVersion = { anthropic_version: "vertex-2023-10-16" };

/** The version of the Messages API that this cloud speaks. */
const version = "2023-06-01";

function claudePublisherApi({ provider, client, maxTokens }: PublisherContext): PublisherApi {
  const { http, pathOf } = client;
  const wireOf = (request: ChatRequest, call: ProviderCall, isStream: boolean) =>
    toClaude(request, { provider, call, maxTokens, version, isStream });
  const bodyOf = (request: ChatRequest, call: ProviderCall, isStream: boolean) => {
    const { model: _inTheAddress, ...body } = wireOf(request, call, isStream);
    return { ...anthropicVersion, ...body };
  };
  const allow = (request: ChatRequest, call: ProviderCall) =>
    withBetas(request, call, { provider, own: [], allowed: usualBetas });
  return {
    async chat(request, call) {
      const path = pathOf("anthropic", call.model, "rawPredict");
      return fromClaude(await http.post(path, bodyOf(request, call, false), allow(request, call)), { provider, call });
    },
    streamChat(request, call) {
      const path = pathOf("anthropic", call.model, "streamRawPredict");
      const fault = (body: unknown) => streamFault(http, body, call);
      return decodeStream(
        { provider, call },
        () => http.events(path, bodyOf(request, call, true), allow(request, call)),
        claudeDecoder({ provider, call, fault }),
      );
    },
    async countTokens(request, call) {
      const { model, system, messages, thinking, tools, tool_choice } = wireOf(request, call, false);
      const body = { ...anthropicVersion, model, system, messages, thinking, tools, tool_choice };
      const path = pathOf("anthropic", "count-tokens", "rawPredict");
      return readCount(await http.post(path, body, allow(request, call)), "input_tokens", provider);
    },
  };
}
