import { type Operation, op } from "../../../operations/define.ts";
import { routes } from "./routes.ts";
import * as schema from "./schema.ts";

const failure = schema.CohereFailure;

/** The rows of Cohere's API. */
export const rows = {
  cohere_chat: op(routes.cohere_chat, "virtual_key", "Create a chat answer, as Cohere's API does", {
    in: schema.CohereChatRequest,
    out: schema.CohereChatResponse,
    stream: schema.CohereChatEvent,
    failure,
  }),
  cohere_rerank: op(routes.cohere_rerank, "virtual_key", "Reorder documents, as Cohere's API does", {
    in: schema.CohereRerankRequest,
    out: schema.CohereRerankResponse,
    failure,
  }),
  cohere_embed: op(routes.cohere_embed, "virtual_key", "Create embedding vectors, as Cohere's API does", {
    in: schema.CohereEmbedRequest,
    out: schema.CohereEmbedResponse,
    failure,
  }),
} satisfies Record<keyof typeof routes, Operation>;
