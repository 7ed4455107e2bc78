import type { ChatRequest, ChatResponse } from "../../../engine/api/chat.ts";
import {
  usesFunctions,
  withFunctionCalls,
  withFunctionDeltas,
  withTools,
} from "../../../engine/dialects/openai/older-functions.ts";
import { isRecord } from "../../../engine/dialects/wire-values.ts";
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
  const isOlder = usesFunctions(body);
  const asked = isOlder ? withTools(body) : body;
  const turn = {
    body,
    request: withOurNames(asked),
    isStream,
    notes: newNotes(olderNames(body)),
    whole: (answer: ChatResponse) => (isOlder ? withFunctionCalls(writeCompletion(answer)) : writeCompletion(answer)),
  };
  return answerChat({ ...turn, stream: () => streamWriter(request, isOlder) }, request, context);
};

function streamWriter(context: RequestContext, isOlder: boolean): ChunkWriter {
  const write = chunkWriter();
  return {
    write: (chunk) => toFrame(isOlder ? withFunctionDeltas(write(chunk)) : write(chunk)),
    end: () => doneFrame,
    fail: (error) => toFrame(toErrorBody(error, context)),
  };
}

/** Present names of fields → the older ones that the caller wrote, for warnings and errors. */
function olderNames(body: unknown): Readonly<Record<string, string>> {
  if (!isRecord(body)) return {};
  return {
    ...(body.reasoning_effort !== undefined && body.reasoning === undefined ? { reasoning: "reasoning_effort" } : {}),
    ...(body.max_tokens !== undefined && body.max_completion_tokens === undefined
      ? { max_completion_tokens: "max_tokens" }
      : {}),
  };
}

/** The newest clients write one value otherwise than the vendor's interface had it. The cast is the seam: the engine checks what it is given. */
function withOurNames(body: unknown): ChatRequest {
  if (!isRecord(body) || body.prompt_cache_retention !== "in_memory") return body as ChatRequest;
  return { ...body, prompt_cache_retention: "in-memory" } as ChatRequest;
}
