import { responseOf } from "../../../engine/dialects/openai/native-response.ts";
import { isRecord } from "../../../engine/dialects/wire-values.ts";
import { type RequestHandler, readInput } from "../../context.ts";
import { hasMcpTools } from "../../tool-runs/has-mcp-tools.ts";
import { answerChat, answerCount, type ChatTurn, type CountTurn } from "../shared/dialect.ts";
import { writeAnswer } from "./answer.ts";
import { readRequest } from "./request.ts";
import { storedHandlers as stored } from "./stored/handlers.ts";
import { streamWriter } from "./stream.ts";

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

/** The body of `POST /v1/responses` as a chat request, and how its answer goes back. Loaded when the first one comes. */
function readTurn(body: unknown): ChatTurn {
  const { request, notes, parsed, native } = readRequest(body);
  return {
    request,
    notes,
    responses: native,
    isStream: parsed.stream === true,
    whole: (answer) => responseOf(answer) ?? writeAnswer(answer, parsed, notes),
    stream: () => streamWriter(parsed),
  };
}

/** The body of `POST /v1/responses/input_tokens`, which need not have an input; what has no count without its vendor is refused. */
function readCount(body: unknown): CountTurn {
  const { request, notes, native } = readRequest(isRecord(body) ? { input: "", ...body } : body);
  if (native.refusal) throw native.refusal;
  return { request, notes, write: (input_tokens) => ({ object: "response.input_tokens", input_tokens }) };
}
