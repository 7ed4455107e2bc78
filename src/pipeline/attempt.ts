import { GatewayError, toGatewayError } from "../errors.ts";
import { announce } from "../events.ts";
import type { Provider, ProviderCall, RawExchange } from "../ports.ts";
import type { Target } from "../route/plan.ts";
import type { Call } from "./call.ts";
import type { Leave } from "./health.ts";
import type { Interrupt } from "./ports.ts";
import { startWatch, type Watch } from "./watch.ts";

/** One try of one target: what the provider is told, and what the conductor holds of it. */
export interface Attempt extends ProviderCall {
  readonly approach: Approach;
  readonly target: Target;
  readonly warnings: string[];
  readonly watch: Watch;
  readonly leave: Leave;
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

/** Whom a try is made at, and with what. */
export interface Approach {
  readonly target: Target;
  readonly tries: number;
  readonly credential: string | undefined;
  /** The provider's name of the model. */
  readonly deployment: string;
  /** Text that the target generated for nobody; it is billed all the same. */
  consumed?: string | undefined;
}

/** Asks a target once. The attempt that comes with an answer is still open: the taker ends it with {@link endAttempt}. */
export async function tryOnce<Answer>(
  call: Call,
  approach: Approach,
  ask: Ask<Answer>,
): Promise<{ readonly attempt: Attempt; readonly answer: Answer }> {
  if (call.cancelled) throw call.cancelled;
  const { target } = approach;
  const { health, clock, providers } = call.ports;
  const now = clock.now();
  const leave = health.ask(target.name, now, call.deadline);
  if (!leave) throw circuitOpen(target, health.waitOf(target.name, now));
  const attempt = beginAttempt(call, approach, leave);
  try {
    const answer = await untilFailure(attempt, ask(providers.get(target.provider) as Provider, attempt));
    announceTry(call, attempt);
    return { attempt, answer };
  } catch (thrown) {
    const error = attempt.failure ?? toGatewayError(thrown);
    attempt.abort(error);
    endAttempt(call, attempt, error);
    announceTry(call, attempt, error);
    throw error;
  }
}

/** The error of a target whose circuit is open. */
export function circuitOpen({ name }: Target, retryAfterMs: number): GatewayError {
  const message = `${name} has failed too often lately and is left alone for a while.`;
  return new GatewayError("circuit_open", message, { retryAfterMs });
}

function beginAttempt(call: Call, approach: Approach, leave: Leave): Attempt {
  const { target, credential, deployment } = approach;
  const { clock } = call.ports;
  const controller = new AbortController();
  const startedAt = clock.now();
  const raw: RawExchange | undefined = call.options.raw === true ? {} : undefined;
  const warnings: string[] = [];
  const fail: Interrupt = (error) => {
    if (attempt.failure) return;
    attempt.failure = error;
    controller.abort(error);
    attempt.onFailure?.(error);
  };
  const { timeouts, deadline } = call;
  const watch = startWatch({ clock, timeouts, startedAt, deadline, expire: fail });
  const attempt: Attempt = {
    id: `${call.id}-${++call.tries}`,
    model: deployment,
    credential,
    startedAt,
    signal: controller.signal,
    timeouts,
    raw,
    begun: watch.arrived,
    warn: (warning) => void warnings.push(warning),
    approach,
    target,
    warnings,
    watch,
    leave,
    failure: undefined,
    onFailure: undefined,
    fail,
    abort: (error) => controller.abort(error),
  };
  call.interrupts.add(fail);
  return attempt;
}

/** Lets go of an attempt's timer and of the call's hold on it, and remembers how the target fared. */
export function endAttempt(call: Call, attempt: Attempt, error?: GatewayError): void {
  attempt.watch.stop();
  attempt.onFailure = undefined;
  call.interrupts.delete(attempt.fail);
  call.ports.health.tell(attempt.leave, error, call.ports.clock.now());
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
    ...(attempt.credential === undefined ? {} : { credential: attempt.credential }),
    try: attempt.approach.tries,
    status: error?.status ?? 200,
    reason: error?.code ?? "ok",
    milliseconds: call.ports.clock.now() - attempt.startedAt,
  }));
}
