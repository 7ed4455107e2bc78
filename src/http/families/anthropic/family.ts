import type { Answer } from "../../source.ts";
import type { Family } from "../shared/family.ts";
import { refuse } from "./errors.ts";
import { answerCountTokens, answerMessages } from "./messages.ts";
import { answerModel, answerModels } from "./models.ts";
import { rows } from "./rows.ts";
import * as schemas from "./schema.ts";

const answers = {
  anthropic_messages: answerMessages,
  anthropic_count_tokens: answerCountTokens,
  anthropic_models: answerModels,
  anthropic_model: answerModel,
} satisfies Record<keyof typeof rows, Answer>;

/** Anthropic's Messages API. */
export const anthropic: Family = { prefix: "/anthropic/", rows, schemas, answers, refuse };
