import type { ChatTurn } from "../shared/dialect.ts";
import { writeAnswer } from "./answer.ts";
import { readRequest } from "./request.ts";
import { streamWriter } from "./stream.ts";

/** The body of `POST /v1/responses` as a chat request, and how its answer goes back. Loaded when the first one comes. */
export function readTurn(body: unknown): ChatTurn {
  const { request, notes, parsed } = readRequest(body);
  return {
    request,
    notes,
    isStream: parsed.stream === true,
    whole: (answer) => writeAnswer(answer, parsed, notes),
    stream: () => streamWriter(parsed),
  };
}
