import { type CacheDebug, longestModel, type RequestType } from "../api/common.ts";
import type { Usage } from "../api/usage.ts";
import { GatewayError, toGatewayError } from "../errors.ts";
import { announce } from "../events.ts";
import type { Access } from "../policy/access.ts";
import { present } from "../policy/record.ts";
import type { Standing } from "../ports/counters.ts";
import type { LedgerAttempt } from "../ports/ledger.ts";
import type { Abortable, ModelFacts, Timeouts } from "../ports.ts";
import type { Consumable } from "../usage/estimate.ts";
import { clip } from "../usage/labels.ts";
import type { NanoDollars } from "../usage/money.ts";
import { type CallOptions, checkCallOptions } from "./call-options.ts";
import { dismiss, enlist } from "./interrupt.ts";
import type { Books, Interrupt, Owed, Ports, Underway } from "./ports.ts";

/** What the caller hands over. */
export interface Question {
  readonly input: unknown;
  readonly options: CallOptions;
}

/** What is asked, once it was read. */
export interface Asked {
  readonly kind: RequestType;
  readonly request: object;
  /** The most that the request can consume of a model. */
  readonly bound: (facts: ModelFacts | undefined) => Consumable;
}

/** What the cache has to do with a call. */
export interface CacheMark {
  /** Told on the answer, on the last chunk of a stream. */
  debug: CacheDebug;
  /** How the answer came from there, if it did, and the nano-dollars that this saved. */
  hit: { readonly type: "direct" | "semantic"; readonly saved: number } | undefined;
  /** What went wrong with the cache, for the warnings of the answer. */
  warning: string | undefined;
}

/**
 * Work that others may wait for. No closure: one that is kept in a field of a call holds on to what the call made (docs/performance.md);
 * the function is one for all, and is given the work itself.
 */
export interface SharedWork {
  /** The caller goes: true when the work goes on for others who wait for it. */
  readonly leave: (this: SharedWork, error: GatewayError) => boolean;
}

/** What the books say of a call that is over. */
export interface Ending {
  readonly status: number;
  /** `provider/model` that served. */
  readonly target: string | undefined;
  /** With its cost. */
  readonly usage: Usage | undefined;
}

/** One request on its way through the pipeline. */
export interface Call extends Underway {
  readonly id: string;
  readonly ports: Ports;
  readonly options: CallOptions;
  readonly requestType: RequestType;
  readonly modelRequested: string;
  readonly startedAt: number;
  /** Milliseconds since the epoch. */
  deadline: number;
  timeouts: Timeouts;
  asked: Asked | undefined;
  /** What the caller's key allows; absent for the trusted caller. */
  access: Access | undefined;
  /** Targets that were asked, with their bills. */
  billed: readonly LedgerAttempt[];
  /** What they cost together, in nano-dollars, as far as their prices are known. */
  spent: NanoDollars;
  /** Bills among them that are settled when the call's entry is written. */
  owed: readonly Owed[];
  /** The defects that were told. */
  defects: readonly unknown[];
  /** What counters held after those that are settled. */
  standings: readonly Standing[];
  /** The entry is written, or is about to be: standings that come now are handed over by themselves. */
  isEntered: boolean;
  /** Writes under way that must end before the answer is handed over. */
  readonly pending: Promise<unknown>[];
  /** Entries under which a reservation was made, by their names; each of them counted the request. */
  countedAt: readonly string[];
  /** What listens to the caller's signal. */
  onAbort: (() => void) | undefined;
  /** Present while a cache has to do with the call. */
  cache: CacheMark | undefined;
  /** Present while others may wait for what this call asks. */
  shared: SharedWork | undefined;
  /** Why the caller left, when the work goes on without it. */
  left: GatewayError | undefined;
  /** Another target has answered: whoever is still at work for this call stops with it. */
  lost: GatewayError | undefined;
  /** Present once the books are closed. */
  ending: Ending | undefined;
  /** Tries so far, of all targets. */
  tries: number;
}

/** Lists of a call begin as this one and are not changed in place: most stay empty, or have one member. */
const none: readonly never[] = [];

/** Takes a request in: gives it an id and a deadline and listens to the caller's signal. */
export function openCall(ports: Ports, requestType: RequestType, { input, options }: Question): Call {
  checkCallOptions(options);
  const timeouts = options.timeouts ? readTimeouts(ports.timeouts, options.timeouts) : ports.timeouts;
  const startedAt = ports.clock.now();
  const call: Call = {
    id: options.eventId ?? ports.ids(),
    ports,
    options,
    requestType,
    modelRequested: askedModel(input, ports.books),
    startedAt,
    deadline: startedAt + timeouts.whole,
    timeouts,
    interrupts: none,
    asked: undefined,
    access: undefined,
    billed: none,
    spent: 0,
    owed: none,
    defects: none,
    standings: none,
    pending: [],
    countedAt: none,
    cancelled: undefined,
    onAbort: undefined,
    cache: undefined,
    shared: undefined,
    left: undefined,
    lost: undefined,
    ending: undefined,
    tries: 0,
    place: 0,
    isSettled: false,
    isEntered: false,
  };
  ports.calls.add(call);
  if (options.signal) listen(call, options.signal);
  return call;
}

/** Puts the deadlines of the caller's key in place of the engine's; the call's own stay. */
export function takeTimeouts(call: Call, own: Partial<Timeouts>): void {
  call.timeouts = { ...call.ports.timeouts, ...own, ...present({ ...call.options.timeouts }) };
  call.deadline = call.startedAt + call.timeouts.whole;
}

/** Milliseconds from one instant to a later one; 0 where the clock was set back in between, since no work takes less than no time. */
export function since(from: number, now: number): number {
  return Math.max(0, now - from);
}

/** Throws when the call cannot begin: the engine drains, or the caller is gone. */
export function assertOpen(call: Call): void {
  if (call.cancelled) throw call.cancelled;
  if (call.ports.isDraining())
    throw new GatewayError("shutting_down", "The gateway is shutting down.", { retryAfterMs: 5_000 });
}

/** Ends the work in progress with `error`; what comes after sees it in `cancelled`. */
export function cancelCall(call: Underway, error: GatewayError): void {
  if (call.cancelled || call.isSettled) return;
  call.cancelled = error;
  for (const interrupt of call.interrupts) interrupt(error);
}

/** Waits on the engine's clock; rejects when the call is cancelled meanwhile, or its race lost. */
export function pause(call: Call, ms: number): Promise<void> {
  if (call.lost) return Promise.reject(call.lost);
  return new Promise((resolve, reject) => {
    const cancelTimer = call.ports.clock.after(ms, () => {
      dismiss(call, interrupt);
      resolve();
    });
    const interrupt: Interrupt = (error) => {
      cancelTimer();
      dismiss(call, interrupt);
      reject(error);
    };
    enlist(call, interrupt);
  });
}

/** The engine's deadlines with the call's own in their place; throws `invalid_request` for what is no time. */
function readTimeouts(base: Timeouts, own: Partial<Timeouts>): Timeouts {
  for (const [name, value] of Object.entries(own)) {
    if (value === undefined || (name in base && typeof value === "number" && value > 0)) continue;
    const param = `timeouts.${name}`;
    throw new GatewayError("invalid_request", `\`${param}\`: must be a positive number of milliseconds.`, { param });
  }
  return { ...base, ...present({ ...own }) };
}

/** Lets go of the caller's signal, which may live much longer than the call. */
export function unlisten({ onAbort, options }: Call): void {
  if (onAbort) options.signal?.removeEventListener("abort", onAbort);
}

function listen(call: Call, signal: Abortable): void {
  const onAbort = () => {
    const error = new GatewayError("request_cancelled", "The caller cancelled the request.");
    if (!call.shared?.leave(error)) cancelCall(call, error);
  };
  if (signal.aborted) {
    onAbort();
    return;
  }
  signal.addEventListener("abort", onAbort);
  call.onAbort = onAbort;
}

function askedModel(input: unknown, { hideKeys }: Books): string {
  if (typeof input !== "object" || input === null || !("model" in input)) return "";
  return typeof input.model === "string" ? clip(hideKeys(input.model), longestModel) : "";
}

/** What every event of a call begins with. */
export function eventOf({ id, requestType, modelRequested }: Call) {
  return { event_id: id, request_type: requestType, model_requested: modelRequested };
}

/** Tells whoever watches of what went wrong on our side. */
export function announceDefect(call: Call, error: unknown): void {
  if (call.defects.includes(error)) return; // told when a provider threw it, and now what ends the call
  call.defects = [...call.defects, error];
  announce(call.ports.events, "defect", () => ({ ...eventOf(call), error }));
}

/** Tells of a failure where it is a defect: the caller only sees `internal`. */
export function announceFailure(call: Call, thrown: unknown): void {
  const error = toGatewayError(thrown);
  if (error.code === "internal") announceDefect(call, error.cause ?? error);
}
