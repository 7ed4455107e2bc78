import type { RequestHandler } from "../../context.ts";
import { answerChatRequest } from "./chat.ts";
import { answerVectors } from "./embed.ts";
import { answerRanks } from "./rerank.ts";

/** The handler of each operation. */
export const handlers = {
  cohere_chat: answerChatRequest,
  cohere_rerank: answerRanks,
  cohere_embed: answerVectors,
} satisfies Record<string, RequestHandler>;
