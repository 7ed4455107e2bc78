import type { ChatChunk, ChatRequest, ChatResponse } from "../../../src/engine/api/chat.ts";
import type { ProviderCall } from "../../../src/engine/ports/provider.ts";
import type { TaughtChats } from "../../shared/chat/taught-chats.ts";
import type { VertexClient } from "./client.ts";

/** How the models of one publisher are spoken to. */
export interface PublisherApi {
  chat(request: ChatRequest, call: ProviderCall): Promise<ChatResponse>;
  streamChat(request: ChatRequest, call: ProviderCall): AsyncIterable<ChatChunk>;
  countTokens(request: ChatRequest, call: ProviderCall): Promise<number>;
  /** What Anthropic's models are continued by. */
  continueChat?(request: ChatRequest, call: ProviderCall): AsyncIterable<ChatChunk>;
}

/** Whom a provider is, as its publishers see it. */
export interface PublisherContext {
  readonly provider: string;
  readonly client: VertexClient;
  readonly maxTokens: number | undefined;
  readonly chats: TaughtChats;
}
