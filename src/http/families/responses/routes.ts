import type { Route } from "../../../operations/define.ts";

/** Where the operations of OpenAI's Responses API, in both places where its clients look for it are. */
export const routes = {
  responses: "POST /v1/responses",
  response_stored: "GET /v1/responses/{+id}",
  response_stored_delete: "DELETE /v1/responses/{+id}",
  response_stored_post: "POST /v1/responses/{+id}",
  openai_responses: "POST /openai/v1/responses",
  openai_response_stored: "GET /openai/v1/responses/{+id}",
  openai_response_stored_delete: "DELETE /openai/v1/responses/{+id}",
  openai_response_stored_post: "POST /openai/v1/responses/{+id}",
} as const satisfies Record<string, Route>;
