import type { Route } from "../../../operations/define.ts";

/** Where the operations of Anthropic's Messages API are. */
export const routes = {
  anthropic_messages: "POST /anthropic/v1/messages",
  anthropic_count_tokens: "POST /anthropic/v1/messages/count_tokens",
  anthropic_models: "GET /anthropic/v1/models",
  anthropic_model: "GET /anthropic/v1/models/{+model}",
} as const satisfies Record<string, Route>;
