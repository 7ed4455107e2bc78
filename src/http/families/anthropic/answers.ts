import type { Answer } from "../../source.ts";
import { answerCountTokens, answerMessages } from "./messages.ts";
import { answerModel, answerModels } from "./models.ts";
import type { routes } from "./routes.ts";

/** How the rows are answered. */
export const answers = {
  anthropic_messages: answerMessages,
  anthropic_count_tokens: answerCountTokens,
  anthropic_models: answerModels,
  anthropic_model: answerModel,
} satisfies Record<keyof typeof routes, Answer>;
