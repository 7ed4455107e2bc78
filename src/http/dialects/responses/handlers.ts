import { type RequestHandler, readInput } from "../../context.ts";
import { hasMcpTools } from "../../tool-runs/has-mcp-tools.ts";
import { answerChat, answerCount } from "../shared/dialect.ts";
import { storedHandlers as stored } from "./stored/handlers.ts";
import { readCount, readTurn } from "./turn.ts";

/** `POST /v1/responses`. */
const answerResponses: RequestHandler = async (request, context) => {
  request.requestType = "chat_completion";
  const body = await readInput(request, context);
  if (context.engine.mcp.hasServers && hasMcpTools(body))
    return (await import("./runs/answer-run.ts")).answerRun(body, request, context);
  return answerChat(readTurn(body), request, context);
};

/** `POST /v1/responses/input_tokens`: the vendor's own count where it has one, else an estimate with a warning. */
const countInput: RequestHandler = async (request, context) => {
  request.requestType = "chat_completion";
  return answerCount(readCount(await readInput(request, context)), request, context);
};

/** The handler of each operation. */
export const handlers = {
  responses: answerResponses,
  response_input_tokens: countInput,
  response_retrieve: stored.retrieve,
  response_delete: stored.remove,
  response_cancel: stored.cancel,
  response_input_items: stored.inputItems,
  openai_responses: answerResponses,
  openai_response_input_tokens: countInput,
  openai_response_retrieve: stored.retrieve,
  openai_response_delete: stored.remove,
  openai_response_cancel: stored.cancel,
  openai_response_input_items: stored.inputItems,
} satisfies Record<string, RequestHandler>;
