import { type Aborter, createAborter } from "../abortable.ts";
import type { Usage } from "../api/usage.ts";
import { GatewayError, isGatewayError, toGatewayError, withDetails } from "../errors.ts";
import { announce } from "../events.ts";
import { present } from "../policy/record.ts";
import type { Abortable, Provider, ProviderCall, RawExchange, Timeouts } from "../ports.ts";
import type { Target } from "../route/plan.ts";
import { blame } from "./blame.ts";
import { announceDefect, type Call, eventOf, since } from "./call.ts";
import type { Leave } from "./health.ts";
import { dismiss, enlist } from "./interrupt.ts";
import type { Answered, Parts } from "./parts.ts";
import type { Interrupt } from "./ports.ts";
import { startWatch, tooLate, type Watch } from "./watch.ts";

/** One try of one target: what the provider is told, and what the conductor holds of it. */
export interface Attempt extends ProviderCall {
  readonly call: Call;
  readonly approach: Approach;
  readonly target: Target;
  readonly warnings: string[];
  readonly watch: Watch;
  readonly leave: Leave;
  /** A whole answer has begun to come. */
  readonly hasBegun: boolean;
  /** Why the attempt was ended from our side; wins over whatever the provider throws then. */
  failure: GatewayError | undefined;
  /** Called when the attempt is ended from our side. */
  onFailure: ((error: GatewayError) => void) | undefined;
  /** Ends the attempt from our side; only the first failure counts. */
  readonly fail: Interrupt;
  /** Ends the provider's work, whatever state the attempt is in. */
  abort(error: GatewayError): void;
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
  /** Text that the target generated for nobody, be it none, once it has read the prompt; both are billed all the same. */
  consumed?: string | undefined;
  /** What the target said last that its stream has used so far. */
  used?: Usage | undefined;
  /** What the target has answered in this try, in part or with what cannot be used. */
  answered?: Answered[] | undefined;
  /** What a verb that asks in parts got so far, in this try and those of the same target before. */
  parts?: Parts | undefined;
}

/** An answer and the attempt that gave it. */
export interface Tried<Answer> {
  readonly attempt: Attempt;
  readonly answer: Answer;
}

/** Asks a target once. The attempt that comes with an answer is still open: the taker ends it with {@link endAttempt}. */
export async function tryOnce<Answer>(call: Call, approach: Approach, ask: Ask<Answer>): Promise<Tried<Answer>> {
  const over = call.cancelled ?? call.lost;
  if (over) throw over;
  const { target } = approach;
  const { health, clock, providers } = call.ports;
  const now = clock.now();
  if (now >= call.deadline) throw tooLate(call.timeouts);
  const leave = health.ask(target.name, now, call.deadline);
  if (!leave) throw circuitOpen(target, health.waitOf(target.name, now));
  const attempt = new OpenAttempt(call, approach, { leave, now });
  enlist(call, attempt.fail);
  try {
    const answer = await untilFailure(attempt, ask(providers.get(target.provider) as Provider, attempt));
    tellOfTry(call, attempt);
    return { attempt, answer };
  } catch (thrown) {
    const error = attempt.failure ?? failureOf(call, target, thrown);
    // It has read the prompt: it was at work when it lost a race, or had begun an answer that is no error. Parts are told one by one.
    const hasRead = attempt.hasBegun && error.code !== "upstream_error" && !approach.answered;
    if (hasRead || error === call.lost) approach.consumed ??= "";
    attempt.abort(error);
    endAttempt(call, attempt, error);
    tellOfTry(call, attempt, error);
    throw error;
  }
}

/** What a provider threw; what is no GatewayError is told at once as a defect, since another candidate may answer. */
function failureOf(call: Call, { provider }: Target, thrown: unknown): GatewayError {
  if (isGatewayError(thrown)) return thrown;
  announceDefect(call, thrown);
  return withDetails(toGatewayError(thrown), { provider });
}

/** The error of a target whose circuit is open. */
export function circuitOpen({ name }: Target, retryAfterMs: number): GatewayError {
  const message = `${name} has failed too often lately and is left alone for a while.`;
  return new GatewayError("circuit_open", message, { retryAfterMs });
}

/**
 * A class for its getters. `signal` is made when a provider asks for it, and is the attempt's own property all the same, so that a
 * wrapper may spread the call; the getter is one for all, since a closure per attempt would give each a hidden class of its own, which
 * V8 keeps in its old space with all that the closure sees. `cancellation` is not spread: a wrapper that brings a `signal` of its own
 * means that one; nor is `call`, which holds the caller's key.
 */
class OpenAttempt implements Attempt {
  readonly id: string;
  readonly model: string;
  readonly credential: string | undefined;
  readonly startedAt: number;
  readonly timeouts: Timeouts;
  readonly raw: RawExchange | undefined;
  readonly approach: Approach;
  readonly target: Target;
  readonly warnings: string[] = [];
  readonly watch: Watch;
  readonly leave: Leave;
  hasBegun = false;
  failure: GatewayError | undefined = undefined;
  onFailure: ((error: GatewayError) => void) | undefined = undefined;
  declare readonly signal: AbortSignal;
  readonly #call: Call;
  readonly #cancellation: Aborter = createAborter();
  #controller: AbortController | undefined = undefined;
  static readonly #signal: PropertyDescriptor & ThisType<OpenAttempt> = {
    enumerable: true,
    get() {
      this.#controller ??= followedBy(this.#cancellation);
      return this.#controller.signal;
    },
  };

  constructor(call: Call, approach: Approach, { leave, now }: { readonly leave: Leave; readonly now: number }) {
    const { clock } = call.ports;
    Object.defineProperty(this, "signal", OpenAttempt.#signal);
    this.#call = call;
    this.id = `${call.id}-${++call.tries}`;
    this.model = approach.deployment;
    this.credential = approach.credential;
    this.startedAt = now;
    this.timeouts = timeoutsAt(call, approach.target);
    this.raw = call.options.raw === true ? {} : undefined;
    this.approach = approach;
    this.target = approach.target;
    this.leave = leave;
    const { startedAt, timeouts, fail } = this;
    this.watch = startWatch({ clock, timeouts, startedAt, deadline: call.deadline, expire: fail });
  }

  get cancellation(): Abortable {
    return this.#cancellation;
  }

  get call(): Call {
    return this.#call;
  }

  readonly begun = (): void => {
    this.hasBegun = true;
    this.watch.arrived();
  };

  readonly used = (usage: Usage): void => {
    this.approach.used = usage;
  };

  readonly warn = (warning: string): void => void this.warnings.push(warning);

  abort(error: GatewayError): void {
    this.#cancellation.abort(error);
  }

  readonly fail: Interrupt = (error) => {
    if (this.failure) return;
    this.failure = error;
    this.#cancellation.abort(error);
    this.onFailure?.(error);
  };
}

/** The call's own deadlines, then the key's, the provider's and the engine's. */
function timeoutsAt({ ports, options, access, timeouts }: Call, { provider }: Target): Timeouts {
  const own = ports.providers.get(provider)?.timeouts;
  if (!own) return timeouts;
  const given = present({ ...options.timeouts });
  return { ...timeouts, ...present({ ...own }), ...access?.timeouts, ...given, whole: timeouts.whole };
}

/** A real controller that ends with what it follows. */
function followedBy(followed: Abortable): AbortController {
  const controller = new AbortController();
  if (followed.aborted) controller.abort(followed.reason);
  else followed.addEventListener("abort", () => controller.abort(followed.reason));
  return controller;
}

/** Lets go of an attempt's timer and of the call's hold on it, and remembers how the target fared; once, whoever else ends it. */
export function endAttempt(call: Call, attempt: Attempt, error?: GatewayError): void {
  if (!dismiss(call, attempt.fail)) return;
  attempt.watch.stop();
  attempt.onFailure = undefined;
  call.ports.health.tell(attempt.leave, blame(call, attempt, error), call.ports.clock.now());
}

/** Waits for the provider, but no longer than the attempt lives: a provider that ignores its signal holds nobody up. */
function untilFailure<Value>(attempt: Attempt, work: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    attempt.onFailure = reject;
    work.then(resolve, reject);
  });
}

/** Announces a try, and remembers how long it took to its first content: one that failed counts with the time it was waited for. */
function tellOfTry(call: Call, { approach, credential, startedAt, target }: Attempt, error?: GatewayError): void {
  const { clock, events, health, routing } = call.ports;
  announce(events, "attempted", () => ({
    ...eventOf(call),
    target: target.name,
    ...(credential === undefined ? {} : { credential }),
    try: approach.tries,
    status: error?.status ?? 200,
    reason: error?.code ?? "ok",
    milliseconds: since(startedAt, clock.now()),
  }));
  if (!routing.isTimed) return;
  const now = clock.now();
  health.measure(target.name, since(startedAt, now), now);
}
