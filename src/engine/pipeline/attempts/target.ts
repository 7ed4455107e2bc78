import pRetry from "p-retry";
import { type GatewayError, toGatewayError } from "../../errors.ts";
import type { Target } from "../../routing/plan.ts";
import { isCredentialFault, judge } from "../../routing/verdict.ts";
import { type Charge, openCharge, settleEarly } from "../accounting/charge.ts";
import { takeConsumption } from "../accounting/consumption.ts";
import { emitDefect, pause } from "../call/call.ts";
import type { Attempt } from "./attempt.ts";
import {
  type AskingCall,
  beginTry,
  describeFailure,
  hasOtherCredential,
  hasReadyFallback,
  hasRoom,
  markCredential,
  openTargetRun,
  reportRefusal,
  type TargetRun,
} from "./target-run.ts";
import { type CallProvider, tryOnce } from "./try-once.ts";

/** An answer, the attempt that gave it and its charge, both still open. */
export interface Served<Answer> {
  readonly attempt: Attempt;
  readonly answer: Answer;
  readonly charge: Charge;
}

/** The last failure of a target. */
export interface Failed {
  readonly error: GatewayError;
  /** No other target can remedy it. */
  readonly isFinal: boolean;
  /** How often the target was asked. */
  readonly tries: number;
}

/** Asks one target within its limits, with its credentials and its retries. */
export async function askTarget<Answer>(
  asking: AskingCall,
  target: Target,
  ask: CallProvider<Answer>,
): Promise<Served<Answer> | Failed> {
  const { call } = asking;
  const charge = await openCharge(call, target);
  if (charge.kind === "refusal") {
    return { error: reportRefusal(call, target, charge), isFinal: false, tries: 0 };
  }
  const run = openTargetRun(call, target, asking);
  try {
    const { attempt, answer } = await tryOnce(beginTry(run), ask);
    return { attempt, answer, charge };
  } catch (thrown) {
    return askAgain(run, { ask, charge, failed: thrown });
  }
}

/** A target's first try that failed. */
interface FirstTry<Answer> {
  readonly ask: CallProvider<Answer>;
  readonly charge: Charge;
  readonly failed: unknown;
}

/**
 * Asks again as often as that may help. Most first tries answer, and p-retry costs those half a microsecond: it sees the first
 * one only after it failed.
 */
async function askAgain<Answer>(run: TargetRun, first: FirstTry<Answer>): Promise<Served<Answer> | Failed> {
  const { call } = run;
  let { charge } = first;
  const tryNext = (tries: number) => (tries === 1 ? Promise.reject(first.failed) : tryOnce(beginTry(run), first.ask));
  try {
    const { attempt, answer } = await pRetry(tryNext, {
      retries: call.ports.retry.retries + (run.credentials?.length ?? 0),
      minTimeout: 0,
      shouldRetry: async ({ error }) => {
        const next = await prepareRetry(run, charge, toGatewayError(error));
        charge = next ?? charge;
        return next !== undefined;
      },
    });
    return { attempt, answer, charge };
  } catch (thrown) {
    const error = toGatewayError(thrown);
    settleTry(run, charge, error);
    return fail(run, error);
  }
}

/** Judges a failed try; returns the next one's charge if the target is to be asked again, after the pause that this takes. */
async function prepareRetry(run: TargetRun, charge: Charge, error: GatewayError): Promise<Charge | undefined> {
  const { call } = run;
  markCredential(run, error);
  const verdict = judgeTry(run, error, {
    tries: run.counted,
    hasOtherCredential: isCredentialFault(error) && hasOtherCredential(run),
  });
  if (call.cancelled || (verdict.kind !== "rotate" && verdict.kind !== "retry")) return undefined;
  settleIfConsumed(run, charge, error);
  if (verdict.kind === "rotate") run.counted--;
  else await pause(call, verdict.afterMs);
  return charge.isSettled ? await reserveAgain(run) : charge;
}

/**
 * A try that consumed something has a line of its own, since a reservation covers only one answer. The tries of a decision in
 * parts share one, unless a question was read for nothing: answered questions are not asked again.
 */
function settleIfConsumed(run: TargetRun, charge: Charge, error: GatewayError): void {
  const { partialAnswers, lostText, subCalls } = run.consumed;
  const isConsumed = subCalls
    ? [...subCalls.open.values()].includes(true)
    : partialAnswers !== undefined || lostText !== undefined;
  if (isConsumed) settleTry(run, charge, error);
}

/** Settles the charge of a failed try, with what it consumed nevertheless, as far as that can be counted. */
function settleTry(run: TargetRun, charge: Charge, error: GatewayError): void {
  settleEarly(run.call, charge, { error, credential: run.credential, ...consumptionOf(run) });
}

function consumptionOf(run: TargetRun): ReturnType<typeof takeConsumption> {
  try {
    return takeConsumption(run.call, run);
  } catch (thrown) {
    emitDefect(run.call, thrown); // the failure of the try stands, and others may be asked
    return {};
  }
}

/** Reserves for another try; `undefined` where a limit refuses it or the bill has no room: the earlier failure stands. */
async function reserveAgain({ call, target }: TargetRun): Promise<Charge | undefined> {
  if (!hasRoom(call)) return undefined;
  const opened = await openCharge(call, target);
  if (opened.kind === "charge") return opened;
  reportRefusal(call, target, opened);
  return undefined;
}

function judgeTry(run: TargetRun, error: GatewayError, state: { tries: number; hasOtherCredential?: boolean }) {
  const { call } = run;
  const { retry: policy, random, clock } = call.ports;
  const isImpatient = error.retryAfterMs !== undefined && hasReadyFallback(run);
  const remainingMs = call.deadline - clock.now();
  return judge({ error, policy, draw: random(), remainingMs, hasReadyFallback: isImpatient, ...state });
}

function fail(run: TargetRun, error: GatewayError): Failed {
  const isFinal = judgeTry(run, error, { tries: run.call.ports.retry.retries + 1 }).kind === "stop";
  return { error: describeFailure(run, error), isFinal, tries: run.tryNumber };
}
