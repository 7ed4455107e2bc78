import type { Operation } from "../../../operations/define.ts";
import type { Answer } from "../../source.ts";
import type { Family } from "../shared/family.ts";
import { answerCountTokens, answerGenerate, answerStream } from "./content.ts";
import { answerBatchEmbed, answerEmbed } from "./embeddings.ts";
import { refuse } from "./errors.ts";
import { answerModel, answerModels } from "./models.ts";
import { rows } from "./rows.ts";
import * as schemas from "./schema.ts";

const answers = {
  genai_generate: answerGenerate,
  genai_stream: answerStream,
  genai_count_tokens: answerCountTokens,
  genai_embed: answerEmbed,
  genai_batch_embed: answerBatchEmbed,
  genai_models: answerModels,
  genai_model: answerModel,
} satisfies Record<keyof typeof rows, Answer>;

/** The same under the vendor's stable version, which its newest clients ask for. */
const stable = {
  rows: Object.fromEntries(Object.entries(rows).map(([name, row]) => [`${name}_v1`, atVersion1(row)])),
  answers: Object.fromEntries(Object.entries(answers).map(([name, answer]) => [`${name}_v1`, answer])),
};

function atVersion1(row: Operation): Operation {
  return { ...row, path: row.path.replace("/v1beta/", "/v1/") };
}

/** Google's Gemini API, in both of its versions. */
export const genai: Family = {
  prefix: "/genai/",
  rows: { ...rows, ...stable.rows },
  schemas,
  answers: { ...answers, ...stable.answers },
  refuse,
};
