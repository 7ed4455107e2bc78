import { DecisionRequest } from "../../../engine/api/decisions.ts";
import { EmbeddingRequest } from "../../../engine/api/embeddings.ts";
import { ChatRequestOverHttp } from "../../../operations/chat-request.ts";
import { type Operation, op } from "../../../operations/define.ts";
import { routes } from "./routes.ts";
import * as schema from "./schema.ts";

/** The rows of OpenAI's API under its own names; what goes in is the same as in ours. */
export const rows = {
  openai_chat: op(routes.openai_chat, "virtual_key", "Create a chat completion, as OpenAI's API does", {
    in: ChatRequestOverHttp,
    out: schema.OpenaiCompletion,
    stream: schema.OpenaiChunk,
  }),
  openai_embeddings: op(routes.openai_embeddings, "virtual_key", "Create embedding vectors, as OpenAI's API does", {
    in: EmbeddingRequest,
    out: schema.OpenaiEmbeddings,
  }),
  openai_decisions: op(routes.openai_decisions, "virtual_key", "Answer typed questions, as OpenAI's API does", {
    in: DecisionRequest,
    out: schema.OpenaiDecision,
  }),
  openai_models: op(routes.openai_models, "virtual_key", "List models, as OpenAI's API does", {
    out: schema.OpenaiModelList,
  }),
  openai_model: op(routes.openai_model, "virtual_key", "Read a model, as OpenAI's API does", {
    out: schema.OpenaiModel,
  }),
} satisfies Record<keyof typeof routes, Operation>;
