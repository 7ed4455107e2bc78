import type { ChatChunk, ChatRequest } from "../api/chat.ts";
import type { Usage } from "../api/usage.ts";
import { GatewayError, toGatewayError, withDetails } from "../errors.ts";
import { type Attempt, endAttempt, type Served, untilFailure } from "./attempt.ts";
import { type Call, settleCall } from "./call.ts";
import { addRaw, extraFields } from "./settle.ts";

/** A stream that passed its commit point: the chunks read so far and the rest. */
export interface Opened {
  readonly held: readonly ChatChunk[];
  readonly rest: AsyncIterator<ChatChunk>;
}

/** Reads up to the commit point, the first chunk that carries content; until then a failure falls over like a whole answer's. */
export async function openStream(source: AsyncIterable<ChatChunk>, attempt: Attempt): Promise<Opened> {
  const rest = source[Symbol.asyncIterator]();
  const held: ChatChunk[] = [];
  for (;;) {
    const step = await rest.next();
    if (step.done) throw broken(attempt);
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

/** What a stream's teller keeps between chunks. */
interface Teller {
  readonly call: Call;
  readonly attempt: Attempt;
  readonly showsUsage: boolean;
  readonly openChoices: Set<number>;
  hasFinished: boolean;
  index: number;
  lastAt: number;
  reportedWarnings: number;
  usage: Usage | undefined;
}

/**
 * The caller's stream. It settles exactly once, whatever ends it: the last chunk, a failure, the caller's `break`, a deadline
 * that passes while nobody reads. After a failure it throws and never looks complete.
 */
export async function deliverStream(
  call: Call,
  served: Served<Opened>,
  request: ChatRequest,
): Promise<AsyncIterable<ChatChunk>> {
  const { attempt } = served;
  const teller: Teller = {
    call,
    attempt,
    showsUsage: request.stream_options?.include_usage === true,
    openChoices: new Set(),
    hasFinished: false,
    index: 0,
    lastAt: call.startedAt,
    reportedWarnings: 0,
    usage: undefined,
  };
  const firstContentAt = call.ports.clock.now();
  const close = (error?: GatewayError) => {
    if (call.isSettled) return;
    endAttempt(call, attempt);
    if (error) endSource(attempt, served.answer.rest, error);
    const { usage } = teller;
    const { warnings, target } = attempt;
    const ending = { status: error?.status ?? 200, reason: error?.code ?? ("ok" as const) };
    settleCall(call, { ...ending, target: target.name, usage, firstContentAt, warnings });
  };
  const relayed = relay(teller, served.answer, close);
  await relayed.next(); // enters the generator's `try`, so that even an unread stream is closed by `return()`
  attempt.onFailure = close;
  return { [Symbol.asyncIterator]: () => relayed as AsyncGenerator<ChatChunk> };
}

async function* relay(
  teller: Teller,
  { held, rest }: Opened,
  close: (error?: GatewayError) => void,
): AsyncGenerator<ChatChunk | undefined, void, undefined> {
  const { attempt, call } = teller;
  try {
    yield undefined;
    for (const chunk of held) {
      const told = tell(teller, chunk);
      if (told) yield told;
    }
    for (;;) {
      const step = await pull(teller, rest, close);
      if (step.done) break;
      const told = tell(teller, step.value);
      if (told) yield told;
    }
    if (!teller.hasFinished) throw broken(attempt);
    close();
  } catch (thrown) {
    const error = attempt.failure ?? toGatewayError(thrown);
    const described = withDetails(error, {
      provider: attempt.target.provider,
      model: call.modelRequested,
      eventId: call.id,
    });
    close(described);
    throw described;
  } finally {
    close(new GatewayError("request_cancelled", "The caller stopped reading the stream."));
  }
}

async function pull(
  { attempt, call }: Teller,
  rest: AsyncIterator<ChatChunk>,
  close: (error: GatewayError) => void,
): Promise<IteratorResult<ChatChunk>> {
  if (attempt.failure) throw attempt.failure;
  attempt.watch.waiting(call.ports.clock.now());
  const step = await untilFailure(attempt, rest.next());
  attempt.onFailure = close;
  attempt.watch.arrived();
  return step;
}

/** The chunk as the caller sees it; `undefined` for one that only carried usage nobody asked for. */
function tell(teller: Teller, chunk: ChatChunk): ChatChunk | undefined {
  const { call, attempt } = teller;
  const now = call.ports.clock.now();
  for (const choice of chunk.choices) {
    if (choice.finish_reason === null) teller.openChoices.add(choice.index);
    else {
      teller.openChoices.delete(choice.index);
      teller.hasFinished = true;
    }
  }
  if (chunk.usage) teller.usage = chunk.usage;
  if (chunk.choices.length === 0 && chunk.usage && !teller.showsUsage) return undefined;
  const isLast = teller.showsUsage ? chunk.usage !== undefined : teller.hasFinished && teller.openChoices.size === 0;
  const extra = extraFields(call, attempt, now - (isLast ? call.startedAt : teller.lastAt));
  extra.chunk_index = teller.index++;
  teller.lastAt = now;
  if (isLast) addRaw(extra, attempt);
  if (attempt.warnings.length > teller.reportedWarnings) {
    teller.reportedWarnings = attempt.warnings.length;
    extra.warnings = [...attempt.warnings];
  }
  if (!chunk.usage || teller.showsUsage) return { ...chunk, extra_fields: extra };
  const { usage: _hidden, ...shown } = chunk;
  return { ...shown, extra_fields: extra } as ChatChunk;
}

/** Ends the provider's stream without waiting for it. */
function endSource(attempt: Attempt, rest: AsyncIterator<ChatChunk>, error: GatewayError): void {
  attempt.failure ??= error;
  attempt.abort(error);
  rest.return?.().catch(() => {}); // the stream is over for the caller; its last words change nothing
}

function broken({ target }: Attempt): GatewayError {
  return new GatewayError("upstream_stream_broken", `The stream of ${target.name} ended before it was complete.`);
}
