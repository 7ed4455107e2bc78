import { type Operation, op } from "../../../operations/define.ts";
import { routes } from "./routes.ts";
import * as schema from "./schema.ts";
import * as stored from "./stored/schema.ts";

const shapes = { in: schema.ResponseRequest, out: schema.ResponseObject, stream: schema.ResponseEvent };
const counted = { in: schema.ResponseCountRequest, out: schema.ResponseCount };
const read = { in: stored.StoredResponseQuery, out: schema.ResponseObject };
const removed = { out: stored.DeletedResponse };
const cancelled = { out: schema.ResponseObject };
const listed = { in: stored.InputItemQuery, out: stored.InputItemList };
const create = "Create a response, as OpenAI's API does; what is stored, its vendor stores";
const count = "Count the tokens of a response's input";
const retrieve = "Read a response that its vendor has stored for this key";
const remove = "Delete a stored response at its vendor";
const cancel = "End a response that is made in the background";
const list = "List the items that a stored response was made from";
const isExtension = true;

/** The rows of OpenAI's Responses API, in both places where its clients look for it. */
export const rows = {
  responses: op(routes.responses, "virtual_key", create, { ...shapes, isExtension }),
  response_input_tokens: op(routes.response_input_tokens, "virtual_key", count, { ...counted, isExtension }),
  response_retrieve: op(routes.response_retrieve, "virtual_key", retrieve, { ...read, isExtension }),
  response_delete: op(routes.response_delete, "virtual_key", remove, { ...removed, isExtension }),
  response_cancel: op(routes.response_cancel, "virtual_key", cancel, { ...cancelled, isExtension }),
  response_input_items: op(routes.response_input_items, "virtual_key", list, { ...listed, isExtension }),
  openai_responses: op(routes.openai_responses, "virtual_key", create, shapes),
  openai_response_input_tokens: op(routes.openai_response_input_tokens, "virtual_key", count, counted),
  openai_response_retrieve: op(routes.openai_response_retrieve, "virtual_key", retrieve, read),
  openai_response_delete: op(routes.openai_response_delete, "virtual_key", remove, removed),
  openai_response_cancel: op(routes.openai_response_cancel, "virtual_key", cancel, cancelled),
  openai_response_input_items: op(routes.openai_response_input_items, "virtual_key", list, listed),
} satisfies Record<keyof typeof routes, Operation>;
