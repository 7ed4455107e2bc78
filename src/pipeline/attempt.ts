import pRetry from "p-retry";
import { type AttemptReport, GatewayError, toGatewayError, withDetails } from "../errors.ts";
import { announce } from "../events.ts";
import type { Provider, ProviderCall, RawExchange } from "../ports.ts";
import type { Plan, Target } from "../route/plan.ts";
import { judge } from "../route/verdict.ts";
import { type Call, type Interrupt, pause } from "./call.ts";
import { startWatch, type Watch } from "./watch.ts";

/** One try of one target: what the provider is told, and what the conductor holds of it. */
export interface Attempt extends ProviderCall {
  readonly target: Target;
  /** Tries of this target so far, this one included. */
  readonly tries: number;
  readonly warnings: string[];
  readonly watch: Watch;
  /** Why the attempt was ended from our side; wins over whatever the provider throws then. */
  failure: GatewayError | undefined;
  /** Called when the attempt is ended from our side. */
  onFailure: ((error: GatewayError) => void) | undefined;
  /** Ends the attempt from our side; only the first failure counts. */
  readonly fail: Interrupt;
  /** Ends the provider's work, whatever state the attempt is in. */
  readonly abort: (error: GatewayError) => void;
}

/** How a verb asks a provider. */
export type Ask<Answer> = (provider: Provider, attempt: Attempt) => Promise<Answer>;

/** An answer and the attempt that gave it, still open: the taker ends it with {@link endAttempt}. */
export interface Served<Answer> {
  readonly attempt: Attempt;
  readonly answer: Answer;
}

/**
 * Asks the plan's targets in order until one answers. When all fail, the first one's error is thrown with the others in
 * `attempts`; a failure that no other target can mend is thrown at once.
 */
export async function askInOrder<Answer>(call: Call, plan: Plan, ask: Ask<Answer>): Promise<Served<Answer>> {
  const reports: AttemptReport[] = [];
  let first: GatewayError | undefined;
  for (const [position, target] of plan.targets.entries()) {
    const startedAt = call.ports.clock.now();
    const outcome = await askTarget(call, target, ask);
    if ("answer" in outcome) return outcome;
    const error = withDetails(outcome.error, { provider: target.provider, model: call.modelRequested });
    const milliseconds = call.ports.clock.now() - startedAt;
    reports.push({ target: target.name, status: error.status, reason: error.code, milliseconds });
    first ??= error;
    if (outcome.isFinal || call.cancelled) throw withDetails(error, { attempts: reports });
    const next = plan.targets[position + 1];
    if (next) announceFallback(call, [target.name, next.name], error);
  }
  throw withDetails(first ?? noTarget(), { attempts: reports });
}

/** The last failure of a target. */
interface Failed {
  readonly error: GatewayError;
  /** No other target can mend it. */
  readonly isFinal: boolean;
}

async function askTarget<Answer>(call: Call, target: Target, ask: Ask<Answer>): Promise<Served<Answer> | Failed> {
  const { retry: policy, random, clock } = call.ports;
  const judgeTry = (error: GatewayError, tries: number) =>
    judge({ error, tries, policy, draw: random(), remainingMs: call.deadline - clock.now() });
  try {
    return await pRetry((tries) => tryOnce(call, { target, tries }, ask), {
      retries: policy.retries,
      minTimeout: 0,
      shouldRetry: async ({ error, attemptNumber }) => {
        const verdict = judgeTry(toGatewayError(error), attemptNumber);
        if (verdict.kind !== "retry" || call.cancelled) return false;
        await pause(call, verdict.afterMs);
        return true;
      },
    });
  } catch (thrown) {
    const error = toGatewayError(thrown);
    const isFinal = judgeTry(error, policy.retries + 1).kind === "stop";
    return { error, isFinal };
  }
}

async function tryOnce<Answer>(
  call: Call,
  { target, tries }: { readonly target: Target; readonly tries: number },
  ask: Ask<Answer>,
): Promise<Served<Answer>> {
  if (call.cancelled) throw call.cancelled;
  const attempt = beginAttempt(call, target, tries);
  try {
    const provider = call.ports.providers.get(target.provider) as Provider;
    const answer = await untilFailure(attempt, ask(provider, attempt));
    announceTry(call, attempt);
    return { attempt, answer };
  } catch (thrown) {
    const error = attempt.failure ?? toGatewayError(thrown);
    attempt.abort(error);
    endAttempt(call, attempt);
    announceTry(call, attempt, error);
    throw error;
  }
}

function beginAttempt(call: Call, target: Target, tries: number): Attempt {
  const { clock } = call.ports;
  const controller = new AbortController();
  const startedAt = clock.now();
  const raw: RawExchange | undefined = call.isRaw ? {} : undefined;
  const warnings: string[] = [];
  const fail: Interrupt = (error) => {
    if (attempt.failure) return;
    attempt.failure = error;
    controller.abort(error);
    attempt.onFailure?.(error);
  };
  const { timeouts, deadline } = call;
  const attempt: Attempt = {
    id: `${call.id}-${++call.tries}`,
    model: target.model,
    startedAt,
    signal: controller.signal,
    timeouts,
    raw,
    warn: (warning) => void warnings.push(warning),
    target,
    tries,
    warnings,
    watch: startWatch({ clock, timeouts, startedAt, deadline, expire: fail }),
    failure: undefined,
    onFailure: undefined,
    fail,
    abort: (error) => controller.abort(error),
  };
  call.interrupts.add(fail);
  return attempt;
}

/** Lets go of an attempt's timer and of the call's hold on it. */
export function endAttempt(call: Call, attempt: Attempt): void {
  attempt.watch.stop();
  attempt.onFailure = undefined;
  call.interrupts.delete(attempt.fail);
}

/** Waits for the provider, but no longer than the attempt lives: a provider that ignores its signal holds nobody up. */
export function untilFailure<Value>(attempt: Attempt, work: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    attempt.onFailure = reject;
    work.then(resolve, reject);
  });
}

function announceTry(call: Call, attempt: Attempt, error?: GatewayError): void {
  announce(call.ports.events, "attempted", () => ({
    event_id: call.id,
    request_type: call.requestType,
    model_requested: call.modelRequested,
    target: attempt.target.name,
    try: attempt.tries,
    status: error?.status ?? 200,
    reason: error?.code ?? "ok",
    milliseconds: call.ports.clock.now() - attempt.startedAt,
  }));
}

function announceFallback(call: Call, [from, to]: readonly [string, string], error: GatewayError): void {
  announce(call.ports.events, "fell_back", () => ({
    event_id: call.id,
    request_type: call.requestType,
    model_requested: call.modelRequested,
    from,
    to,
    reason: error.code,
  }));
}

function noTarget(): GatewayError {
  return new GatewayError("internal", "The plan names no target.");
}
