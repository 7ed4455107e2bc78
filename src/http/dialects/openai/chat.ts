import type { ChatRequest } from "../../../api/chat.ts";
import { isRecord } from "../../../dialects/wire-values.ts";
import { type RequestHandler, readInput } from "../../context.ts";
import { toErrorBody } from "../../response/errors.ts";
import type { RequestContext } from "../../response/request-context.ts";
import { doneFrame, toFrame } from "../../response/sse.ts";
import { answerChat, type ChunkWriter } from "../shared/dialect.ts";
import { newNotes } from "../shared/translation-warnings.ts";
import { chunkWriter, writeCompletion } from "./answer.ts";

/** `POST /openai/v1/chat/completions`. */
export const answerChatCompletions: RequestHandler = async (request, context) => {
  request.requestType = "chat_completion";
  const body = await readInput(request, context);
  const isStream = isRecord(body) && body.stream === true;
  const turn = { request: withOurNames(body), isStream, notes: newNotes(), whole: writeCompletion };
  return answerChat({ ...turn, stream: () => streamWriter(request) }, request, context);
};

function streamWriter(context: RequestContext): ChunkWriter {
  const write = chunkWriter();
  return {
    write: (chunk) => toFrame(write(chunk)),
    end: () => doneFrame,
    fail: (error) => toFrame(toErrorBody(error, context)),
  };
}

/** The newest clients write one value otherwise than the vendor's interface had it. The cast is the seam: the engine checks what it is given. */
function withOurNames(body: unknown): ChatRequest {
  if (!isRecord(body) || body.prompt_cache_retention !== "in_memory") return body as ChatRequest;
  return { ...body, prompt_cache_retention: "in-memory" } as ChatRequest;
}
