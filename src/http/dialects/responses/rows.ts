import { type Operation, op } from "../../../operations/define.ts";
import { routes } from "./routes.ts";
import * as schema from "./schema.ts";

const shapes = { in: schema.ResponseRequest, out: schema.ResponseObject, stream: schema.ResponseEvent };
const counted = { in: schema.ResponseCountRequest, out: schema.ResponseCount };
const count = "Count the tokens of a response's input";
const create = "Create a response, as OpenAI's API does; nothing is stored";
const stored = "Refused: no response is stored";

/** The rows of OpenAI's Responses API, in both places where its clients look for it. */
export const rows = {
  responses: op(routes.responses, "virtual_key", create, { ...shapes, isExtension: true }),
  response_input_tokens: op(routes.response_input_tokens, "virtual_key", count, { ...counted, isExtension: true }),
  response_stored: op(routes.response_stored, "virtual_key", stored, {
    out: schema.ResponseObject,
    isExtension: true,
  }),
  response_stored_delete: op(routes.response_stored_delete, "virtual_key", stored, { isExtension: true }),
  response_stored_post: op(routes.response_stored_post, "virtual_key", stored, {
    out: schema.ResponseObject,
    isExtension: true,
  }),
  openai_responses: op(routes.openai_responses, "virtual_key", create, shapes),
  openai_response_input_tokens: op(routes.openai_response_input_tokens, "virtual_key", count, counted),
  openai_response_stored: op(routes.openai_response_stored, "virtual_key", stored, { out: schema.ResponseObject }),
  openai_response_stored_delete: op(routes.openai_response_stored_delete, "virtual_key", stored),
  openai_response_stored_post: op(routes.openai_response_stored_post, "virtual_key", stored, {
    out: schema.ResponseObject,
  }),
} satisfies Record<keyof typeof routes, Operation>;
