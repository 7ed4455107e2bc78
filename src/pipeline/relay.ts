import type { ChatChunk, ChatRequest } from "../api/chat.ts";
import { GatewayError } from "../errors.ts";
import { ended, nextOf, type Step, type Steps, type Waiter } from "../ports/steps.ts";
import type { Journey } from "./ask.ts";
import { priceOf } from "./bill.ts";
import { announceFailure, cancelCall } from "./call.ts";
import { closeIdle, closeRelay, describe, mend } from "./relay-end.ts";
import type { Relay } from "./relayed.ts";
import { broken, type Opened } from "./stream.ts";
import type { Served } from "./target.ts";
import { beginTelling, isComplete, takeIn, tell, withCost } from "./tell.ts";

/**
 * The caller's stream. It settles exactly once, whatever ends it: the last chunk, a failure, the caller's `break`, a deadline
 * that passes while nobody reads. After a failure it throws and never looks complete.
 */
export async function deliverStream(
  journey: Journey,
  served: Served<Opened>,
  request: ChatRequest,
): Promise<AsyncIterable<ChatChunk>> {
  const { call } = journey;
  const { attempt, tab } = served;
  if (!priceOf(call, tab, { usage: anyUsage }))
    attempt.warnings.push(`unpriced: no price of ${attempt.target.name} is known`);
  const relay: Relay = {
    journey,
    request,
    teller: beginTelling(call, attempt, request.stream_options?.include_usage === true),
    firstContentAt: call.ports.clock.now(),
    served,
    told: 0,
    onIdleFailure: (error) => closeIdle(relay, error),
  };
  attempt.onFailure = relay.onIdleFailure;
  const { failure } = attempt;
  if (!failure) return new RelayedChunks(relay);
  await closeRelay(relay, failure); // ended between its first content and here: nobody would settle a stream that may never be read
  throw describe(relay, failure);
}

/** Tokens of both kinds, as any stream uses them: a model that lacks either rate has no price for it. */
const anyUsage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };

/** What is told now, or `later` when the waiter is told; nothing for a chunk that the caller does not see. */
type Told = Step<ChatChunk> | typeof later | undefined;
const later = "later";

/**
 * Steps are asked for one at a time; one that is asked for while another is under way waits for that one. Written by hand: a generator
 * and a race for each chunk cost it five promises.
 */
class RelayedChunks implements Steps<ChatChunk>, AsyncIterableIterator<ChatChunk, undefined> {
  readonly #relay: Relay;
  #reader: Reader;
  #waiter: Waiter<ChatChunk> | undefined;
  /** Called when the waiter was told. */
  #queue: (() => void)[] | undefined;
  #isOver = false;

  constructor(relay: Relay) {
    this.#relay = relay;
    this.#reader = this.#readerOf(relay.served);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<Step<ChatChunk>> {
    return this.#waiter ? this.#untilTold().then(() => this.next()) : nextOf(this);
  }

  poll(waiter: Waiter<ChatChunk>): Step<ChatChunk> | undefined {
    if (this.#isOver) return ended;
    this.#waiter = waiter;
    const told = this.#tryTo(this.#advance);
    if (told === later) return undefined;
    this.#noLongerWaiting();
    return told;
  }

  /** Who is still told the next chunk then is told that the call was cancelled: the provider's work ends now, not with the chunk. */
  async return(): Promise<Step<ChatChunk>> {
    const error = new GatewayError("request_cancelled", "The caller stopped reading the stream.");
    if (this.#waiter) {
      cancelCall(this.#relay.journey.call, error);
      await this.#untilTold();
    }
    if (!this.#isOver) {
      this.#isOver = true;
      await closeRelay(this.#relay, error);
    }
    return ended;
  }

  #untilTold(): Promise<void> {
    return new Promise((resolve) => {
      this.#queue ??= [];
      this.#queue.push(resolve);
    });
  }

  /** Reads until there is something to tell. */
  readonly #advance = (): Exclude<Told, undefined> => {
    for (;;) {
      const told = this.#readOne();
      if (told !== undefined) return told;
    }
  };

  #readOne(): Told {
    const { served, journey } = this.#relay;
    const { attempt } = served;
    const held = nextHeld(this.#relay);
    if (held) return this.#give(held);
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
    attempt.watch.waiting(journey.call.ports.clock.now());
    return later;
  }

  /** One for each who is read: what a source says after it was left is nobody's. */
  #readerOf(served: Served<Opened>): Reader {
    const { attempt, answer } = served;
    const hasEnded = () => {
      if (this.#relay.served !== served || attempt.onFailure !== fail) return true;
      attempt.onFailure = this.#relay.onIdleFailure;
      return false;
    };
    const take = (step: Step<ChatChunk>) => {
      if (hasEnded()) return;
      attempt.watch.arrived();
      this.#tell(() => this.#arrive(step) ?? this.#advance());
    };
    const fail = (thrown: unknown) => {
      if (!hasEnded()) this.#tell(() => this.#mend(thrown));
    };
    return { served, rest: answer.rest, take, fail };
  }

  #arrive(step: Step<ChatChunk>): Told {
    if (!step.done) return this.#give(step.value);
    return isComplete(this.#relay.teller) ? this.#end() : this.#mend(broken(this.#relay.served.attempt));
  }

  #give(chunk: ChatChunk): Told {
    const relay = this.#relay;
    const { teller } = relay;
    takeIn(teller, chunk);
    if (chunk.choices.length === 0 && chunk.usage && !teller.showsUsage) return undefined;
    return { done: false, value: tell(teller, chunk, costOf(relay, chunk)) };
  }

  #mend(thrown: unknown): typeof later {
    mend(this.#relay, thrown).then(
      (isMended) => this.#tell(() => (isMended ? this.#advance() : this.#end())),
      (error: unknown) => this.#fail(error),
    );
    return later;
  }

  #end(): Exclude<Told, undefined> {
    this.#isOver = true;
    const settled = closeRelay(this.#relay);
    if (!settled) return ended;
    settled.then(
      () => this.#tell(() => ended),
      (thrown: unknown) => this.#fail(thrown),
    );
    return later;
  }

  #fail(thrown: unknown): typeof later {
    this.#isOver = true;
    const relay = this.#relay;
    const error = describe(relay, thrown);
    announceFailure(relay.journey.call, thrown); // also one that the first error hides, as of who was to go on with the stream
    const close = async () => closeRelay(relay, error);
    close()
      .then(() => error)
      .catch((failed: unknown) => failed)
      .then((told) => this.#noLongerWaiting().fail(told));
    return later;
  }

  /** Tells the waiter what there is to tell. */
  #tell(produce: () => Exclude<Told, undefined>): void {
    const told = this.#tryTo(produce);
    if (told !== later) this.#noLongerWaiting().take(told);
  }

  #tryTo(produce: () => Exclude<Told, undefined>): Exclude<Told, undefined> {
    try {
      return produce();
    } catch (thrown) {
      return this.#fail(thrown);
    }
  }

  /** The waiter, who is not waiting any more. */
  #noLongerWaiting(): Waiter<ChatChunk> {
    const waiter = this.#waiter as Waiter<ChatChunk>;
    this.#waiter = undefined;
    const queue = this.#queue;
    this.#queue = undefined;
    if (queue) for (const wake of queue) wake();
    return waiter;
  }
}

/** Who waits for the steps of one source. */
interface Reader extends Waiter<ChatChunk> {
  readonly served: Served<Opened>;
  readonly rest: Steps<ChatChunk>;
}

function nextHeld(relay: Relay): ChatChunk | undefined {
  return relay.served.answer.held[relay.told++];
}

/** The usage of a chunk that was taken in, with its cost. */
function costOf(relay: Relay, chunk: ChatChunk) {
  const { usage, showsUsage } = relay.teller;
  if (!chunk.usage || !usage || !showsUsage) return undefined;
  return withCost(
    usage,
    priceOf(relay.journey.call, relay.served.tab, { usage, serviceTier: relay.teller.serviceTier }),
  );
}
