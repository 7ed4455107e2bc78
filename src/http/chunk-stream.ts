import type { ChatChunk } from "../api/chat.ts";
import { plainWriter } from "./chunk-frames.ts";
import { type Exchange, toFailureFrame } from "./endpoint.ts";
import type { HttpResponse } from "./exchange.ts";
import { eventStreamHeaders, toFrames } from "./sse.ts";

/** The answer that streams chunks as they come; one that breaks ends with the error, and without `[DONE]`. */
export function streamOf(chunks: AsyncIterable<ChatChunk>, exchange: Exchange): HttpResponse {
  const writer = plainWriter((thrown) => toFailureFrame(thrown, exchange));
  return { status: 200, headers: { ...eventStreamHeaders }, body: toFrames(chunks, writer) };
}
