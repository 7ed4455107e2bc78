import type { RequestHandler } from "../../context.ts";
import type { RequestContext } from "../../response/request-context.ts";
import { answerChat, answerCount } from "../shared/dialect.ts";
import { readObjects } from "../shared/objects.ts";
import { writeAnswer } from "./answer.ts";
import { answerModel, answerModels } from "./models.ts";
import { readRequest } from "./request.ts";
import { streamWriter } from "./stream.ts";

/** `anthropic-beta`, which may come more than once. */
function betaOf({ request }: RequestContext): string | undefined {
  const { "anthropic-beta": beta } = request.headers;
  return typeof beta === "object" ? beta.join(",") : beta;
}

/** `POST /anthropic/v1/messages`. */
const answerMessages: RequestHandler = async (requestContext, context) => {
  const body = await readObjects(requestContext, context);
  const { request, notes, isStream, form } = readRequest(body, betaOf(requestContext));
  const whole = (answer: Parameters<typeof writeAnswer>[0]) => writeAnswer(answer, notes, form);
  return answerChat({ request, notes, isStream, whole, stream: () => streamWriter(form) }, requestContext, context);
};

/** `POST /anthropic/v1/messages/count_tokens`. */
const answerCountTokens: RequestHandler = async (requestContext, context) => {
  const { request, notes } = readRequest(await readObjects(requestContext, context), betaOf(requestContext));
  return answerCount({ request, notes, write: (input_tokens) => ({ input_tokens }) }, requestContext, context);
};

/** The handler of each operation. */
export const handlers = {
  anthropic_messages: answerMessages,
  anthropic_count_tokens: answerCountTokens,
  anthropic_models: answerModels,
  anthropic_model: answerModel,
} satisfies Record<string, RequestHandler>;
