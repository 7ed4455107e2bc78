import type { RequestHandler } from "../../context.ts";
import { answerChatCompletions } from "./chat.ts";
import { answerDecisions } from "./decisions.ts";
import { answerEmbeddings } from "./embeddings.ts";
import { answerModel, answerModels } from "./models.ts";

/** The handler of each operation. */
export const handlers = {
  openai_chat: answerChatCompletions,
  openai_embeddings: answerEmbeddings,
  openai_decisions: answerDecisions,
  openai_models: answerModels,
  openai_model: answerModel,
} satisfies Record<string, RequestHandler>;
