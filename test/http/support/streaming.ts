import type { ChatChunk } from "../../../src/engine/api/chat.ts";
import type { CallOptions, CoreEngine } from "../../../src/engine/engine.ts";
import { type CoreListenerOptions, createListener } from "../../../src/http/server/node.ts";
import { chunkOf, engineDouble, hello } from "./engine-double.ts";
import { promised, serve, stillClock } from "./server.ts";

/** Where chat is asked for. */
export const path = "/v1/chat/completions";
/** The smallest request for a stream. */
export const streamed = { ...hello, stream: true };

/** What a test's engine answers to a streamed chat. */
export type StreamChat = (signal: AbortSignal) => AsyncIterable<ChatChunk> | Promise<AsyncIterable<ChatChunk>>;

/** An engine that streams these chunks. */
export function streaming(streamChat: StreamChat) {
  const engine: Partial<CoreEngine> = {
    streamChat: async (_request, options?: CallOptions) => streamChat(options?.signal as AbortSignal),
  };
  return engineDouble(engine);
}

/** A server over an engine that streams these chunks. */
export const listen = (streamChat: StreamChat, options: Partial<CoreListenerOptions> = {}) =>
  serve(createListener({ engine: streaming(streamChat), clock: stillClock, ...options }));

/** Chunks without end, and what the listener did with them. */
export function endless(text: string, signal: AbortSignal) {
  const seen = { pulls: 0, returns: 0, abortedAt: 0, ended: promised<void>() };
  signal.addEventListener("abort", () => {
    seen.abortedAt = performance.now();
  });
  const iterator: AsyncIterator<ChatChunk> = {
    next: async () => ({ done: false, value: chunkOf(text, seen.pulls++) }),
    return: async () => {
      seen.returns++;
      seen.ended.resolve();
      return { done: true, value: undefined };
    },
  };
  return { seen, chunks: { [Symbol.asyncIterator]: () => iterator } };
}
