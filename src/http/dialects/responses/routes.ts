import type { RoutePattern } from "../../../operations/define.ts";
import type { VendorDialect } from "../shared/dialect.ts";

/** Method and path of each operation of OpenAI's Responses API, in both places where its clients look for it. */
export const routes = {
  responses: "POST /v1/responses",
  response_input_tokens: "POST /v1/responses/input_tokens",
  response_retrieve: "GET /v1/responses/{id}",
  response_delete: "DELETE /v1/responses/{id}",
  response_cancel: "POST /v1/responses/{id}/cancel",
  response_input_items: "GET /v1/responses/{id}/input_items",
  openai_responses: "POST /openai/v1/responses",
  openai_response_input_tokens: "POST /openai/v1/responses/input_tokens",
  openai_response_retrieve: "GET /openai/v1/responses/{id}",
  openai_response_delete: "DELETE /openai/v1/responses/{id}",
  openai_response_cancel: "POST /openai/v1/responses/{id}/cancel",
  openai_response_input_items: "GET /openai/v1/responses/{id}/input_items",
} as const satisfies Record<string, RoutePattern>;

/** OpenAI's Responses API; responses are stored by the vendors that have it. Its errors have the shape of ours. */
export const responses: VendorDialect<keyof typeof routes> = {
  prefix: "/v1/responses",
  routes,
  load: () => import("./handlers.ts"),
};
