import { op } from "../../../operations/define.ts";
import * as schema from "./schema.ts";

/** The rows of Cohere's API. */
export const rows = {
  cohere_chat: op("POST /cohere/v2/chat", "virtual_key", "Create a chat answer, as Cohere's API does", {
    in: schema.CohereChatRequest,
    out: schema.CohereChatResponse,
    stream: schema.CohereChatEvent,
  }),
  cohere_rerank: op("POST /cohere/v2/rerank", "virtual_key", "Reorder documents, as Cohere's API does", {
    in: schema.CohereRerankRequest,
    out: schema.CohereRerankResponse,
  }),
  cohere_embed: op("POST /cohere/v2/embed", "virtual_key", "Create embedding vectors, as Cohere's API does", {
    in: schema.CohereEmbedRequest,
    out: schema.CohereEmbedResponse,
  }),
};
