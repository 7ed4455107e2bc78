import type { Route } from "../../../operations/define.ts";

/** Where the operations of OpenAI's API under its own names are. */
export const routes = {
  openai_chat: "POST /openai/v1/chat/completions",
  openai_embeddings: "POST /openai/v1/embeddings",
  openai_models: "GET /openai/v1/models",
  openai_model: "GET /openai/v1/models/{+model}",
} as const satisfies Record<string, Route>;
