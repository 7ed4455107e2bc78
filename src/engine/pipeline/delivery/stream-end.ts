import { type GatewayError, isGatewayError, withDetails } from "../../errors.ts";
import type { MaybePromise } from "../../runtime/maybe-promise.ts";
import { settleCharge, settleEarly } from "../accounting/charge.ts";
import { estimateChat } from "../accounting/count-tokens.ts";
import type { Consumption } from "../accounting/ledger-line.ts";
import { settleCall } from "../accounting/settle.ts";
import { endAttempt, failureOf } from "../attempts/attempt.ts";
import type { Candidates } from "../attempts/candidates.ts";
import type { Served } from "../attempts/target.ts";
import { isComplete, observeChunk, openStreamState, withCost } from "./chunk-writer.ts";
import { type CommittedStream, endSource } from "./first-content.ts";
import { canResume, resume } from "./resume.ts";
import type { StreamDelivery } from "./stream-state.ts";

/** A broken stream: resumed by another candidate (true), complete all the same (false), or failed. */
export async function recover(delivery: StreamDelivery, thrown: unknown): Promise<boolean> {
  const error = describeEnd(delivery, thrown);
  if (isWhole(delivery, error)) return false;
  if (!canResume(delivery, error)) throw error;
  endServed(delivery, settleEarly, error);
  await resume(delivery, error);
  return true;
}

/** Settles a stream that was ended from our side while no reader waited for it: complete all the same, or failed. */
export function endIdle(delivery: StreamDelivery, error: GatewayError): void {
  void endDelivery(delivery, isWhole(delivery, error) ? undefined : error);
}

/** True where the answer had arrived completely, so that the end of its stream loses none of it. */
function isWhole({ state }: StreamDelivery, error: GatewayError): boolean {
  return isComplete(state) && error.code !== "request_cancelled";
}

/** What ended a stream, with all details for the caller. */
export function describeEnd(
  { candidates: { call }, served: { attempt } }: StreamDelivery,
  thrown: unknown,
): GatewayError {
  if (isGatewayError(thrown) && thrown.eventId === call.id) return thrown; // has all details
  const error = failureOf(attempt, thrown);
  return withDetails(error, { provider: attempt.target.provider, model: call.modelRequested, eventId: call.id });
}

/** Ends a stream that came after another one had won. */
export function discardStream(candidates: Candidates, served: Served<CommittedStream>, error: GatewayError): void {
  const { call } = candidates;
  const state = openStreamState(call, served.attempt, false);
  for (const chunk of served.answer.buffered) observeChunk(state, chunk);
  endServed({ candidates, served, state, firstContentAt: call.ports.clock.now() }, settleEarly, error);
}

type EndingStream = Pick<StreamDelivery, "candidates" | "served" | "state" | "firstContentAt">;

/** Ends the current attempt and settles its charge. */
function endServed(ending: EndingStream, close: typeof settleCharge, error?: GatewayError): void {
  const { served, state, firstContentAt } = ending;
  const { call } = ending.candidates;
  const { attempt, charge, answer } = served;
  endAttempt(call, attempt, error);
  if (error) endSource(attempt, answer.rest, error);
  const generated = `${state.text}${state.otherText}`;
  const { target, model } = attempt;
  const text = `${answer.unsent ?? ""}${generated.slice(state.billedLength)}`;
  const reported = state.usage && { usage: state.usage, isEstimated: false };
  state.billedLength = generated.length;
  const consumption: Consumption = {
    error,
    ...(reported ?? estimateChat(call, { target, model, text, used: attempt.consumed.partialUsage })),
    statedCost: attempt.consumed.statedCost,
    serviceTier: state.serviceTier,
    servedModel: state.servedModel,
    credential: attempt.credential,
    firstContentAt,
  };
  state.bill = close(call, charge, consumption);
}

/** Ends the stream and settles its call, once. */
export function endDelivery(delivery: StreamDelivery, error?: GatewayError): MaybePromise<void> {
  const { candidates, served, state, firstContentAt } = delivery;
  const { call } = candidates;
  if (call.isSettled) return;
  endServed(delivery, settleCharge, error);
  const { warnings, target } = served.attempt;
  const usage = withCost(state.usage, state.bill);
  const ending = { status: error?.status ?? 200, reason: error?.code ?? ("ok" as const), error };
  return settleCall(call, { ...ending, target: target.name, usage, firstContentAt, warnings });
}
