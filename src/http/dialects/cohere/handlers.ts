import type { ChatResponse } from "../../../engine/api/chat.ts";
import { type RequestHandler, readInput } from "../../context.ts";
import { answerChat } from "../shared/dialect.ts";
import { writeAnswer } from "./answer.ts";
import { answerVectors } from "./embed.ts";
import { readRequest } from "./request.ts";
import { answerRanks } from "./rerank.ts";
import { streamWriter } from "./stream.ts";

/** `POST /cohere/v2/chat`. */
const answerChatRequest: RequestHandler = async (requestContext, context) => {
  requestContext.requestType = "chat_completion";
  const { request, notes, isStream } = readRequest(await readInput(requestContext, context));
  const whole = (answer: ChatResponse) => writeAnswer(answer, notes);
  return answerChat({ request, notes, isStream, whole, stream: streamWriter }, requestContext, context);
};

/** The handler of each operation. */
export const handlers = {
  cohere_chat: answerChatRequest,
  cohere_rerank: answerRanks,
  cohere_embed: answerVectors,
} satisfies Record<string, RequestHandler>;
