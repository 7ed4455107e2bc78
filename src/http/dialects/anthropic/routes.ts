import type { RoutePattern } from "../../../operations/define.ts";
import type { VendorDialect } from "../shared/dialect.ts";
import { refuse } from "./errors.ts";

/** Method and path of each operation of Anthropic's Messages API. */
export const routes = {
  anthropic_messages: "POST /anthropic/v1/messages",
  anthropic_count_tokens: "POST /anthropic/v1/messages/count_tokens",
  anthropic_models: "GET /anthropic/v1/models",
  anthropic_model: "GET /anthropic/v1/models/{+model}",
} as const satisfies Record<string, RoutePattern>;

/** Anthropic's Messages API. */
export const anthropic: VendorDialect<keyof typeof routes> = {
  prefix: "/anthropic/",
  vendor: "anthropic",
  routes,
  load: () => import("./handlers.ts"),
  refuse,
};
