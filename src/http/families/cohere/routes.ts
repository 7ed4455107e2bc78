import type { Route } from "../../../operations/define.ts";

/** Where the operations of Cohere's API are. */
export const routes = {
  cohere_chat: "POST /cohere/v2/chat",
  cohere_rerank: "POST /cohere/v2/rerank",
  cohere_embed: "POST /cohere/v2/embed",
} as const satisfies Record<string, Route>;
