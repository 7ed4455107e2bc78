import { GatewayError, isGatewayError } from "../../errors.ts";
import { emit } from "../../events.ts";
import type { Provider } from "../../ports/provider.ts";
import type { Target } from "../../routing/plan.ts";
import { type Call, eventOf, since } from "../call/call.ts";
import { deadlineExceeded } from "../call/within-deadline.ts";
import { onCancel } from "../runtime/cancellation.ts";
import { type Attempt, endAttempt, OpenAttempt } from "./attempt.ts";
import { providerFailure } from "./provider-failure.ts";
import type { TargetRun } from "./target-run.ts";

/** How a verb asks a provider. */
export type CallProvider<Answer> = (provider: Provider, attempt: Attempt) => Promise<Answer>;

/**
 * Asks a target once, with the credential that {@link beginTry} chose. The attempt that comes with an answer is still open: the caller
 * ends it with {@link endAttempt}. Rejects with what ended the try.
 */
export async function tryOnce<Answer>(
  run: TargetRun,
  ask: CallProvider<Answer>,
): Promise<{ readonly attempt: Attempt; readonly answer: Answer }> {
  const { call, target } = run;
  const ended = call.cancelled ?? call.lostRace;
  if (ended) throw ended;
  const { health, clock, providers } = call.ports;
  const now = clock.now();
  if (now >= call.deadline) throw deadlineExceeded(call.timeouts);
  const circuitPass = health.pass(target.name, now, call.deadline);
  if (!circuitPass) throw circuitOpen(target, health.retryAfterOf(target.name, now));
  const attempt = new OpenAttempt(run, circuitPass, now);
  onCancel(call, attempt.fail);
  try {
    const answer = await untilFailure(attempt, ask(providers.get(target.provider) as Provider, attempt));
    reportTry(call, attempt);
    return { attempt, answer };
  } catch (thrown) {
    const error = attempt.failure ?? providerFailure(call, thrown, target);
    // It has read the prompt: it was at work when it lost a race, or had begun an answer that is no error. Parts report singly.
    const isRefusal = isGatewayError(thrown) && error.code === "upstream_error";
    const hasRead = attempt.hasBegun && !isRefusal && !run.consumed.partialAnswers;
    if (hasRead || error === call.lostRace) run.consumed.lostText ??= "";
    attempt.abort(error);
    endAttempt(call, attempt, error);
    reportTry(call, attempt, error);
    throw error;
  }
}

/** Asks a target once and ends the attempt: for questions that neither stream nor are billed. */
export async function askOnce<Answer>(
  run: TargetRun,
  ask: CallProvider<Answer>,
): Promise<{ readonly attempt: Attempt; readonly answer: Answer }> {
  const { attempt, answer } = await tryOnce(run, ask);
  endAttempt(run.call, attempt);
  return { attempt, answer };
}

/** The error of a target whose circuit is open. */
export function circuitOpen({ name }: Target, retryAfterMs: number): GatewayError {
  const message = `${name} has failed too often lately and is left alone for a while.`;
  return new GatewayError("circuit_open", message, { retryAfterMs });
}

/** Waits for the provider, but no longer than the attempt lives: a provider that ignores its signal delays no caller. */
function untilFailure<Value>(attempt: Attempt, work: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    attempt.onFailure = reject;
    work.then(resolve, reject);
  });
}

/** Emits a try, and measures its time to first content: a failed one counts with the time spent waiting. */
function reportTry(
  call: Call,
  { tryNumber, credential, endpoint, startedAt, target }: Attempt,
  error?: GatewayError,
): void {
  const { clock, events, health, routing } = call.ports;
  emit(events, "attempted", () => ({
    ...eventOf(call),
    target: target.name,
    ...(credential === undefined ? {} : { credential }),
    ...(endpoint === undefined ? {} : { endpoint }),
    try: tryNumber,
    status: error?.status ?? 200,
    reason: error?.code ?? "ok",
    milliseconds: since(startedAt, clock.now()),
  }));
  if (!routing.isTimed) return;
  const now = clock.now();
  health.measure(target.name, since(startedAt, now), now);
}
