import type { RoutePattern } from "../../../operations/define.ts";
import type { VendorDialect } from "../shared/dialect.ts";
import { refuse } from "./errors.ts";

/** Method and path of each operation of Cohere's API. */
export const routes = {
  cohere_chat: "POST /cohere/v2/chat",
  cohere_rerank: "POST /cohere/v2/rerank",
  cohere_embed: "POST /cohere/v2/embed",
} as const satisfies Record<string, RoutePattern>;

/** Cohere's API, version 2. */
export const cohere: VendorDialect<keyof typeof routes> = {
  prefix: "/cohere/",
  vendor: "cohere",
  routes,
  load: () => import("./handlers.ts"),
  refuse,
};
