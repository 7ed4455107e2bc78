import type { Answer } from "../../source.ts";
import { answerCountTokens, answerGenerate, answerStream } from "./content.ts";
import { answerBatchEmbed, answerEmbed } from "./embeddings.ts";
import { answerModel, answerModels } from "./models.ts";
import { type routes, withStable } from "./routes.ts";

const newest = {
  genai_generate: answerGenerate,
  genai_stream: answerStream,
  genai_count_tokens: answerCountTokens,
  genai_embed: answerEmbed,
  genai_batch_embed: answerBatchEmbed,
  genai_models: answerModels,
  genai_model: answerModel,
} satisfies Record<keyof typeof routes, Answer>;

/** How the rows of both versions are answered: alike. */
export const answers = withStable<Answer>(newest);
