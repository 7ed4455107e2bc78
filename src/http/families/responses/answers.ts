import { GatewayError } from "../../../errors.ts";
import { type Answer, callOptions, readInput } from "../../source.ts";
import { answerChat } from "../shared/family.ts";
import type { routes } from "./routes.ts";
import { readTurn } from "./turn.ts";

/** `POST /v1/responses`. */
const answerResponses: Answer = async (exchange, source) => {
  return answerChat(readTurn(await readInput(exchange, source)), exchange, source);
};

/** Everything that goes to a response by its id; who needs a key and has none hears of that first. */
const refuseStored: Answer = async (exchange, source) => {
  callOptions(exchange, source);
  throw new GatewayError("unsupported_operation", "Responses are not stored here: keep what you need of the answer.");
};

/** How the rows are answered. */
export const answers = {
  responses: answerResponses,
  response_stored: refuseStored,
  response_stored_delete: refuseStored,
  response_stored_post: refuseStored,
  openai_responses: answerResponses,
  openai_response_stored: refuseStored,
  openai_response_stored_delete: refuseStored,
  openai_response_stored_post: refuseStored,
} satisfies Record<keyof typeof routes, Answer>;
