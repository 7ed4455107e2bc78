import type { ChatChunk } from "../api/chat.ts";
import { GatewayError } from "../errors.ts";
import { type Steps, stepsOf } from "../ports/steps.ts";
import type { Attempt } from "./attempt.ts";

/** A stream that passed its commit point: the chunks read so far and the rest. */
export interface Opened {
  readonly held: readonly ChatChunk[];
  readonly rest: Steps<ChatChunk>;
  /** What was generated before the held chunks and is told to nobody. */
  readonly untold?: string | undefined;
}

/** Reads up to the commit point, the first chunk that carries content; until then a failure falls over like a whole answer's. */
export async function openStream(source: AsyncIterable<ChatChunk>, attempt: Attempt): Promise<Opened> {
  const rest = stepsOf(source);
  const held: ChatChunk[] = [];
  for (;;) {
    const step = await rest.next();
    if (step.done) throw broken(attempt);
    endIfLate(attempt, rest);
    attempt.approach.consumed ??= ""; // it answers, so it has read the prompt, whatever becomes of the stream
    held.push(step.value);
    if (commits(step.value)) {
      attempt.watch.arrived();
      return { held, rest };
    }
  }
}

/** True for a chunk that carries content or ends a choice. */
function commits(chunk: ChatChunk): boolean {
  return chunk.choices.some(
    ({ delta, finish_reason }) =>
      finish_reason !== null ||
      Boolean(delta.content || delta.reasoning || delta.refusal || delta.audio) ||
      Boolean(delta.tool_calls?.length || delta.reasoning_details?.length),
  );
}

/** Ends the stream of a provider that went on although its attempt was over: nobody else will. */
export function endIfLate(attempt: Attempt, rest: Steps<ChatChunk>): void {
  if (!attempt.failure) return;
  endSource(attempt, rest, attempt.failure);
  throw attempt.failure;
}

/** Ends the provider's stream without waiting for it. */
export function endSource(attempt: Attempt, rest: Steps<ChatChunk>, error: GatewayError): void {
  attempt.failure ??= error;
  attempt.abort(error);
  rest.return?.().catch(() => {}); // the stream is over for the caller; its last words change nothing
}

/** The error of a stream that ended too early. */
export function broken({ target }: Attempt): GatewayError {
  return new GatewayError("upstream_stream_broken", `The stream of ${target.name} ended before it was complete.`);
}
