import { GatewayError } from "../../../errors.ts";
import { callOptions, type RequestHandler, readInput } from "../../context.ts";
import { answerChat, answerCount } from "../shared/dialect.ts";
import { readCount, readTurn } from "./turn.ts";

/** `POST /v1/responses`. */
const answerResponses: RequestHandler = async (request, context) => {
  request.requestType = "chat_completion";
  return answerChat(readTurn(await readInput(request, context)), request, context);
};

/** `POST /v1/responses/input_tokens`: the vendor's own count where it has one, else an estimate with a warning. */
const countInput: RequestHandler = async (request, context) => {
  request.requestType = "chat_completion";
  return answerCount(readCount(await readInput(request, context)), request, context);
};

/** Everything that goes to a response by its id; who needs a key and has none hears of that first. */
const refuseStored: RequestHandler = async (request, context) => {
  callOptions(request, context);
  throw new GatewayError("unsupported_operation", "Responses are not stored here: keep what you need of the answer.");
};

/** The handler of each operation. */
export const handlers = {
  responses: answerResponses,
  response_input_tokens: countInput,
  response_stored: refuseStored,
  response_stored_delete: refuseStored,
  response_stored_post: refuseStored,
  openai_responses: answerResponses,
  openai_response_input_tokens: countInput,
  openai_response_stored: refuseStored,
  openai_response_stored_delete: refuseStored,
  openai_response_stored_post: refuseStored,
} satisfies Record<string, RequestHandler>;
