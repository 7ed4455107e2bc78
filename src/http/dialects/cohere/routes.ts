import type { RoutePattern } from "../../../operations/define.ts";
import { messageOf, refusal } from "../../response/errors.ts";
import type { Refuse, VendorDialect } from "../shared/dialect.ts";

/** An error in the vendor's shape: a message and an id; code and field are ours. */
const refuse: Refuse = (error, { eventId }) => {
  const { upstream, code } = error;
  const param = upstream === undefined ? error.param : upstream.param;
  const finer = { code: upstream?.code ?? code, ...(param === undefined ? {} : { param }), ...error.blocked };
  return refusal(error, { id: eventId, message: messageOf(error), ...finer });
};

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
