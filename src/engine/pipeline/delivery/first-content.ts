import type { ChatChunk } from "../../api/chat.ts";
import { GatewayError } from "../../errors.ts";
import { type PullIterator, pullIteratorOf } from "../../runtime/pull-iterator.ts";
import { checkForm } from "../attempts/answer-form.ts";
import type { Attempt } from "../attempts/attempt.ts";

/** A stream that passed its commit point: the chunks read so far and the rest. */
export interface CommittedStream {
  readonly buffered: readonly ChatChunk[];
  readonly rest: PullIterator<ChatChunk>;
  /** What was generated before the buffered chunks and is not sent. */
  readonly unsent?: string | undefined;
}

/** Reads up to the commit point, the first chunk that carries content; until then a failure falls back like a whole answer's. */
export async function awaitFirstContent(source: AsyncIterable<ChatChunk>, attempt: Attempt): Promise<CommittedStream> {
  const rest = pullIteratorOf(source);
  const buffered: ChatChunk[] = [];
  for (;;) {
    const step = await rest.next();
    if (step.done) throw streamBroken(attempt);
    endIfLate(attempt, rest);
    attempt.timer.alive();
    attempt.consumed.lostText ??= ""; // it answers, so it has read the prompt, whatever becomes of the stream
    const chunk = chunkOf(step.value, attempt);
    buffered.push(chunk);
    if (commits(chunk)) {
      attempt.timer.arrived();
      return { buffered, rest };
    }
  }
}

/** A chunk as it came of a provider. Throws `upstream_invalid_response` where it is none. */
export function chunkOf(value: unknown, attempt: Attempt): ChatChunk {
  return checkForm("chunk", value, attempt);
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

/** Ends the stream of a provider that went on although its attempt was over: no other code does. */
export function endIfLate(attempt: Attempt, rest: PullIterator<ChatChunk>): void {
  if (!attempt.failure) return;
  endSource(attempt, rest, attempt.failure);
  throw attempt.failure;
}

/** Ends the provider's stream without waiting for it. */
export function endSource(attempt: Attempt, rest: PullIterator<ChatChunk>, error: GatewayError): void {
  attempt.failure ??= error;
  attempt.abort(error);
  rest.return?.().catch(() => {}); // the stream is over for the caller; its last words change nothing
}

/** The error of a stream that ended too early. */
export function streamBroken({ target }: Attempt): GatewayError {
  return new GatewayError("upstream_stream_broken", `The stream of ${target.name} ended before it was complete.`);
}
