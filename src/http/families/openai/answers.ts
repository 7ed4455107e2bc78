import type { Answer } from "../../source.ts";
import { answerChatCompletions } from "./chat.ts";
import { answerEmbeddings } from "./embeddings.ts";
import { answerModel, answerModels } from "./models.ts";
import type { routes } from "./routes.ts";

/** How the rows are answered. */
export const answers = {
  openai_chat: answerChatCompletions,
  openai_embeddings: answerEmbeddings,
  openai_models: answerModels,
  openai_model: answerModel,
} satisfies Record<keyof typeof routes, Answer>;
