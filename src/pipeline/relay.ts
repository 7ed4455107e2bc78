import type { ChatChunk, ChatRequest } from "../api/chat.ts";
import { GatewayError, isGatewayError, toGatewayError, withDetails } from "../errors.ts";
import type { MaybePromise } from "../ports/maybe-promise.ts";
import type { Journey } from "./ask.ts";
import { endAttempt } from "./attempt.ts";
import { estimateChat } from "./estimate.ts";
import type { Relay } from "./relayed.ts";
import { canResume, resume } from "./resume.ts";
import { settleCall, withCost } from "./settle.ts";
import { broken, endSource, type Opened } from "./stream.ts";
import { closeTab, priceOf, type Spent } from "./tab.ts";
import type { Served } from "./target.ts";
import { beginTelling, takeIn, tell } from "./tell.ts";

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
  if (!tab.facts?.rates) attempt.warnings.push(`unpriced: no price of ${attempt.target.name} is known`);
  const relay: Relay = {
    journey,
    request,
    teller: beginTelling(call, attempt, request.stream_options?.include_usage === true),
    firstContentAt: call.ports.clock.now(),
    served,
    told: 0,
    onIdleFailure: (error) => void closeRelay(relay, error),
  };
  attempt.onFailure = relay.onIdleFailure;
  return new RelayedChunks(relay);
}

/**
 * Written by hand: a generator and a race for each chunk cost it five promises, this two. Steps are asked for one at a time; a step
 * that is asked for while another is under way waits for that one.
 */
class RelayedChunks implements AsyncIterableIterator<ChatChunk> {
  readonly #relay: Relay;
  #reader: Reader;
  /** Who waits for the next chunk, and the promise they were given. */
  #waiter: Waiter | undefined;
  #step: Promise<Step> | undefined;
  #isOver = false;

  constructor(relay: Relay) {
    this.#relay = relay;
    this.#reader = this.#readerOf(relay.served);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<Step> {
    if (this.#waiter) return (this.#step as Promise<Step>).then(this.#again, this.#again);
    if (this.#isOver) return Promise.resolve(ended);
    this.#step = new Promise((resolve, reject) => {
      this.#waiter = { resolve, reject };
    });
    this.#read();
    return this.#step;
  }

  async return(): Promise<Step> {
    if (this.#waiter) await this.#step?.catch(() => {}); // whoever waits for it is told
    if (!this.#isOver) {
      this.#isOver = true;
      await closeRelay(this.#relay, new GatewayError("request_cancelled", "The caller stopped reading the stream."));
    }
    return ended;
  }

  readonly #again = (): Promise<Step> => this.next();

  /** Gives the waiter what is there already, or asks who is read now. */
  #read(): void {
    const { served, journey } = this.#relay;
    const { attempt, answer } = served;
    const held = nextHeld(this.#relay);
    if (held) this.#give(held);
    else if (attempt.failure) this.#mend(attempt.failure);
    else {
      if (this.#reader.served !== served) this.#reader = this.#readerOf(served);
      attempt.onFailure = this.#reader.onBreak;
      attempt.watch.waiting(journey.call.ports.clock.now());
      answer.rest.next().then(this.#reader.onStep, this.#reader.onBreak);
    }
  }

  /** One for each who is read: what a source says after it was left is nobody's. */
  #readerOf(served: Served<Opened>): Reader {
    const isRead = () => this.#relay.served === served && served.attempt.onFailure === onBreak;
    const onStep = (step: IteratorResult<ChatChunk>) => {
      if (!isRead()) return;
      served.attempt.onFailure = this.#relay.onIdleFailure;
      served.attempt.watch.arrived();
      if (!step.done) this.#give(step.value);
      else if (this.#relay.teller.hasFinished) this.#end();
      else this.#mend(broken(served.attempt));
    };
    const onBreak = (thrown: unknown) => {
      if (!isRead()) return;
      served.attempt.onFailure = this.#relay.onIdleFailure;
      this.#mend(thrown);
    };
    return { served, onStep, onBreak };
  }

  #give(chunk: ChatChunk): void {
    const relay = this.#relay;
    const { teller } = relay;
    try {
      takeIn(teller, chunk);
      if (chunk.choices.length === 0 && chunk.usage && !teller.showsUsage) this.#read();
      else this.#answer().resolve({ done: false, value: tell(teller, chunk, costOf(relay, chunk)) });
    } catch (thrown) {
      this.#fail(thrown);
    }
  }

  #mend(thrown: unknown): void {
    mend(this.#relay, thrown).then(
      (isMended) => (isMended ? this.#read() : this.#end()),
      (error: unknown) => this.#fail(error),
    );
  }

  #end(): void {
    this.#isOver = true;
    const settled = closeRelay(this.#relay);
    if (!settled) this.#answer().resolve(ended);
    else
      settled.then(
        () => this.#answer().resolve(ended),
        (thrown: unknown) => this.#fail(thrown),
      );
  }

  #fail(thrown: unknown): void {
    this.#isOver = true;
    const error = describe(this.#relay, thrown);
    const settled = closeRelay(this.#relay, error);
    if (!settled) this.#answer().reject(error);
    else
      settled.then(
        () => this.#answer().reject(error),
        (failed: unknown) => this.#answer().reject(failed),
      );
  }

  /** The waiter, who is not waiting any more. */
  #answer(): Waiter {
    const waiter = this.#waiter as Waiter;
    this.#waiter = undefined;
    return waiter;
  }
}

type Step = IteratorResult<ChatChunk, undefined>;
const ended: Step = { done: true, value: undefined };

interface Waiter {
  resolve(step: Step): void;
  reject(error: unknown): void;
}

/** What is done with the steps of one source. */
interface Reader {
  readonly served: Served<Opened>;
  readonly onStep: (step: IteratorResult<ChatChunk>) => void;
  readonly onBreak: (thrown: unknown) => void;
}

function nextHeld(relay: Relay): ChatChunk | undefined {
  return relay.served.answer.held[relay.told++];
}

/** A stream that broke: gone on with by another candidate (true), complete all the same (false), or failed. */
async function mend(relay: Relay, thrown: unknown): Promise<boolean> {
  const error = describe(relay, thrown);
  if (relay.teller.hasFinished && error.code !== "request_cancelled") return false;
  if (!canResume(relay, error)) throw error;
  endServed(relay, error);
  await resume(relay, error);
  return true;
}

function describe({ journey: { call }, served: { attempt } }: Relay, thrown: unknown): GatewayError {
  if (isGatewayError(thrown) && thrown.eventId === call.id) return thrown; // told in full already
  const error = attempt.failure ?? toGatewayError(thrown);
  return withDetails(error, { provider: attempt.target.provider, model: call.modelRequested, eventId: call.id });
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

/** Ends who is read now, and settles its tab. */
function endServed({ journey: { call }, served, teller, firstContentAt }: Relay, error?: GatewayError): void {
  const { attempt, tab, answer } = served;
  endAttempt(call, attempt, error);
  if (error) endSource(attempt, answer.rest, error);
  const generated = `${teller.text}${teller.spare}`;
  const estimated = teller.usage ? undefined : estimateChat(call, attempt.model, generated.slice(teller.counted));
  teller.counted = generated.length;
  const spent: Spent = {
    error,
    usage: teller.usage ?? estimated,
    isEstimated: estimated !== undefined,
    serviceTier: teller.serviceTier,
    credential: attempt.credential,
    firstContentAt,
  };
  teller.bill = closeTab(call, tab, spent);
}

function closeRelay(relay: Relay, error?: GatewayError): MaybePromise<void> {
  const { journey, served, teller, firstContentAt } = relay;
  const { call } = journey;
  if (call.isSettled) return;
  endServed(relay, error);
  const { warnings, target } = served.attempt;
  const usage = withCost(teller.usage, teller.bill);
  const ending = { status: error?.status ?? 200, reason: error?.code ?? ("ok" as const) };
  return settleCall(call, { ...ending, target: target.name, usage, firstContentAt, warnings });
}
