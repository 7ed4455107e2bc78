import { responseOf } from "../../../engine/dialects/openai/native-response.ts";
import { isRecord } from "../../../engine/dialects/wire-values.ts";
import type { ChatTurn, CountTurn } from "../shared/dialect.ts";
import { writeAnswer } from "./answer.ts";
import { readRequest } from "./request.ts";
import { streamWriter } from "./stream.ts";

/** The body of `POST /v1/responses` as a chat request, and how its answer goes back. Loaded when the first one comes. */
export function readTurn(body: unknown): ChatTurn {
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
export function readCount(body: unknown): CountTurn {
  const { request, notes, native } = readRequest(isRecord(body) ? { input: "", ...body } : body);
  if (native.refusal) throw native.refusal;
  return { request, notes, write: (input_tokens) => ({ object: "response.input_tokens", input_tokens }) };
}
