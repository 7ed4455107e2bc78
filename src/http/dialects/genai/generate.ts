import type { HttpContext, RequestHandler } from "../../context.ts";
import { parseQuery } from "../../request/query.ts";
import type { RequestContext } from "../../response/request-context.ts";
import { toFrame } from "../../response/sse.ts";
import { answerChat, answerCount, type ChatTurn } from "../shared/dialect.ts";
import { readObjects } from "../shared/objects.ts";
import { readRequest } from "./request/request.ts";
import { writeAnswer } from "./response/answer.ts";
import { bareAnswer, bareChunks } from "./response/bare-text.ts";
import { type Framing, streamWriter } from "./response/stream.ts";

/** `POST /genai/v1beta/models/{model}:generateContent`. */
export const answerGenerate: RequestHandler = async (request, context) => {
  const { stream, ...turn } = await readTurn(request, context, false);
  return answerChat({ ...turn, stream: () => stream(events) }, request, context);
};

/** `POST /genai/v1beta/models/{model}:streamGenerateContent`: a list of pieces, or events with `alt=sse`. */
export const answerStream: RequestHandler = async (request, context) => {
  const { stream, ...turn } = await readTurn(request, context, true);
  if (parseQuery(request.request.query).alt === "sse") {
    return answerChat({ ...turn, stream: () => stream(events) }, request, context);
  }
  const carrier = { contentType: "application/json", filler: () => "\n" };
  return answerChat({ ...turn, stream: () => stream(list), carrier }, request, context);
};

/** `POST /genai/v1beta/models/{model}:countTokens`: contents alone, or a whole request. */
export const answerCountTokens: RequestHandler = async (requestContext, context) => {
  const { model = "" } = requestContext.params;
  requestContext.model = model;
  const body = (await readObjects(requestContext, context)) as { readonly generateContentRequest?: unknown } | null;
  const { request, notes } = readRequest(model, false, body?.generateContentRequest ?? body);
  return answerCount({ request, notes, write: (totalTokens) => ({ totalTokens }) }, requestContext, context);
};

const events: Framing = { frame: toFrame, end: "" };
const list: Framing = { frame: (piece, isFirst) => `${isFirst ? "[" : ",\n"}${JSON.stringify(piece)}`, end: "]" };

type GenaiChatTurn = Omit<ChatTurn, "stream"> & { stream(framing: Framing): ReturnType<ChatTurn["stream"]> };

async function readTurn(
  requestContext: RequestContext,
  context: HttpContext,
  isStream: boolean,
): Promise<GenaiChatTurn> {
  const { model = "" } = requestContext.params;
  requestContext.model = model;
  const body = await readObjects(requestContext, context);
  const { request, notes, showsThoughts, isBare } = readRequest(model, isStream, body);
  return {
    request,
    isStream,
    notes,
    whole: (answer) => writeAnswer(isBare ? bareAnswer(answer) : answer, { notes, showsThoughts }),
    stream(framing) {
      const writer = streamWriter(framing, showsThoughts);
      if (!isBare) return writer;
      const toBare = bareChunks();
      return { ...writer, write: (chunk) => writer.write(toBare(chunk)) };
    },
  };
}
