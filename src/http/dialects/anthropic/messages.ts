import type { RequestHandler } from "../../context.ts";
import { answerChat, answerCount } from "../shared/dialect.ts";
import { readObjects } from "../shared/objects.ts";
import { writeAnswer } from "./answer.ts";
import { readRequest } from "./request.ts";
import { streamWriter } from "./stream.ts";

/** `POST /anthropic/v1/messages`. */
export const answerMessages: RequestHandler = async (requestContext, context) => {
  const { request, notes, isStream, form } = readRequest(await readObjects(requestContext, context));
  const whole = (answer: Parameters<typeof writeAnswer>[0]) => writeAnswer(answer, notes, form);
  return answerChat({ request, notes, isStream, whole, stream: () => streamWriter(form) }, requestContext, context);
};

/** `POST /anthropic/v1/messages/count_tokens`. */
export const answerCountTokens: RequestHandler = async (requestContext, context) => {
  const { request, notes } = readRequest(await readObjects(requestContext, context));
  return answerCount({ request, notes, write: (input_tokens) => ({ input_tokens }) }, requestContext, context);
};
