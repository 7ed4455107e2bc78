import type { ChatResponse } from "../../../engine/api/chat.ts";
import { type RequestHandler, readInput } from "../../context.ts";
import { answerChat } from "../shared/dialect.ts";
import { writeAnswer } from "./answer.ts";
import { readRequest } from "./request.ts";
import { streamWriter } from "./stream.ts";

/** `POST /cohere/v2/chat`. */
export const answerChatRequest: RequestHandler = async (requestContext, context) => {
  requestContext.requestType = "chat_completion";
  const { request, notes, isStream } = readRequest(await readInput(requestContext, context));
  const whole = (answer: ChatResponse) => writeAnswer(answer, notes);
  return answerChat({ request, notes, isStream, whole, stream: streamWriter }, requestContext, context);
};
