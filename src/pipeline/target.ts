import pRetry from "p-retry";
import { type GatewayError, toGatewayError } from "../errors.ts";
import type { Target } from "../route/plan.ts";
import { isCredentialFault, judge } from "../route/verdict.ts";
import { type Ask, type Tried, tryOnce } from "./attempt.ts";
import { type Call, pause } from "./call.ts";
import { estimateChat } from "./estimate.ts";
import { closeMidway, openTab, type Spent, spentInParts, type Tab } from "./tab.ts";
import {
  approach,
  beginVisit,
  describeFailure,
  hasOtherCredential,
  markCredential,
  tellRefusal,
  type Visit,
} from "./visit.ts";

/** An answer, the attempt that gave it and its tab, both still open. */
export interface Served<Answer> extends Tried<Answer> {
  readonly tab: Tab;
}

/** The last failure of a target. */
export interface Failed {
  readonly error: GatewayError;
  /** No other target can mend it. */
  readonly isFinal: boolean;
}

/** Asks one target within its limits, with its credentials and its retries. */
export async function askTarget<Answer>(
  call: Call,
  target: Target,
  ask: Ask<Answer>,
): Promise<Served<Answer> | Failed> {
  const opened = openTab(call, target);
  const tab = opened instanceof Promise ? await opened : opened;
  if (tab.kind === "refusal") {
    return { error: tellRefusal(call, target, tab), isFinal: false };
  }
  const visit = beginVisit(call, target);
  try {
    const { attempt, answer } = await tryOnce(call, approach(visit, 1), ask);
    return { attempt, answer, tab };
  } catch (thrown) {
    return askAgain(visit, { ask, tab, failed: thrown });
  }
}

/** A target's first try that failed. */
interface FirstTry<Answer> {
  readonly ask: Ask<Answer>;
  readonly tab: Tab;
  readonly failed: unknown;
}

/**
 * Asks as often again as that may help. Most first tries answer, and p-retry costs those half a microsecond: it is told of the first
 * one when that has failed.
 */
async function askAgain<Answer>(
  visit: Visit,
  { ask, tab, failed }: FirstTry<Answer>,
): Promise<Served<Answer> | Failed> {
  const { call } = visit;
  const tryNext = (tries: number) =>
    tries === 1 ? Promise.reject(failed) : tryOnce(call, approach(visit, tries), ask);
  try {
    const { attempt, answer } = await pRetry(tryNext, {
      retries: call.ports.retry.retries + (visit.credentials?.length ?? 0),
      minTimeout: 0,
      shouldRetry: ({ error }) => prepareRetry(visit, toGatewayError(error)),
    });
    return { attempt, answer, tab };
  } catch (thrown) {
    const error = toGatewayError(thrown);
    closeMidway(call, tab, { error, ...spentBy(visit) });
    return fail(visit, error);
  }
}

/** What a target that failed consumed: nothing, unless it answered in part or for nobody, or lost a race while it was at work. */
function spentBy({ call, last }: Visit): Omit<Spent, "error"> {
  if (last?.parts) return { credential: last.credential, ...spentInParts(last.parts) };
  if (last?.consumed === undefined) return { credential: last?.credential };
  const { target, credential, deployment: model, consumed: text } = last;
  return { credential, usage: estimateChat(call, { target, model, text }), isEstimated: true };
}

/** Judges a failed try; true when the target is to be asked again, after the pause that this takes. */
async function prepareRetry(visit: Visit, error: GatewayError): Promise<boolean> {
  const { call } = visit;
  markCredential(visit, error);
  const verdict = judgeTry(visit, error, {
    tries: visit.counted,
    hasOtherCredential: isCredentialFault(error) && hasOtherCredential(visit),
  });
  if (call.cancelled) return false;
  if (verdict.kind === "rotate") {
    visit.counted--;
    return true;
  }
  if (verdict.kind !== "retry") return false;
  await pause(call, verdict.afterMs);
  return true;
}

function judgeTry({ call }: Visit, error: GatewayError, state: { tries: number; hasOtherCredential?: boolean }) {
  const { retry: policy, random, clock } = call.ports;
  return judge({ error, policy, draw: random(), remainingMs: call.deadline - clock.now(), ...state });
}

function fail(visit: Visit, error: GatewayError): Failed {
  const isFinal = judgeTry(visit, error, { tries: visit.call.ports.retry.retries + 1 }).kind === "stop";
  return { error: describeFailure(visit, error), isFinal };
}
