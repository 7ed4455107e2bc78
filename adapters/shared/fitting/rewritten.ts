import type { ChatChunk, ChatRequest, ChatResponse } from "../../../src/engine/api/chat.ts";
import type { Provider, ProviderCall } from "../../../src/engine/ports/provider.ts";

/** What a rewrite passes, and who is asked. */
export type Chats = Pick<Provider, "name" | "chat" | "streamChat" | "continueChat" | "countTokens">;

/** A request in the form that a vendor takes, and how its answer is read. */
export interface Rewrite {
  readonly request: ChatRequest;
  readonly answer: (answer: ChatResponse) => ChatResponse;
  /** A reader of one stream's chunks, in order. */
  readonly chunks: () => (chunk: ChatChunk) => ChatChunk;
}

/** Whom a request is rewritten for. */
export interface RewriteContext {
  readonly provider: string;
  readonly call: Pick<ProviderCall, "warn" | "hasFallback">;
  /** The last message is the beginning of the answer. */
  readonly isContinuation: boolean;
}

/** Returns the rewrite of a request; `undefined` where the vendor takes it as it is. */
export type Rewriter = (request: ChatRequest, context: RewriteContext) => Rewrite | undefined;

/** The provider behind a rewrite of its requests, whole, streamed and continued. */
export function rewritten<Speaker extends Chats>(provider: Speaker, rewrite: Rewriter): Speaker {
  const { name, chat, streamChat, continueChat, countTokens } = provider;
  const rewriteFor = (request: ChatRequest, call: ProviderCall, isContinuation = false) =>
    rewrite(request, { provider: name, call, isContinuation });
  return {
    ...provider,
    ...(chat && {
      chat: async (request, call) => {
        const own = rewriteFor(request, call);
        return own === undefined ? chat(request, call) : own.answer(await chat(own.request, call));
      },
    }),
    ...(streamChat && {
      streamChat: (request, call) => {
        const own = rewriteFor(request, call);
        return own === undefined ? streamChat(request, call) : read(streamChat(own.request, call), own);
      },
    }),
    ...(continueChat && {
      continueChat: (request, call) => {
        const own = rewriteFor(request, call, true);
        return own === undefined ? continueChat(request, call) : read(continueChat(own.request, call), own);
      },
    }),
    ...(countTokens && {
      countTokens: (request, call) => countTokens(rewriteFor(request, call)?.request ?? request, call),
    }),
  } satisfies Chats as Speaker; // the verbs of `provider`, each with its own signature
}

async function* read(chunks: AsyncIterable<ChatChunk>, { chunks: reader }: Rewrite): AsyncGenerator<ChatChunk> {
  const readChunk = reader();
  for await (const chunk of chunks) yield readChunk(chunk);
}
