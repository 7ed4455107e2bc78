import type { ChatChunk, ChatRequest } from "../../api/chat.ts";
import { GatewayError } from "../../errors.ts";
import { ended, nextOf, type PullIterator, type Step, type StepSink } from "../../runtime/pull-iterator.ts";
import { priceOf } from "../accounting/bill-usage.ts";
import type { Candidates } from "../attempts/candidates.ts";
import { providerFailure } from "../attempts/provider-failure.ts";
import type { Served } from "../attempts/target.ts";
import { cancelCall, emitFailure } from "../call/call.ts";
import { annotateChunk, isComplete, observeChunk, openStreamState, withCost } from "./chunk-writer.ts";
import { type CommittedStream, chunkOf, streamBroken } from "./first-content.ts";
import { describeEnd, endDelivery, endIdle, recover } from "./stream-end.ts";
import type { StreamDelivery } from "./stream-state.ts";

/**
 * The caller's stream. It settles exactly once, whatever ends it: the last chunk, a failure, the caller's `break`, a deadline
 * that passes between reads. After a failure it throws and never looks complete.
 */
export async function deliverStream(
  candidates: Candidates,
  served: Served<CommittedStream>,
  request: ChatRequest,
): Promise<AsyncIterable<ChatChunk>> {
  const { call } = candidates;
  const { attempt, charge } = served;
  if (!priceOf(call, charge, { usage: anyUsage }))
    attempt.warnings.push(`unpriced: no price of ${attempt.target.name} is known`);
  const delivery: StreamDelivery = {
    candidates,
    request,
    state: openStreamState(call, attempt, request.stream_options?.include_usage === true),
    firstContentAt: call.ports.clock.now(),
    served,
    sentCount: 0,
    onIdleFailure: (error) => endIdle(delivery, error),
  };
  attempt.onFailure = delivery.onIdleFailure;
  const { failure } = attempt;
  if (!failure) return new DeliveredChunks(delivery);
  await endDelivery(delivery, failure); // ended since its first content: a stream that may never be read would not be settled
  throw describeEnd(delivery, failure);
}

/** Tokens of both kinds, as any stream uses them: a model that lacks either rate has no price for it. */
const anyUsage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };

/** The step to return now, or `later` when the waiter gets it; nothing for a chunk that the caller does not see. */
type Delivered = Step<ChatChunk> | typeof later | undefined;
const later = "later";

/**
 * Serves one step at a time; a concurrent request for a step waits for the one under way. Written by hand: a generator and a race
 * for each chunk cost it five promises.
 */
class DeliveredChunks implements PullIterator<ChatChunk>, AsyncIterableIterator<ChatChunk, undefined> {
  readonly #relay: StreamDelivery;
  #reader: SourceReader;
  #waiter: StepSink<ChatChunk> | undefined;
  /** Called when the waiter has its step. */
  #queue: (() => void)[] | undefined;
  #isOver = false;

  constructor(delivery: StreamDelivery) {
    this.#relay = delivery;
    this.#reader = this.#readerOf(delivery.served);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<Step<ChatChunk>> {
    return this.#waiter ? this.#untilTold().then(() => this.next()) : nextOf(this);
  }

  poll(waiter: StepSink<ChatChunk>): Step<ChatChunk> | undefined {
    if (this.#isOver) return ended;
    this.#waiter = waiter;
    const delivered = this.#tryTo(this.#advance);
    if (delivered === later) return undefined;
    this.#noLongerWaiting();
    return delivered;
  }

  /** A reader that still waits for a chunk gets the cancellation instead: the provider's work ends now, not with the chunk. */
  async return(): Promise<Step<ChatChunk>> {
    const error = new GatewayError("request_cancelled", "The caller stopped reading the stream.");
    if (this.#waiter) {
      cancelCall(this.#relay.candidates.call, error);
      await this.#untilTold();
    }
    if (!this.#isOver) {
      this.#isOver = true;
      await endDelivery(this.#relay, error);
    }
    return ended;
  }

  #untilTold(): Promise<void> {
    return new Promise((resolve) => {
      this.#queue ??= [];
      this.#queue.push(resolve);
    });
  }

  /** Reads until there is a step to return. */
  readonly #advance = (): Exclude<Delivered, undefined> => {
    for (;;) {
      const delivered = this.#readOne();
      if (delivered !== undefined) return delivered;
    }
  };

  #readOne(): Delivered {
    const { served, candidates } = this.#relay;
    const { attempt } = served;
    const buffered = nextBuffered(this.#relay);
    if (buffered) return this.#give(buffered);
    if (attempt.failure) return this.#mend(attempt.failure);
    if (this.#reader.served !== served) this.#reader = this.#readerOf(served);
    const reader = this.#reader;
    let step: Step<ChatChunk> | undefined;
    try {
      step = reader.rest.poll(reader);
    } catch (thrown) {
      return this.#mend(thrown);
    }
    if (step) return this.#arrive(step);
    attempt.onFailure = reader.fail;
    attempt.timer.waiting(candidates.call.ports.clock.now());
    return later;
  }

  /** One per attempt: what a source yields after the attempt has ended is ignored. */
  #readerOf(served: Served<CommittedStream>): SourceReader {
    const { attempt, answer } = served;
    attempt.pace.gatherMs = this.#relay.candidates.call.ports.gatherMs;
    const hasEnded = () => {
      if (this.#relay.served !== served || attempt.onFailure !== fail) return true;
      attempt.onFailure = this.#relay.onIdleFailure;
      return false;
    };
    const take = (step: Step<ChatChunk>) => {
      if (hasEnded()) return;
      attempt.timer.arrived();
      this.#tell(() => this.#arrive(step) ?? this.#advance());
    };
    const fail = (thrown: unknown) => {
      if (!hasEnded()) this.#tell(() => this.#mend(thrown));
    };
    return { served, rest: answer.rest, take, fail };
  }

  #arrive(step: Step<ChatChunk>): Delivered {
    if (!step.done) return this.#give(chunkOf(step.value, this.#relay.served.attempt));
    return isComplete(this.#relay.state) ? this.#end() : this.#mend(streamBroken(this.#relay.served.attempt));
  }

  #give(chunk: ChatChunk): Delivered {
    const delivery = this.#relay;
    const { state } = delivery;
    observeChunk(state, chunk);
    if (chunk.choices.length === 0 && chunk.usage && !state.showsUsage) return undefined;
    return { done: false, value: annotateChunk(state, chunk, costOf(delivery, chunk)) };
  }

  #mend(thrown: unknown): typeof later {
    const { call } = this.#relay.candidates;
    const { attempt } = this.#relay.served;
    recover(this.#relay, attempt.failure ?? providerFailure(call, thrown, attempt.target)).then(
      (isMended) => this.#tell(() => (isMended ? this.#advance() : this.#end())),
      (error: unknown) => this.#fail(error),
    );
    return later;
  }

  #end(): Exclude<Delivered, undefined> {
    this.#isOver = true;
    const settled = endDelivery(this.#relay);
    if (!settled) return ended;
    settled.then(
      () => this.#tell(() => ended),
      (thrown: unknown) => this.#fail(thrown),
    );
    return later;
  }

  #fail(thrown: unknown): typeof later {
    this.#isOver = true;
    const delivery = this.#relay;
    const error = describeEnd(delivery, thrown);
    emitFailure(delivery.candidates.call, thrown); // also one that the first error hides, such as that of the resuming candidate
    const close = async () => endDelivery(delivery, error);
    close()
      .then(() => error)
      .catch((failed: unknown) => failed)
      .then((delivered) => this.#noLongerWaiting().fail(delivered));
    return later;
  }

  /** Passes the waiter its step, if there is one. */
  #tell(produce: () => Exclude<Delivered, undefined>): void {
    const delivered = this.#tryTo(produce);
    if (delivered !== later) this.#noLongerWaiting().take(delivered);
  }

  #tryTo(produce: () => Exclude<Delivered, undefined>): Exclude<Delivered, undefined> {
    try {
      return produce();
    } catch (thrown) {
      return this.#fail(thrown);
    }
  }

  /** Returns the waiter, which no longer waits. */
  #noLongerWaiting(): StepSink<ChatChunk> {
    const waiter = this.#waiter as StepSink<ChatChunk>;
    this.#waiter = undefined;
    const queue = this.#queue;
    this.#queue = undefined;
    if (queue) for (const wake of queue) wake();
    return waiter;
  }
}

/** Waits for the steps of one source. */
interface SourceReader extends StepSink<ChatChunk> {
  readonly served: Served<CommittedStream>;
  readonly rest: PullIterator<ChatChunk>;
}

function nextBuffered(delivery: StreamDelivery): ChatChunk | undefined {
  return delivery.served.answer.buffered[delivery.sentCount++];
}

/** The usage of an observed chunk, with its cost. */
function costOf(delivery: StreamDelivery, chunk: ChatChunk) {
  const { usage, showsUsage } = delivery.state;
  if (!chunk.usage || !usage || !showsUsage) return undefined;
  return withCost(
    usage,
    priceOf(delivery.candidates.call, delivery.served.charge, { usage, serviceTier: delivery.state.serviceTier }),
  );
}
