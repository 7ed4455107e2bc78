import type { Answer } from "../../source.ts";
import type { Family } from "../shared/family.ts";
import { answerChatCompletions } from "./chat.ts";
import { answerEmbeddings } from "./embeddings.ts";
import { answerModel, answerModels } from "./models.ts";
import { rows } from "./rows.ts";
import * as schemas from "./schema.ts";

const answers = {
  openai_chat: answerChatCompletions,
  openai_embeddings: answerEmbeddings,
  openai_models: answerModels,
  openai_model: answerModel,
} satisfies Record<keyof typeof rows, Answer>;

/** OpenAI's API under its own names. Its errors have the shape of ours. */
export const openai: Family = { prefix: "/openai/", rows, schemas, answers };
