import type { ChatResponse } from "../../../api/chat.ts";
import { type Answer, readInput } from "../../source.ts";
import { answerChat } from "../shared/family.ts";
import { writeAnswer } from "./answer.ts";
import { readRequest } from "./request.ts";
import { streamWriter } from "./stream.ts";

/** `POST /cohere/v2/chat`. */
export const answerChatRequest: Answer = async (exchange, source) => {
  const { request, notes, isStream } = readRequest(await readInput(exchange, source));
  const whole = (answer: ChatResponse) => writeAnswer(answer, notes);
  return answerChat({ request, notes, isStream, whole, stream: streamWriter }, exchange, source);
};
