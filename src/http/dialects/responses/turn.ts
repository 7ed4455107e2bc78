import { responseOf } from "../../../dialects/openai/native-response.ts";
import type { ChatTurn } from "../shared/dialect.ts";
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
