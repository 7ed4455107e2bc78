import type { ChatChunk, ChatRequest, ChatResponse } from "../../../../src/engine/api/chat.ts";
import type { ChatMessage } from "../../../../src/engine/api/message.ts";
import { writeAnswer as writeAnthropic } from "../../../../src/http/dialects/anthropic/answer.ts";
import { readRequest as readAnthropic } from "../../../../src/http/dialects/anthropic/request.ts";
import { streamWriter as anthropicWriter } from "../../../../src/http/dialects/anthropic/stream.ts";
import { writeAnswer as writeCohere } from "../../../../src/http/dialects/cohere/answer.ts";
import { readRequest as readCohere } from "../../../../src/http/dialects/cohere/request.ts";
import { streamWriter as cohereWriter } from "../../../../src/http/dialects/cohere/stream.ts";
import { readRequest as readGenai } from "../../../../src/http/dialects/genai/request/request.ts";
import { writeAnswer as writeGenai } from "../../../../src/http/dialects/genai/response/answer.ts";
import { streamWriter as genaiWriter } from "../../../../src/http/dialects/genai/response/stream.ts";
import type { GenaiResponse } from "../../../../src/http/dialects/genai/schema.ts";
import { writeAnswer as writeResponse } from "../../../../src/http/dialects/responses/answer.ts";
import { readRequest as readResponse } from "../../../../src/http/dialects/responses/request.ts";
import { streamWriter as responseWriter } from "../../../../src/http/dialects/responses/stream.ts";
import type { ChunkWriter } from "../../../../src/http/dialects/shared/dialect.ts";
import { newNotes } from "../../../../src/http/dialects/shared/translation-warnings.ts";
import { toFrame } from "../../../../src/http/response/sse.ts";
import { readEvents } from "./frames.ts";
import { type Gather, gatherAnthropic, gatherCohere, gatherGenai, gatherResponses, joinParts } from "./gather.ts";

/** One dialect as its clients see it. */
export interface Rig {
  /** The vendor's whole answer, as JSON carries it. */
  whole(answer: ChatResponse): unknown;
  /** The vendor's whole answer, gathered from the stream that tells it. */
  streamed(chunks: readonly ChatChunk[]): unknown;
  /** A request whose history is one question and a past answer, which the client hands back as it got it. */
  handBack(answer: unknown): ChatRequest;
}

const model = "some/model";

function tell(writer: ChunkWriter, chunks: readonly ChatChunk[], gather: Gather): unknown {
  const text = chunks.map((chunk) => writer.write(chunk)).join("") + writer.end();
  return gather(readEvents(text));
}

function viaJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

/** Parts joined as a client of the stream joins them. */
function wholeGenai(answer: ChatResponse, showsThoughts: boolean): unknown {
  const whole = viaJson(writeGenai(answer, { notes: newNotes(), showsThoughts })) as GenaiResponse;
  for (const { content } of whole.candidates) if (content) content.parts = joinParts(content.parts);
  return whole;
}

const genaiFraming = { frame: toFrame, end: "" };
const asked = { model, input: "question" };

/** The dialects that have words of their own for everything. */
export const rigs: Readonly<Record<string, Rig>> = {
  anthropic: {
    whole: (answer) => viaJson(writeAnthropic(answer, newNotes())),
    streamed: (chunks) => tell(anthropicWriter(), chunks, gatherAnthropic),
    handBack(answer) {
      const { content } = answer as { content: unknown };
      const messages = [
        { role: "user", content: "question" },
        { role: "assistant", content },
      ];
      return readAnthropic({ model, max_tokens: 100, messages }).request;
    },
  },
  genai: {
    whole: (answer) => wholeGenai(answer, true),
    streamed: (chunks) => tell(genaiWriter(genaiFraming, true), chunks, gatherGenai),
    handBack(answer) {
      const { candidates } = answer as { candidates: { content: unknown }[] };
      const contents = [{ role: "user", parts: [{ text: "question" }] }, candidates[0]?.content];
      return readGenai(model, false, { contents }).request;
    },
  },
  "genai without thoughts": {
    whole: (answer) => wholeGenai(answer, false),
    streamed: (chunks) => tell(genaiWriter(genaiFraming, false), chunks, gatherGenai),
    handBack: (answer) => rigs.genai?.handBack(answer) as ChatRequest,
  },
  cohere: {
    whole: (answer) => viaJson(writeCohere(answer, newNotes())),
    streamed: (chunks) => tell(cohereWriter(), chunks, gatherCohere),
    handBack(answer) {
      const { message } = answer as { message: unknown };
      return readCohere({ model, messages: [{ role: "user", content: "question" }, message] }).request;
    },
  },
  responses: {
    whole: (answer) => viaJson(writeResponse(answer, asked, newNotes())),
    streamed: (chunks) => tell(responseWriter(asked), chunks, gatherResponses),
    handBack(answer) {
      const { output } = answer as { output: unknown[] };
      return readResponse({ model, input: [{ role: "user", content: "question" }, ...output] }).request;
    },
  },
};

/** The answer among the messages of a request that hands it back. */
export function pastAnswer({ messages }: ChatRequest): ChatMessage {
  const said = messages.filter(({ role }) => role === "assistant");
  if (said.length > 1) throw new Error("one answer came back as several");
  return said[0] ?? { role: "assistant", content: null };
}
