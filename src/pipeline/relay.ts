import type { ChatChunk, ChatRequest } from "../api/chat.ts";
import { GatewayError, isGatewayError, toGatewayError, withDetails } from "../errors.ts";
import type { MaybePromise } from "../ports/maybe-promise.ts";
import type { Journey } from "./ask.ts";
import { endAttempt } from "./attempt.ts";
import { estimateChat } from "./estimate.ts";
import type { Relay } from "./relayed.ts";
import { canResume, resume } from "./resume.ts";
import { settleCall, withCost } from "./settle.ts";
import { broken, endSource, type Opened, pull } from "./stream.ts";
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
    onStep: (step) => takeStep(relay, step),
    onBreak: (thrown) => mend(relay, thrown),
  };
  const chunks = relayChunks(relay);
  await chunks.next(); // enters the generator's `try`, so that even an unread stream is closed by `return()`
  attempt.onFailure = relay.onIdleFailure;
  return { [Symbol.asyncIterator]: () => chunks as AsyncGenerator<ChatChunk> };
}

async function* relayChunks(relay: Relay): AsyncGenerator<ChatChunk | undefined, void, undefined> {
  const { teller } = relay;
  try {
    yield undefined;
    for (;;) {
      const chunk = nextHeld(relay) ?? (await nextChunk(relay));
      if (!chunk) break;
      takeIn(teller, chunk);
      if (chunk.choices.length > 0 || !chunk.usage || teller.showsUsage)
        yield tell(teller, chunk, costOf(relay, chunk));
    }
    await closeRelay(relay);
  } catch (thrown) {
    const error = describe(relay, thrown);
    await closeRelay(relay, error);
    throw error;
  } finally {
    await closeRelay(relay, new GatewayError("request_cancelled", "The caller stopped reading the stream."));
  }
}

function nextHeld(relay: Relay): ChatChunk | undefined {
  return relay.served.answer.held[relay.told++];
}

/** The next chunk of whoever is read; `undefined` when the answer is complete. No async function: each hop would cost every chunk. */
function nextChunk(relay: Relay): Promise<ChatChunk | undefined> {
  const { attempt, answer } = relay.served;
  return pull(relay.journey.call, attempt, answer.rest).then(relay.onStep, relay.onBreak);
}

function takeStep(
  relay: Relay,
  step: IteratorResult<ChatChunk>,
): ChatChunk | undefined | Promise<ChatChunk | undefined> {
  const { attempt } = relay.served;
  attempt.onFailure = relay.onIdleFailure;
  attempt.watch.arrived();
  if (!step.done) return step.value;
  return relay.teller.hasFinished ? undefined : mend(relay, broken(attempt));
}

/** A stream that broke: complete all the same, gone on with by another candidate, or failed. */
async function mend(relay: Relay, thrown: unknown): Promise<ChatChunk | undefined> {
  const error = describe(relay, thrown);
  if (relay.teller.hasFinished && error.code !== "request_cancelled") return undefined;
  if (!canResume(relay, error)) throw error;
  endServed(relay, error);
  await resume(relay, error);
  return nextHeld(relay) ?? nextChunk(relay);
}

function describe({ journey: { call }, served: { attempt } }: Relay, thrown: unknown): GatewayError {
  if (isGatewayError(thrown) && thrown.eventId === call.id) return thrown; // told in full already
  const error = attempt.failure ?? toGatewayError(thrown);
  return withDetails(error, { provider: attempt.target.provider, model: call.modelRequested, eventId: call.id });
}

/** The usage of a chunk with its cost. */
function costOf(relay: Relay, { usage }: ChatChunk) {
  if (!usage || !relay.teller.showsUsage) return usage;
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
