import type { Answer } from "../../source.ts";
import type { Family } from "../shared/family.ts";
import { answerChatRequest } from "./chat.ts";
import { answerVectors } from "./embed.ts";
import { refuse } from "./errors.ts";
import { answerRanks } from "./rerank.ts";
import { rows } from "./rows.ts";
import * as schemas from "./schema.ts";

const answers = {
  cohere_chat: answerChatRequest,
  cohere_rerank: answerRanks,
  cohere_embed: answerVectors,
} satisfies Record<keyof typeof rows, Answer>;

/** Cohere's API, version 2. */
export const cohere: Family = { prefix: "/cohere/", rows, schemas, answers, refuse };
