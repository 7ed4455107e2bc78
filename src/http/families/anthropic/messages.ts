import type { Answer } from "../../source.ts";
import { answerChat, answerCount } from "../shared/family.ts";
import { readObjects } from "../shared/objects.ts";
import { writeAnswer } from "./answer.ts";
import { readRequest } from "./request.ts";
import { streamWriter } from "./stream.ts";

/** `POST /anthropic/v1/messages`. */
export const answerMessages: Answer = async (exchange, source) => {
  const { request, notes, isStream } = readRequest(await readObjects(exchange, source));
  const whole = (answer: Parameters<typeof writeAnswer>[0]) => writeAnswer(answer, notes);
  return answerChat({ request, notes, isStream, whole, stream: streamWriter }, exchange, source);
};

/** `POST /anthropic/v1/messages/count_tokens`. */
export const answerCountTokens: Answer = async (exchange, source) => {
  const { request, notes } = readRequest(await readObjects(exchange, source));
  return answerCount({ request, notes, write: (input_tokens) => ({ input_tokens }) }, exchange, source);
};
