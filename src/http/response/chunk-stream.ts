import type { ChatChunk } from "../../engine/api/chat.ts";
import type { HttpResponse } from "../message.ts";
import { plainWriter } from "./chunk-frames.ts";
import { type KeepAliveInterval, lateChunks, precededBy, withinInterval } from "./late-stream.ts";
import { type RequestContext, toFailureFrame } from "./request-context.ts";
import { eventStreamHeaders, keepAliveFrame, toFrames } from "./sse.ts";

/**
 * The answer that streams chunks as they come; one that breaks ends with the error, and without `[DONE]`. It begins with the first chunk,
 * or with a comment once the keep-alive interval has passed: a failure from then on is the last frame.
 */
export async function streamOf(
  asked: Promise<AsyncIterable<ChatChunk>>,
  context: RequestContext,
  keepAlive: KeepAliveInterval,
): Promise<HttpResponse> {
  const writer = plainWriter((thrown) => toFailureFrame(thrown, context));
  const chunks = await withinInterval(asked, keepAlive);
  const frames = toFrames(chunks ?? lateChunks(asked), writer);
  const body = chunks ? frames : precededBy(keepAliveFrame, frames);
  return { status: 200, headers: { ...eventStreamHeaders }, body };
}
