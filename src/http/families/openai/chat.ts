import type { ChatRequest } from "../../../api/chat.ts";
import type { Exchange } from "../../endpoint.ts";
import { toErrorBody } from "../../errors.ts";
import { type Answer, readInput } from "../../source.ts";
import { doneFrame, toFrame } from "../../sse.ts";
import { isRecord } from "../shared/arguments.ts";
import { answerChat, type ChunkWriter } from "../shared/family.ts";
import { newNotes } from "../shared/notes.ts";
import { chunkWriter, writeCompletion } from "./answer.ts";

/** `POST /openai/v1/chat/completions`. */
export const answerChatCompletions: Answer = async (exchange, source) => {
  const body = await readInput(exchange, source);
  const isStream = isRecord(body) && body.stream === true;
  const turn = { request: withOurNames(body), isStream, notes: newNotes(), whole: writeCompletion };
  return answerChat({ ...turn, stream: () => streamWriter(exchange) }, exchange, source);
};

function streamWriter(exchange: Exchange): ChunkWriter {
  const write = chunkWriter();
  return {
    write: (chunk) => toFrame(write(chunk)),
    end: () => doneFrame,
    fail: (error) => toFrame(toErrorBody(error, exchange)),
  };
}

/** The newest clients write one value otherwise than the vendor's interface had it. The cast is the seam: the engine checks what it is given. */
function withOurNames(body: unknown): ChatRequest {
  if (!isRecord(body) || body.prompt_cache_retention !== "in_memory") return body as ChatRequest;
  return { ...body, prompt_cache_retention: "in-memory" } as ChatRequest;
}
