import type { Answer } from "../../source.ts";
import { answerChatRequest } from "./chat.ts";
import { answerVectors } from "./embed.ts";
import { answerRanks } from "./rerank.ts";
import type { routes } from "./routes.ts";

/** How the rows are answered. */
export const answers = {
  cohere_chat: answerChatRequest,
  cohere_rerank: answerRanks,
  cohere_embed: answerVectors,
} satisfies Record<keyof typeof routes, Answer>;
