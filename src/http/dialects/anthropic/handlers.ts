import type { RequestHandler } from "../../context.ts";
import { answerCountTokens, answerMessages } from "./messages.ts";
import { answerModel, answerModels } from "./models.ts";

/** The handler of each operation. */
export const handlers = {
  anthropic_messages: answerMessages,
  anthropic_count_tokens: answerCountTokens,
  anthropic_models: answerModels,
  anthropic_model: answerModel,
} satisfies Record<string, RequestHandler>;
