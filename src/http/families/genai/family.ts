import type { Answer } from "../../source.ts";
import type { Family } from "../shared/family.ts";
import { answerGenerate, answerStream } from "./content.ts";
import { answerBatchEmbed, answerEmbed } from "./embeddings.ts";
import { refuse } from "./errors.ts";
import { answerModel, answerModels } from "./models.ts";
import { rows } from "./rows.ts";
import * as schemas from "./schema.ts";

const answers = {
  genai_generate: answerGenerate,
  genai_stream: answerStream,
  genai_embed: answerEmbed,
  genai_batch_embed: answerBatchEmbed,
  genai_models: answerModels,
  genai_model: answerModel,
} satisfies Record<keyof typeof rows, Answer>;

/** Google's Gemini API. */
export const genai: Family = { prefix: "/genai/", rows, schemas, answers, refuse };
