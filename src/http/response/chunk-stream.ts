import type { ChatChunk } from "../../api/chat.ts";
import type { HttpResponse } from "../message.ts";
import { plainWriter } from "./chunk-frames.ts";
import { type RequestContext, toFailureFrame } from "./request-context.ts";
import { eventStreamHeaders, toFrames } from "./sse.ts";

/** The answer that streams chunks as they come; one that breaks ends with the error, and without `[DONE]`. */
export function streamOf(chunks: AsyncIterable<ChatChunk>, context: RequestContext): HttpResponse {
  const writer = plainWriter((thrown) => toFailureFrame(thrown, context));
  return { status: 200, headers: { ...eventStreamHeaders }, body: toFrames(chunks, writer) };
}
