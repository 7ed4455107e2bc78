import type { Exchange } from "../../endpoint.ts";
import { parseQuery } from "../../query.ts";
import type { Answer, Source } from "../../source.ts";
import { toFrame } from "../../sse.ts";
import { answerChat, answerCount, type ChatTurn } from "../shared/family.ts";
import { readObjects } from "../shared/objects.ts";
import { writeAnswer } from "./answer.ts";
import { readRequest } from "./request.ts";
import { type Framing, streamWriter } from "./stream.ts";

/** `POST /genai/v1beta/models/{model}:generateContent`. */
export const answerGenerate: Answer = async (exchange, source) => {
  const { stream, ...turn } = await readTurn(exchange, source, false);
  return answerChat({ ...turn, stream: () => stream(events) }, exchange, source);
};

/** `POST /genai/v1beta/models/{model}:streamGenerateContent`: a list of pieces, or events with `alt=sse`. */
export const answerStream: Answer = async (exchange, source) => {
  const { stream, ...turn } = await readTurn(exchange, source, true);
  if (parseQuery(exchange.request.query).alt === "sse") {
    return answerChat({ ...turn, stream: () => stream(events) }, exchange, source);
  }
  const carrier = { contentType: "application/json", filler: "\n" };
  return answerChat({ ...turn, stream: () => stream(list), carrier }, exchange, source);
};

/** `POST /genai/v1beta/models/{model}:countTokens`: contents alone, or a whole request. */
export const answerCountTokens: Answer = async (exchange, source) => {
  const { model = "" } = exchange.params;
  exchange.model = model;
  const body = (await readObjects(exchange, source)) as { readonly generateContentRequest?: unknown } | null;
  const { request, notes } = readRequest(model, false, body?.generateContentRequest ?? body);
  return answerCount({ request, notes, write: (totalTokens) => ({ totalTokens }) }, exchange, source);
};

const events: Framing = { frame: toFrame, end: "" };
const list: Framing = { frame: (piece, isFirst) => `${isFirst ? "[" : ",\n"}${JSON.stringify(piece)}`, end: "]" };

type GenaiTurn = Omit<ChatTurn, "stream"> & { stream(framing: Framing): ReturnType<ChatTurn["stream"]> };

async function readTurn(exchange: Exchange, source: Source, isStream: boolean): Promise<GenaiTurn> {
  const { model = "" } = exchange.params;
  exchange.model = model;
  const { request, notes, showsThoughts } = readRequest(model, isStream, await readObjects(exchange, source));
  return {
    request,
    isStream,
    notes,
    whole: (answer) => writeAnswer(answer, { notes, showsThoughts }),
    stream: (framing) => streamWriter(framing, showsThoughts),
  };
}
