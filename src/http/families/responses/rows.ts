import { op } from "../../../operations/define.ts";
import * as schema from "./schema.ts";

const shapes = { in: schema.ResponseRequest, out: schema.ResponseObject, stream: schema.ResponseEvent };
const create = "Create a response, as OpenAI's API does; nothing is stored";
const stored = "Refused: no response is stored";

/** The rows of OpenAI's Responses API, in both places where its clients look for it. */
export const rows = {
  responses: op("POST /v1/responses", "virtual_key", create, { ...shapes, isExtension: true }),
  response_stored: op("GET /v1/responses/{+id}", "virtual_key", stored, {
    out: schema.ResponseObject,
    isExtension: true,
  }),
  response_stored_delete: op("DELETE /v1/responses/{+id}", "virtual_key", stored, { isExtension: true }),
  response_stored_post: op("POST /v1/responses/{+id}", "virtual_key", stored, {
    out: schema.ResponseObject,
    isExtension: true,
  }),
  openai_responses: op("POST /openai/v1/responses", "virtual_key", create, shapes),
  openai_response_stored: op("GET /openai/v1/responses/{+id}", "virtual_key", stored, { out: schema.ResponseObject }),
  openai_response_stored_delete: op("DELETE /openai/v1/responses/{+id}", "virtual_key", stored),
  openai_response_stored_post: op("POST /openai/v1/responses/{+id}", "virtual_key", stored, {
    out: schema.ResponseObject,
  }),
};
