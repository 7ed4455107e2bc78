import type { RequestType } from "../api/common.ts";
import type { Usage } from "../api/usage.ts";
import { type ErrorCode, GatewayError } from "../errors.ts";
import { announce, type Events } from "../events.ts";
import type { Clock, Ids, Provider, Random, Timeouts } from "../ports.ts";
import type { RetryPolicy } from "../route/verdict.ts";

/** What the pipeline acts through; frozen by the engine. */
export interface Ports {
  readonly providers: ReadonlyMap<string, Provider>;
  readonly clock: Clock;
  readonly random: Random;
  readonly ids: Ids;
  readonly events: Events;
  readonly timeouts: Timeouts;
  readonly retry: RetryPolicy;
  /** Requests under way. */
  readonly calls: Set<Call>;
  /** True once the engine takes no new work. */
  readonly isDraining: () => boolean;
}

/** What a caller may say beside the request. */
export interface CallOptions {
  /** Aborting it ends the call, and the provider's work, at once. */
  readonly signal?: AbortSignal | undefined;
  /** Puts the bodies exchanged with the provider into `extra_fields.raw_request` and `raw_response`. */
  readonly raw?: boolean | undefined;
  /** The request's id in events, errors and logs; made by the engine when absent. */
  readonly eventId?: string | undefined;
  /** Deadlines of this call, in milliseconds; the rest are the engine's. */
  readonly timeouts?: Partial<Timeouts> | undefined;
}

/** Ends an attempt or a pause with an error. */
export type Interrupt = (error: GatewayError) => void;

/** What the caller hands over. */
export interface Question {
  readonly input: unknown;
  readonly options: CallOptions;
}

/** One request on its way through the pipeline. */
export interface Call {
  readonly id: string;
  readonly ports: Ports;
  readonly requestType: RequestType;
  readonly modelRequested: string;
  readonly startedAt: number;
  /** Milliseconds since the epoch. */
  readonly deadline: number;
  readonly timeouts: Timeouts;
  readonly isRaw: boolean;
  /** What can be interrupted now: attempts and pauses. */
  readonly interrupts: Set<Interrupt>;
  /** Why the call was cancelled, once it was. */
  cancelled: GatewayError | undefined;
  /** Lets go of the caller's signal. */
  unlisten: (() => void) | undefined;
  /** Tries so far, of all targets. */
  tries: number;
  isSettled: boolean;
}

/** What became of a call. */
export interface Outcome {
  readonly status: number;
  readonly reason: ErrorCode | "ok";
  readonly target?: string | undefined;
  readonly usage?: Usage | undefined;
  readonly firstContentAt?: number | undefined;
  readonly warnings?: readonly string[] | undefined;
}

/** Takes a request in: gives it an id and a deadline and listens to the caller's signal. */
export function openCall(ports: Ports, requestType: RequestType, { input, options }: Question): Call {
  const timeouts = options.timeouts ? { ...ports.timeouts, ...options.timeouts } : ports.timeouts;
  const startedAt = ports.clock.now();
  const call: Call = {
    id: options.eventId ?? ports.ids(),
    ports,
    requestType,
    modelRequested: askedModel(input),
    startedAt,
    deadline: startedAt + timeouts.whole,
    timeouts,
    isRaw: options.raw === true,
    interrupts: new Set(),
    cancelled: undefined,
    unlisten: undefined,
    tries: 0,
    isSettled: false,
  };
  ports.calls.add(call);
  if (options.signal) listen(call, options.signal);
  return call;
}

/** Throws when the call cannot begin: the engine drains, or the caller is gone. */
export function assertOpen(call: Call): void {
  if (call.cancelled) throw call.cancelled;
  if (call.ports.isDraining())
    throw new GatewayError("shutting_down", "The gateway is shutting down.", { retryAfterMs: 5_000 });
}

/** Ends the work in progress with `error`; what comes after sees it in `cancelled`. */
export function cancelCall(call: Call, error: GatewayError): void {
  if (call.cancelled || call.isSettled) return;
  call.cancelled = error;
  for (const interrupt of [...call.interrupts]) interrupt(error);
}

/** Closes the books on a call, exactly once: later calls change nothing. */
export function settleCall(call: Call, outcome: Outcome): void {
  if (call.isSettled) return;
  call.isSettled = true;
  call.unlisten?.();
  const { calls, events, clock } = call.ports;
  calls.delete(call);
  announce(events, "settled", () => ({
    event_id: call.id,
    request_type: call.requestType,
    model_requested: call.modelRequested,
    status: outcome.status,
    reason: outcome.reason,
    latency: clock.now() - call.startedAt,
    ...(outcome.target === undefined ? {} : { target: outcome.target }),
    ...(outcome.usage === undefined ? {} : { usage: outcome.usage }),
    ...(outcome.firstContentAt === undefined ? {} : { time_to_first_token: outcome.firstContentAt - call.startedAt }),
    ...(outcome.warnings?.length ? { warnings: [...outcome.warnings] } : {}),
  }));
}

/** Waits on the engine's clock; rejects when the call is cancelled meanwhile. */
export function pause(call: Call, ms: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const cancelTimer = call.ports.clock.after(ms, () => {
      call.interrupts.delete(interrupt);
      resolve();
    });
    const interrupt: Interrupt = (error) => {
      cancelTimer();
      call.interrupts.delete(interrupt);
      reject(error);
    };
    call.interrupts.add(interrupt);
  });
}

function listen(call: Call, signal: AbortSignal): void {
  const onAbort = () => cancelCall(call, new GatewayError("request_cancelled", "The caller cancelled the request."));
  if (signal.aborted) {
    onAbort();
    return;
  }
  signal.addEventListener("abort", onAbort, { once: true });
  call.unlisten = () => signal.removeEventListener("abort", onAbort);
}

function askedModel(input: unknown): string {
  if (typeof input !== "object" || input === null || !("model" in input)) return "";
  return typeof input.model === "string" ? input.model : "";
}
