import type { ChatTurn } from "../shared/family.ts";
import { writeAnswer } from "./answer.ts";
import { readRequest } from "./request.ts";
import { streamWriter } from "./stream.ts";

/** The body of `POST /v1/responses` as a chat request, and how its answer goes back. Loaded when the first one comes. */
export function readTurn(body: unknown): ChatTurn {
  const { request, notes, asked } = readRequest(body);
  return {
    request,
    notes,
    isStream: asked.stream === true,
    whole: (answer) => writeAnswer(answer, asked, notes),
    stream: () => streamWriter(asked),
  };
}
