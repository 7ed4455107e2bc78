import { GatewayError } from "../../../errors.ts";
import { type Answer, callOptions, readInput } from "../../source.ts";
import { answerChat, type Family } from "../shared/family.ts";
import { rows } from "./rows.ts";
import * as schemas from "./schema.ts";

/** `POST /v1/responses`. */
const answerResponses: Answer = async (exchange, source) => {
  const body = await readInput(exchange, source);
  const { readTurn } = await import("./turn.ts");
  return answerChat(readTurn(body), exchange, source);
};

/** Everything that goes to a response by its id; who needs a key and has none hears of that first. */
const refuseStored: Answer = async (exchange, source) => {
  callOptions(exchange, source);
  throw new GatewayError("unsupported_operation", "Responses are not stored here: keep what you need of the answer.");
};

const answers = {
  responses: answerResponses,
  response_stored: refuseStored,
  response_stored_delete: refuseStored,
  response_stored_post: refuseStored,
  openai_responses: answerResponses,
  openai_response_stored: refuseStored,
  openai_response_stored_delete: refuseStored,
  openai_response_stored_post: refuseStored,
} satisfies Record<keyof typeof rows, Answer>;

/** OpenAI's Responses API, without its storage. Its errors have the shape of ours. */
export const responses: Family = { prefix: "/v1/responses", rows, schemas, answers };
