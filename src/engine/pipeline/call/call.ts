import { longestModel, type RequestType } from "../../api/common.ts";
import type { Usage } from "../../api/usage.ts";
import { GatewayError, toGatewayError } from "../../errors.ts";
import { emit } from "../../events.ts";
import { clip } from "../../metering/labels.ts";
import type { NanoDollars } from "../../metering/money.ts";
import type { Consumable } from "../../metering/usage-bound.ts";
import type { KeyPermissions } from "../../policy/access.ts";
import { present } from "../../policy/drafts.ts";
import type { CounterValue } from "../../ports/counters.ts";
import type { LedgerAttempt, LedgerToolContent } from "../../ports/ledger.ts";
import type { ModelFacts } from "../../ports/prices.ts";
import type { Timeouts } from "../../ports/provider.ts";
import type { Plan } from "../../routing/plan.ts";
import type { Abortable } from "../../runtime/abortable.ts";
import type { Place } from "../runtime/admission.ts";
import { offCancel, onCancel } from "../runtime/cancellation.ts";
import type { Accounting, CancellableCall, DeferredSettlement, Interrupt, Ports, TopUp } from "../runtime/ports.ts";
import type { CallCacheState } from "./cache-state.ts";
import type { MiddlewareHold } from "./middleware-hold.ts";
import type { CallOptions } from "./options.ts";
import type { OwnedCallIds } from "./owned-ids.ts";
import { type CheckedCallOptions, readCallOptions } from "./read-options.ts";

/** The caller's input. */
export interface CallInput {
  readonly input: unknown;
  readonly options: CallOptions;
}

/** The parsed request, and the contents of a tool call whose key logs them. */
export interface RequestFacts {
  readonly kind: RequestType;
  readonly request: object;
  /** The most that the request can consume of a model. */
  readonly bound: (facts: ModelFacts | undefined) => Consumable;
  toolContent?: LedgerToolContent;
}

/** Work that others may wait for; no closure, since one in a field of a call retains what the call made (docs/performance.md). */
export interface SharedWork {
  /** The caller leaves: true when the work goes on for others who wait for it. */
  readonly onLeave: (this: SharedWork, error: GatewayError) => boolean;
}

/** What the ledger says of a finished call. */
export interface CallResult {
  readonly status: number;
  /** `provider/model` that served. */
  readonly target: string | undefined;
  /** With its cost. */
  readonly usage: Usage | undefined;
}

/** One request on its way through the pipeline. */
export interface Call extends CancellableCall {
  readonly id: string;
  readonly ports: Ports;
  options: CheckedCallOptions;
  readonly requestType: RequestType;
  readonly modelRequested: string;
  readonly startedAt: number;
  /** Milliseconds since the epoch. */
  deadline: number;
  timeouts: Timeouts;
  facts: RequestFacts | undefined;
  /** What the caller's key allows; absent for the trusted caller. */
  access: KeyPermissions | undefined;
  /** The route, once it is planned; targets that were not asked at their turn are added to those skipped. */
  plan: (Plan & { readonly rule?: string | undefined }) | undefined;
  /** The targets asked, with their bills. */
  ledgerLines: readonly LedgerAttempt[];
  /** What they cost together, in nano-dollars, as far as their prices are known. */
  cost: NanoDollars;
  /** Bills among them that are settled when the call's entry is written. */
  deferred: readonly DeferredSettlement[];
  topUps: readonly TopUp[];
  /** The lowered limits of answers by target (`provider/model`), where there are any. */
  fitted: ReadonlyMap<string, number> | undefined;
  defects: readonly unknown[];
  /** The counter values after those settlements. */
  counterValues: readonly CounterValue[];
  /** The entry is written, or is about to be: counter values that come now are appended by themselves. */
  isEntryWritten: boolean;
  /** Writes under way that must end before the answer is returned. */
  readonly pending: Promise<unknown>[];
  /** Entries under which a reservation was made, by their names; each of them counted the request. */
  countedEntries: readonly string[];
  /** Of a Responses request whose caller has a key: the ids of what vendors hold, once they are read. */
  ids: OwnedCallIds | undefined;
  /** The listener of the caller's signal. */
  onAbort: (() => void) | undefined;
  /** Present while the cache takes part in a call. */
  cache: CallCacheState | undefined;
  middleware: MiddlewareHold | undefined;
  warnings: readonly string[];
  /** Present while others may wait for this call's answer. */
  sharedWork: SharedWork | undefined;
  /** Why the caller left, when the work goes on without it. */
  leftBecause: GatewayError | undefined;
  /** Set when another target has answered: all other work for this call stops with it. */
  lostRace: GatewayError | undefined;
  /** Present once the call is settled. */
  result: CallResult | undefined;
  /** Its place among the calls under way, once it has one. */
  place: Place | undefined;
  /** Tries so far, of all targets. */
  tries: number;
}

/** Lists of a call begin as this one and are not changed in place: most stay empty, or have one member. */
const none: readonly never[] = [];

/** Takes a request in: gives it an id and a deadline and listens to the caller's signal. */
export function openCall(ports: Ports, requestType: RequestType, { input, options: stated }: CallInput): Call {
  const options = readCallOptions(stated);
  const timeouts = options.timeouts ? { ...ports.timeouts, ...options.timeouts } : ports.timeouts;
  const startedAt = ports.clock.now();
  return enrol({
    id: options.eventId ?? ports.ids(),
    ports,
    options,
    requestType,
    modelRequested: requestedModel(input, ports.accounting),
    startedAt,
    deadline: startedAt + timeouts.whole,
    timeouts,
    interrupts: none,
    facts: undefined,
    access: undefined,
    plan: undefined,
    ledgerLines: none,
    cost: 0,
    deferred: none,
    topUps: none,
    fitted: undefined,
    defects: none,
    counterValues: none,
    pending: [],
    countedEntries: none,
    ids: undefined,
    cancelled: undefined,
    onAbort: undefined,
    cache: undefined,
    middleware: undefined,
    warnings: none,
    sharedWork: undefined,
    leftBecause: undefined,
    lostRace: undefined,
    result: undefined,
    place: undefined,
    tries: 0,
    slot: 0,
    isSettled: false,
    isEntryWritten: false,
  });
}

/** Adds a call to those under way, and listens to its caller. */
function enrol(call: Call): Call {
  const { ports, options } = call;
  ports.calls.add(call);
  if (options.signal) listen(call, options.signal);
  return call;
}

/** Puts the deadlines of the caller's key in place of the engine's; the call's own stay. */
export function applyTimeouts(call: Call, own: Partial<Timeouts>): void {
  call.timeouts = { ...call.ports.timeouts, ...own, ...present({ ...call.options.timeouts }) };
  call.deadline = call.startedAt + call.timeouts.whole;
}

/** Milliseconds from one instant to a later one; 0 where the clock was set back in between, since no duration is negative. */
export function since(from: number, now: number): number {
  return Math.max(0, now - from);
}

/** Throws when the call cannot begin: the engine drains, or the caller is gone. */
export function assertOpen(call: Call): void {
  if (call.cancelled) throw call.cancelled;
  if (call.ports.isDraining())
    throw new GatewayError("shutting_down", "The gateway is shutting down.", { retryAfterMs: 5_000 });
}

/** Ends the work in progress with `error`; later work sees it in `cancelled`. */
export function cancelCall(call: CancellableCall, error: GatewayError): void {
  if (call.cancelled || call.isSettled) return;
  call.cancelled = error;
  for (const interrupt of call.interrupts) interrupt(error);
}

/** Waits on the engine's clock; rejects when the call is cancelled meanwhile, or its race lost. */
export function pause(call: Call, ms: number): Promise<void> {
  if (call.lostRace) return Promise.reject(call.lostRace);
  return new Promise((resolve, reject) => {
    const cancelTimer = call.ports.clock.after(ms, () => {
      offCancel(call, interrupt);
      resolve();
    });
    const interrupt: Interrupt = (error) => {
      cancelTimer();
      offCancel(call, interrupt);
      reject(error);
    };
    onCancel(call, interrupt);
  });
}

/** Stops listening to the caller's signal, which may live much longer than the call. */
export function unlisten({ onAbort, options }: Call): void {
  if (onAbort) options.signal?.removeEventListener("abort", onAbort);
}

function listen(call: Call, signal: Abortable): void {
  const onAbort = () => {
    const error = new GatewayError("request_cancelled", "The caller cancelled the request.");
    if (!call.sharedWork?.onLeave(error)) cancelCall(call, error);
  };
  if (signal.aborted) {
    onAbort();
    return;
  }
  signal.addEventListener("abort", onAbort);
  call.onAbort = onAbort;
}

function requestedModel(input: unknown, { hideKeys }: Accounting): string {
  if (typeof input !== "object" || input === null || !("model" in input)) return "";
  return typeof input.model === "string" ? clip(hideKeys(input.model), longestModel) : "";
}

/** The fields that every event of a call has. */
export function eventOf({ id, requestType, modelRequested }: Call) {
  return { event_id: id, request_type: requestType, model_requested: modelRequested };
}

/** Reports what went wrong on our side. */
export function emitDefect(call: Call, error: unknown): void {
  if (call.defects.includes(error)) return; // reported when a provider threw it; now it ends the call
  call.defects = [...call.defects, error];
  emit(call.ports.events, "defect", () => ({ ...eventOf(call), error }));
}

/** Reports a failure if it is a defect: the caller only sees `internal`. */
export function emitFailure(call: Call, thrown: unknown): void {
  const error = toGatewayError(thrown);
  if (error.code === "internal") emitDefect(call, error.cause ?? error);
}
