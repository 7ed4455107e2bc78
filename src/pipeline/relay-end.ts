import { type GatewayError, isGatewayError, toGatewayError, withDetails } from "../errors.ts";
import type { MaybePromise } from "../ports/maybe-promise.ts";
import type { Journey } from "./ask.ts";
import { endAttempt } from "./attempt.ts";
import type { Spent } from "./bill.ts";
import { estimateChat } from "./estimate.ts";
import type { Relay } from "./relayed.ts";
import { canResume, resume } from "./resume.ts";
import { settleCall } from "./settle.ts";
import { endSource, type Opened } from "./stream.ts";
import { closeMidway, closeTab } from "./tab.ts";
import type { Served } from "./target.ts";
import { beginTelling, isComplete, takeIn, withCost } from "./tell.ts";

/** A stream that broke: gone on with by another candidate (true), complete all the same (false), or failed. */
export async function mend(relay: Relay, thrown: unknown): Promise<boolean> {
  const error = describe(relay, thrown);
  if (isWhole(relay, error)) return false;
  if (!canResume(relay, error)) throw error;
  endServed(relay, closeMidway, error);
  await resume(relay, error);
  return true;
}

/** Settles a stream that was ended from our side while nobody waited for it: complete all the same, or failed. */
export function closeIdle(relay: Relay, error: GatewayError): void {
  void closeRelay(relay, isWhole(relay, error) ? undefined : error);
}

/** True where all of the answer had come, so that the end of its stream takes nothing from it. */
function isWhole({ teller }: Relay, error: GatewayError): boolean {
  return isComplete(teller) && error.code !== "request_cancelled";
}

/** What ended a stream, with all that the caller is told of it. */
export function describe({ journey: { call }, served: { attempt } }: Relay, thrown: unknown): GatewayError {
  if (isGatewayError(thrown) && thrown.eventId === call.id) return thrown; // told in full already
  const error = attempt.failure ?? toGatewayError(thrown);
  return withDetails(error, { provider: attempt.target.provider, model: call.modelRequested, eventId: call.id });
}

/** Ends a stream that came when another one had come already. */
export function endUnread(journey: Journey, served: Served<Opened>, error: GatewayError): void {
  const { call } = journey;
  const teller = beginTelling(call, served.attempt, false);
  for (const chunk of served.answer.held) takeIn(teller, chunk);
  endServed({ journey, served, teller, firstContentAt: call.ports.clock.now() }, closeMidway, error);
}

type Ending = Pick<Relay, "journey" | "served" | "teller" | "firstContentAt">;

/** Ends who is read now, and closes its tab. */
function endServed(ending: Ending, close: typeof closeTab, error?: GatewayError): void {
  const { served, teller, firstContentAt } = ending;
  const { call } = ending.journey;
  const { attempt, tab, answer } = served;
  endAttempt(call, attempt, error);
  if (error) endSource(attempt, answer.rest, error);
  const generated = `${teller.text}${teller.spare}`;
  const { target, model } = attempt;
  const text = `${answer.untold ?? ""}${generated.slice(teller.counted)}`;
  const told = teller.usage && { usage: teller.usage, isEstimated: false };
  teller.counted = generated.length;
  const spent: Spent = {
    error,
    ...(told ?? estimateChat(call, { target, model, text, used: attempt.approach.used })),
    serviceTier: teller.serviceTier,
    credential: attempt.credential,
    firstContentAt,
  };
  teller.bill = close(call, tab, spent);
}

/** Ends the stream and settles its call, once. */
export function closeRelay(relay: Relay, error?: GatewayError): MaybePromise<void> {
  const { journey, served, teller, firstContentAt } = relay;
  const { call } = journey;
  if (call.isSettled) return;
  endServed(relay, closeTab, error);
  const { warnings, target } = served.attempt;
  const usage = withCost(teller.usage, teller.bill);
  const ending = { status: error?.status ?? 200, reason: error?.code ?? ("ok" as const) };
  return settleCall(call, { ...ending, target: target.name, usage, firstContentAt, warnings });
}
