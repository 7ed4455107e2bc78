import type { Usage } from "../../api/usage.ts";
import { type GatewayError, toGatewayError } from "../../errors.ts";
import type { BackgroundWork, ProviderCall, RawExchange, ResponsesRequest, Timeouts } from "../../ports/provider.ts";
import { withoutCredentialWords } from "../../routing/credential-words.ts";
import type { Target } from "../../routing/plan.ts";
import type { Abortable } from "../../runtime/abortable.ts";
import { type Aborter, createAborter } from "../../runtime/abortable.ts";
import type { TryConsumption } from "../accounting/consumption.ts";
import type { Call } from "../call/call.ts";
import { offCancel } from "../runtime/cancellation.ts";
import type { TargetPass } from "../runtime/health.ts";
import type { Interrupt } from "../runtime/ports.ts";
import { type DeadlineTimer, startDeadlineTimer } from "./deadline-timer.ts";
import { circuitOutcomeOf } from "./outcome.ts";
import { hasFallback, type TargetRun } from "./target-run.ts";
import { attemptTimeouts } from "./timeouts.ts";

/** One try of one target: what the provider gets, and what the pipeline keeps of it. */
export interface Attempt extends ProviderCall {
  readonly call: Call;
  readonly target: Target;
  /** 1 for the first try of the target. */
  readonly tryNumber: number;
  /** What the try consumed without an answer that says so. */
  readonly consumed: TryConsumption;
  readonly warnings: string[];
  readonly timer: DeadlineTimer;
  /** Of a stream: set when its first content is handed over. */
  readonly pace: { gatherMs: number };
  readonly circuitPass: TargetPass;
  /** The vendor's interface that was asked, where its provider chose between several. */
  readonly endpoint: string | undefined;
  /** A whole answer has begun to come. */
  readonly hasBegun: boolean;
  /** Set before the provider is asked, where the request is one in the background. */
  background: BackgroundWork | undefined;
  /** Why the attempt was ended from our side; wins over whatever the provider throws then. */
  failure: GatewayError | undefined;
  /** Called when the attempt is ended from our side. */
  onFailure: ((error: GatewayError) => void) | undefined;
  /** Ends the attempt from our side; only the first failure counts. */
  readonly fail: Interrupt;
  /** Ends the provider's work, whatever state the attempt is in. */
  abort(error: GatewayError): void;
}

/**
 * A class for its getters. `signal` is made when a provider asks for it, and is the attempt's own property all the same, so that a
 * wrapper may spread the call; the getter is one for all, since a closure per attempt would give each a hidden class of its own, which
 * V8 keeps in its old space with all that the closure sees. `cancellation` is not spread: a wrapper that brings a `signal` of its own
 * means that one; nor is `call`, which holds the caller's key.
 */
export class OpenAttempt implements Attempt {
  readonly id: string;
  readonly model: string;
  readonly credential: string | undefined;
  readonly startedAt: number;
  readonly timeouts: Timeouts;
  readonly hasFallback: boolean;
  readonly responses: ResponsesRequest | undefined;
  readonly source: ProviderCall["source"];
  readonly capabilities: ProviderCall["capabilities"];
  readonly transport: ProviderCall["transport"];
  readonly raw: RawExchange | undefined;
  readonly pace = { gatherMs: 0 };
  readonly target: Target;
  readonly tryNumber: number;
  readonly consumed: TryConsumption;
  readonly warnings: string[];
  readonly timer: DeadlineTimer;
  readonly circuitPass: TargetPass;
  hasBegun = false;
  background: BackgroundWork | undefined = undefined;
  endpoint: string | undefined = undefined;
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

  constructor(run: TargetRun, circuitPass: TargetPass, now: number) {
    const { call } = run;
    const { clock } = call.ports;
    Object.defineProperty(this, "signal", OpenAttempt.#signal);
    this.#call = call;
    this.warnings = [...call.warnings];
    this.id = `${call.id}-${++call.tries}`;
    this.model = run.model;
    this.credential = run.credential;
    this.startedAt = now;
    this.timeouts = attemptTimeouts(run);
    this.hasFallback = hasFallback(run);
    this.responses = call.ids?.responses ?? call.options.responses;
    this.source = call.options.source;
    this.capabilities = call.options.capabilities;
    this.transport = call.ports.transport;
    this.raw = call.options.raw === true ? {} : undefined;
    this.target = run.target;
    this.tryNumber = run.tryNumber;
    this.consumed = run.consumed;
    this.circuitPass = circuitPass;
    const { startedAt, timeouts, fail } = this;
    this.timer = startDeadlineTimer({ clock, timeouts, startedAt, deadline: call.deadline, expire: fail });
  }

  get cancellation(): Abortable {
    return this.#cancellation;
  }

  get call(): Call {
    return this.#call;
  }

  readonly begun = (): void => {
    this.hasBegun = true;
    this.timer.arrived();
  };

  readonly alive = (): void => this.timer.alive();

  readonly used = (usage: Usage): void => {
    this.consumed.partialUsage = usage;
  };

  readonly charged = (dollars: number): void => {
    this.consumed.statedCost = dollars;
  };

  readonly askedAt = (path: string): void => {
    this.endpoint = path;
  };

  readonly warn = (warning: string): void => {
    if (!this.warnings.includes(warning)) this.warnings.push(warning);
  };

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

/** A real controller that aborts with what it follows. */
function followedBy(followed: Abortable): AbortController {
  const controller = new AbortController();
  if (followed.aborted) controller.abort(followed.reason);
  else followed.addEventListener("abort", () => controller.abort(followed.reason));
  return controller;
}

/** Stops an attempt's timer, detaches it from the call, and records how the target fared; once, however often it is called. */
export function endAttempt(call: Call, attempt: Attempt, error?: GatewayError): void {
  if (!offCancel(call, attempt.fail)) return;
  attempt.timer.stop();
  attempt.onFailure = undefined;
  call.ports.health.record(attempt.circuitPass, circuitOutcomeOf(call, attempt, error), call.ports.clock.now());
}

/** What ended an attempt: our own reason where there is one, else what its provider threw. */
export function failureOf({ failure, target }: Attempt, thrown: unknown): GatewayError {
  return failure ?? withoutCredentialWords(toGatewayError(thrown), target.provider);
}
