import type { Answer } from "../../source.ts";
import { answerCountTokens, answerMessages } from "./messages.ts";
import { answerModel, answerModels } from "./models.ts";
import type { rows } from "./rows.ts";

/** How the rows are answered. */
export const answers = {
  anthropic_messages: answerMessages,
  anthropic_count_tokens: answerCountTokens,
  anthropic_models: answerModels,
  anthropic_model: answerModel,
} satisfies Record<keyof typeof rows, Answer>;
