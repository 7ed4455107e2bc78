import type { Usage } from "../../api/usage.ts";
import { addressOfFailure, type ErrorCode, type GatewayError, toGatewayError, withDetails } from "../../errors.ts";
import { emit } from "../../events.ts";
import { clip, readTags } from "../../metering/labels.ts";
import { toDollars } from "../../metering/money.ts";
import type { LedgerEntry, LedgerRoute, LedgerSkipped } from "../../ports/ledger.ts";
import type { MaybePromise } from "../../runtime/maybe-promise.ts";
import { type Call, emitDefect, emitFailure, eventOf, since, unlisten } from "../call/call.ts";
import { endUserOf } from "../call/end-user.ts";
import type { MiddlewareHold } from "../call/middleware-hold.ts";
import { awaitSettlement } from "./charge.ts";

/** Targets, and skipped entries, that the ledger keeps of a route. */
const mostEntries = 8;

/** Characters that it keeps of a name and of a message. */
const longestName = 128;
const longestMessage = 200;

/** Returns what the ledger keeps of a call's route. Undefined where the attempts tell all of it, as for most calls. */
function ledgerRouteOf({ plan }: Pick<Call, "plan">): LedgerRoute | undefined {
  if (!plan) return undefined;
  const { targets, skipped, rule } = plan;
  if (targets.length === 1 && skipped.length === 0 && rule === undefined) return undefined;
  const omitted = Math.max(0, targets.length - mostEntries) + Math.max(0, skipped.length - mostEntries);
  return {
    ...(rule === undefined ? {} : { rule: clip(rule, longestName) }),
    targets: targets.slice(0, mostEntries).map(({ name }) => clip(name, longestName)),
    skipped: skipped.slice(0, mostEntries).map(clipSkipped),
    ...(omitted === 0 ? {} : { omitted }),
  };
}

function clipSkipped({ entry, reason, message }: LedgerSkipped): LedgerSkipped {
  return { entry: clip(entry, longestName), reason, message: clip(message, longestMessage) };
}

/** The outcome of a call. */
export interface CallOutcome {
  readonly status: number;
  readonly reason: ErrorCode | "ok";
  /** `provider/model` that served. */
  readonly target?: string | undefined;
  readonly usage?: Usage | undefined;
  /** Milliseconds since the epoch. */
  readonly firstContentAt?: number | undefined;
  readonly warnings?: readonly string[] | undefined;
  /** What ended the call, where it failed. */
  readonly error?: GatewayError | undefined;
}

/**
 * Settles a call, exactly once: later calls change nothing. The promise, if there is one, resolves when the ledger has stored the
 * entry for good; an answer is returned after that.
 */
export function settleCall(call: Call, outcome: CallOutcome): MaybePromise<void> {
  if (call.isSettled) return;
  return call.middleware ? settleGuarded(call, call.middleware, outcome) : settle(call, outcome);
}

/** While middleware works on the answer, the call is not over: the outcome is remembered until it is done. */
function settleGuarded(call: Call, hold: MiddlewareHold, outcome: CallOutcome): MaybePromise<void> {
  const known = hold.outcomeWith(outcome) as CallOutcome; // with the members of the outcomes that it was called with
  if (!hold.isBusy) return settle(call, known);
  hold.outcome = known;
  call.result = { status: known.status, target: known.target, usage: known.usage };
}

function settle(call: Call, outcome: CallOutcome): MaybePromise<void> {
  call.isSettled = true;
  call.result = { status: outcome.status, target: outcome.target, usage: outcome.usage };
  unlisten(call);
  const isWritten =
    call.ports.accounting.ledger &&
    !unknownCallers.has(outcome.reason) &&
    !isRefusedAtClose(call, outcome) &&
    !isRefusedWithoutLedger(call);
  const latency = since(call.startedAt, call.ports.clock.now());
  if (!isWritten && call.pending.length === 0 && call.deferred.length === 0) return closeCall(call, outcome, latency);
  return write(call, outcome, latency);
}

/** Unknown callers get no ledger entry: strangers would fill the disk. */
const unknownCallers: ReadonlySet<string> = new Set(["virtual_key_required", "virtual_key_not_found"]);

/** A refusal while the ledger takes nothing: its entry would be lost, and has no cost. */
function isRefusedWithoutLedger({ tries, ports }: Call): boolean {
  return tries === 0 && ports.accounting.ledger?.backlog?.().isFull === true;
}

/** Refused by a closing engine, whose ledger may be closed already. */
function isRefusedAtClose({ facts, tries }: Call, { reason }: CallOutcome): boolean {
  return reason === "shutting_down" && tries === 0 && facts === undefined;
}

/**
 * A write that fails, or hangs, costs no caller the answer: it was given and has to be paid; the failure is reported as a defect.
 * Nor do counters that do not answer keep the row from the ledger.
 */
async function write(call: Call, outcome: CallOutcome, latency: number): Promise<void> {
  const { accounting } = call.ports;
  if (call.deferred.length > 0) settleDeferred(call);
  if (call.pending.length > 0) await awaitSettlements(call);
  try {
    const written = accounting.ledger?.append([entryOf(call, outcome, latency)], call.counterValues);
    if (written) await accounting.timeouts.rows.wait(written, "ledger");
  } catch (thrown) {
    emitDefect(call, thrown);
  } finally {
    closeCall(call, outcome, latency);
  }
}

/** Waits for the settlements, up to a timeout; the values of a late one follow the call's entry. */
async function awaitSettlements(call: Call): Promise<void> {
  const { pending, ports } = call;
  const taken = pending.map((each) => each.catch((thrown) => emitDefect(call, thrown)));
  await ports.accounting.timeouts.short.wait(Promise.all(taken), "counters").catch((thrown) => {
    emitDefect(call, thrown);
    call.isEntryWritten = true;
  });
}

/** Settles the charges of earlier targets; the counter values go with the call's entry, in the same turn. */
function settleDeferred(call: Call): void {
  const { accounting, clock } = call.ports;
  for (const { reservation, real, reduced } of call.deferred) {
    const settle = () => accounting.counters.settle(reservation, real, clock.now());
    const narrowing = reduced instanceof Promise ? accounting.timeouts.short.wait(reduced, "counters") : undefined;
    awaitSettlement(call, () => narrowing?.then(settle, settle) ?? settle());
  }
}

function closeCall(call: Call, outcome: CallOutcome, latency: number): void {
  const { calls, events } = call.ports;
  calls.remove(call);
  call.place?.leave();
  const { status, reason, target, usage, firstContentAt, warnings, error } = outcome;
  const address = error && addressOfFailure(error);
  const { caller } = call.options;
  emit(events, "settled", () => ({
    ...eventOf(call),
    status,
    reason,
    latency,
    ...(target === undefined ? {} : { target }),
    ...(usage === undefined ? {} : { usage }),
    ...(call.cost === 0 ? {} : { cost: toDollars(call.cost) }),
    ...(call.access === undefined ? {} : { key_id: call.access.keyId }),
    ...(call.cache?.hit === undefined ? {} : { cache: call.cache.hit.type }),
    ...(firstContentAt === undefined ? {} : { time_to_first_token: since(call.startedAt, firstContentAt) }),
    ...(warnings?.length ? { warnings: [...warnings] } : {}),
    ...(address === undefined ? {} : { address }),
    ...(error?.upstream && { upstream_status: error.upstream.status }),
    ...(caller && { caller }),
  }));
}

/** The row of a call whose process died while it was under way. */
export function lostEntryOf(call: Call): LedgerEntry {
  return {
    ...entryOf(call, { status: 500, reason: "internal" }, since(call.startedAt, call.ports.clock.now())),
    reason: "lost",
  };
}

function entryOf(call: Call, outcome: CallOutcome, latency: number): LedgerEntry {
  const { access, facts, startedAt } = call;
  const { hideKeys } = call.ports.accounting;
  const saving = call.cache?.hit ?? call.cache?.saving;
  const request: { readonly metadata?: unknown } = facts?.request ?? {};
  return {
    id: call.id,
    at: startedAt,
    request_type: call.requestType,
    model_requested: call.modelRequested,
    key_id: access?.keyId,
    project_id: access?.projectId,
    customer_id: access?.customerId,
    user: endUserOf(call),
    metadata: readTags(request.metadata, hideKeys),
    status: outcome.status,
    reason: outcome.reason,
    latency,
    time_to_first_token: outcome.firstContentAt === undefined ? undefined : since(startedAt, outcome.firstContentAt),
    cache: call.cache?.hit?.type,
    saved: saving?.saved ?? 0,
    saved_prompt_tokens: saving?.tokens?.prompt_tokens ?? 0,
    saved_completion_tokens: saving?.tokens?.completion_tokens ?? 0,
    route: ledgerRouteOf(call),
    tool_content: facts?.toolContent,
    attempts: call.ledgerLines,
  };
}

/** Settles a failed call and returns the error to throw. */
export async function settleFailure(call: Call, thrown: unknown): Promise<GatewayError> {
  const error = withDetails(toGatewayError(thrown), { model: call.modelRequested || undefined, eventId: call.id });
  if (!call.isSettled) emitFailure(call, error);
  await settleCall(call, { status: error.status, reason: error.code, error });
  return error;
}
