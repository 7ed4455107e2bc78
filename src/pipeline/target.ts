import pRetry from "p-retry";
import { type GatewayError, toGatewayError } from "../errors.ts";
import type { Target } from "../route/plan.ts";
import { isCredentialFault, judge } from "../route/verdict.ts";
import { type Ask, type Tried, tryOnce } from "./attempt.ts";
import { announceDefect, type Call, pause } from "./call.ts";
import { takeSpent } from "./spent.ts";
import { closeMidway, openTab, type Tab } from "./tab.ts";
import {
  approach,
  beginVisit,
  describeFailure,
  hasOtherCredential,
  hasRoom,
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
async function askAgain<Answer>(visit: Visit, first: FirstTry<Answer>): Promise<Served<Answer> | Failed> {
  const { call } = visit;
  let { tab } = first;
  const tryNext = (tries: number) =>
    tries === 1 ? Promise.reject(first.failed) : tryOnce(call, approach(visit, tries), first.ask);
  try {
    const { attempt, answer } = await pRetry(tryNext, {
      retries: call.ports.retry.retries + (visit.credentials?.length ?? 0),
      minTimeout: 0,
      shouldRetry: async ({ error }) => {
        const next = await prepareRetry(visit, tab, toGatewayError(error));
        tab = next ?? tab;
        return next !== undefined;
      },
    });
    return { attempt, answer, tab };
  } catch (thrown) {
    const error = toGatewayError(thrown);
    closeTried(visit, tab, error);
    return fail(visit, error);
  }
}

/** Judges a failed try; the tab of the next one when the target is to be asked again, after the pause that this takes. */
async function prepareRetry(visit: Visit, tab: Tab, error: GatewayError): Promise<Tab | undefined> {
  const { call } = visit;
  markCredential(visit, error);
  const verdict = judgeTry(visit, error, {
    tries: visit.counted,
    hasOtherCredential: isCredentialFault(error) && hasOtherCredential(visit),
  });
  if (call.cancelled || (verdict.kind !== "rotate" && verdict.kind !== "retry")) return undefined;
  closeConsumed(visit, tab, error);
  if (verdict.kind === "rotate") visit.counted--;
  else await pause(call, verdict.afterMs);
  return tab.isClosed ? await reopen(visit) : tab;
}

/**
 * A try that consumed something has a line of its own, since a reservation holds no more than one answer. The tries of a decision in
 * parts are one, unless a question was read for nothing: what was answered is not asked again.
 */
function closeConsumed(visit: Visit, tab: Tab, error: GatewayError): void {
  const { answered, consumed, parts } = visit.last ?? {};
  const isConsumed = parts ? [...parts.open.values()].includes(true) : answered || consumed !== undefined;
  if (isConsumed) closeTried(visit, tab, error);
}

/** Closes the tab of a try that failed, with what it consumed all the same, as far as that can be counted. */
function closeTried({ call, last }: Visit, tab: Tab, error: GatewayError): void {
  closeMidway(call, tab, { error, credential: last?.credential, ...spentBy(call, last) });
}

function spentBy(call: Call, last: Visit["last"]): ReturnType<typeof takeSpent> {
  try {
    return takeSpent(call, last);
  } catch (thrown) {
    announceDefect(call, thrown); // the failure of the try stands, and others may be asked
    return {};
  }
}

/** Reserves for another try; `undefined` where a limit refuses it or the bill has no room: the failure of the try before stands. */
async function reopen({ call, target }: Visit): Promise<Tab | undefined> {
  if (!hasRoom(call)) return undefined;
  const opened = await openTab(call, target);
  if (opened.kind === "tab") return opened;
  tellRefusal(call, target, opened);
  return undefined;
}

function judgeTry({ call }: Visit, error: GatewayError, state: { tries: number; hasOtherCredential?: boolean }) {
  const { retry: policy, random, clock } = call.ports;
  return judge({ error, policy, draw: random(), remainingMs: call.deadline - clock.now(), ...state });
}

function fail(visit: Visit, error: GatewayError): Failed {
  const isFinal = judgeTry(visit, error, { tries: visit.call.ports.retry.retries + 1 }).kind === "stop";
  return { error: describeFailure(visit, error), isFinal };
}
