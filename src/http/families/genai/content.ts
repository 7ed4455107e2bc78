import type { Exchange } from "../../endpoint.ts";
import { parseQuery } from "../../query.ts";
import { type Answer, readInput, type Source } from "../../source.ts";
import { toFrame } from "../../sse.ts";
import { answerChat, type ChatTurn, uncounted } from "../shared/family.ts";
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

/** `POST /genai/v1beta/models/{model}:countTokens`: the engine has no verb for it yet. */
export const answerCountTokens: Answer = async (exchange, source) => {
  await readInput(exchange, source);
  throw uncounted(exchange.params.model ?? "");
};

const events: Framing = { frame: toFrame, end: "" };
const list: Framing = { frame: (piece, isFirst) => `${isFirst ? "[" : ",\n"}${JSON.stringify(piece)}`, end: "]" };

type GenaiTurn = Omit<ChatTurn, "stream"> & { stream(framing: Framing): ReturnType<ChatTurn["stream"]> };

async function readTurn(exchange: Exchange, source: Source, isStream: boolean): Promise<GenaiTurn> {
  const { model = "" } = exchange.params;
  exchange.model = model;
  const { request, notes, showsThoughts } = readRequest(model, isStream, await readInput(exchange, source));
  return {
    request,
    isStream,
    notes,
    whole: (answer) => writeAnswer(answer, { notes, showsThoughts }),
    stream: (framing) => streamWriter(framing, showsThoughts),
  };
}
