import type { RoutePattern } from "../../../operations/define.ts";
import type { VendorDialect } from "../shared/dialect.ts";

/** Method and path of each operation of OpenAI's API under its own names. */
export const routes = {
  openai_chat: "POST /openai/v1/chat/completions",
  openai_embeddings: "POST /openai/v1/embeddings",
  openai_decisions: "POST /openai/v1/decisions",
  openai_models: "GET /openai/v1/models",
  openai_model: "GET /openai/v1/models/{+model}",
} as const satisfies Record<string, RoutePattern>;

/** OpenAI's API under its own names. Its errors have the shape of ours. */
export const openai: VendorDialect<keyof typeof routes> = {
  prefix: "/openai/",
  vendor: "openai",
  routes,
  load: () => import("./handlers.ts"),
};
