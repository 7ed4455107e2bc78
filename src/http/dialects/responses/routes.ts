import type { RoutePattern } from "../../../operations/define.ts";
import type { VendorDialect } from "../shared/dialect.ts";

/** Method and path of each operation of OpenAI's Responses API, in both places where its clients look for it. */
export const routes = {
  responses: "POST /v1/responses",
  response_input_tokens: "POST /v1/responses/input_tokens",
  response_stored: "GET /v1/responses/{+id}",
  response_stored_delete: "DELETE /v1/responses/{+id}",
  response_stored_post: "POST /v1/responses/{+id}",
  openai_responses: "POST /openai/v1/responses",
  openai_response_input_tokens: "POST /openai/v1/responses/input_tokens",
  openai_response_stored: "GET /openai/v1/responses/{+id}",
  openai_response_stored_delete: "DELETE /openai/v1/responses/{+id}",
  openai_response_stored_post: "POST /openai/v1/responses/{+id}",
} as const satisfies Record<string, RoutePattern>;

/** OpenAI's Responses API, without its storage. Its errors have the shape of ours. */
export const responses: VendorDialect<keyof typeof routes> = {
  prefix: "/v1/responses",
  routes,
  load: () => import("./handlers.ts"),
};
