import type { RequestHandler } from "../../context.ts";
import { answerBatchEmbed, answerEmbed } from "./embeddings.ts";
import { answerCountTokens, answerGenerate, answerStream } from "./generate.ts";
import { answerModel, answerModels } from "./models.ts";

/** The handler of each operation; both versions have the same. */
export const handlers = {
  genai_generate: answerGenerate,
  genai_stream: answerStream,
  genai_count_tokens: answerCountTokens,
  genai_embed: answerEmbed,
  genai_batch_embed: answerBatchEmbed,
  genai_generate_named: answerGenerate,
  genai_stream_named: answerStream,
  genai_embed_named: answerEmbed,
  genai_batch_embed_named: answerBatchEmbed,
  genai_models: answerModels,
  genai_model: answerModel,
} satisfies Record<string, RequestHandler>;
