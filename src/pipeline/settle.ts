import type { Usage } from "../api/usage.ts";
import { type ErrorCode, type GatewayError, toGatewayError, withDetails } from "../errors.ts";
import { announce } from "../events.ts";
import type { LedgerEntry } from "../ports/ledger.ts";
import type { MaybePromise } from "../ports/maybe-promise.ts";
import { clip, longestUser, readTags } from "../usage/labels.ts";
import { toDollars } from "../usage/money.ts";
import { announceDefect, announceFailure, type Call, eventOf, since, unlisten } from "./call.ts";
import { takeIn } from "./tab.ts";

/** What became of a call. */
export interface Outcome {
  readonly status: number;
  readonly reason: ErrorCode | "ok";
  /** `provider/model` that served. */
  readonly target?: string | undefined;
  readonly usage?: Usage | undefined;
  /** Milliseconds since the epoch. */
  readonly firstContentAt?: number | undefined;
  readonly warnings?: readonly string[] | undefined;
}

/**
 * Closes the books on a call, exactly once: later calls change nothing. The promise, where there is one, resolves when the ledger
 * has it for good; an answer is handed over after that.
 */
export function settleCall(call: Call, outcome: Outcome): MaybePromise<void> {
  if (call.isSettled) return;
  call.isSettled = true;
  call.ending = { status: outcome.status, target: outcome.target, usage: outcome.usage };
  unlisten(call);
  const isWritten = call.ports.books.ledger && !strangers.has(outcome.reason) && !isTurnedAway(call, outcome);
  const latency = since(call.startedAt, call.ports.clock.now());
  if (!isWritten && call.pending.length === 0 && call.owed.length === 0) return leave(call, outcome, latency);
  return write(call, outcome, latency);
}

/** Who is not known is not written down: strangers would fill the disk. */
const strangers: ReadonlySet<string> = new Set(["virtual_key_required", "virtual_key_not_found"]);

/** Refused at the door of an engine that closes, whose ledger may be closed already. */
function isTurnedAway({ asked, tries }: Call, { reason }: Outcome): boolean {
  return reason === "shutting_down" && tries === 0 && asked === undefined;
}

/**
 * A write that fails, or does not end, costs nobody the answer: it was given and has to be paid; the failure is told as a defect. Nor do
 * counters that do not answer keep the row from the ledger.
 */
async function write(call: Call, outcome: Outcome, latency: number): Promise<void> {
  const { books } = call.ports;
  if (call.owed.length > 0) settleOwed(call);
  if (call.pending.length > 0) await untilTaken(call);
  try {
    const written = books.ledger?.append([entryOf(call, outcome, latency)], call.standings);
    if (written) await books.patience.rows.wait(written, "ledger");
  } catch (thrown) {
    announceDefect(call, thrown);
  } finally {
    leave(call, outcome, latency);
  }
}

/** Waits for the settlements, but not for ever; what a late one gives follows the call's entry. */
async function untilTaken(call: Call): Promise<void> {
  const { pending, ports } = call;
  const taken = pending.map((each) => each.catch((thrown) => announceDefect(call, thrown)));
  await ports.books.patience.short.wait(Promise.all(taken), "counters").catch((thrown) => {
    announceDefect(call, thrown);
    call.isEntered = true;
  });
}

/** Settles what targets took that were done with before the call was; the standings go with its entry, in the same turn. */
function settleOwed(call: Call): void {
  const { books, clock } = call.ports;
  for (const { ticket, real, narrowed } of call.owed) {
    const settle = () => books.counters.settle(ticket, real, clock.now());
    const narrowing = narrowed instanceof Promise ? books.patience.short.wait(narrowed, "counters") : undefined;
    takeIn(call, () => narrowing?.then(settle, settle) ?? settle());
  }
}

function leave(call: Call, outcome: Outcome, latency: number): void {
  const { calls, events } = call.ports;
  calls.remove(call);
  const { status, reason, target, usage, firstContentAt, warnings } = outcome;
  announce(events, "settled", () => ({
    ...eventOf(call),
    status,
    reason,
    latency,
    ...(target === undefined ? {} : { target }),
    ...(usage === undefined ? {} : { usage }),
    ...(call.spent === 0 ? {} : { cost: toDollars(call.spent) }),
    ...(call.access === undefined ? {} : { key_id: call.access.keyId }),
    ...(call.cache?.hit === undefined ? {} : { cache: call.cache.hit.type }),
    ...(firstContentAt === undefined ? {} : { time_to_first_token: since(call.startedAt, firstContentAt) }),
    ...(warnings?.length ? { warnings: [...warnings] } : {}),
  }));
}

function entryOf(call: Call, outcome: Outcome, latency: number): LedgerEntry {
  const { access, asked, startedAt } = call;
  const { hideKeys } = call.ports.books;
  const request: { readonly user?: unknown; readonly metadata?: unknown } = asked?.request ?? {};
  return {
    id: call.id,
    at: startedAt,
    request_type: call.requestType,
    model_requested: call.modelRequested,
    key_id: access?.keyId,
    project_id: access?.projectId,
    customer_id: access?.customerId,
    user: typeof request.user === "string" ? clip(hideKeys(request.user), longestUser) : undefined,
    metadata: readTags(request.metadata, hideKeys),
    status: outcome.status,
    reason: outcome.reason,
    latency,
    time_to_first_token: outcome.firstContentAt === undefined ? undefined : since(startedAt, outcome.firstContentAt),
    cache: call.cache?.hit?.type,
    saved: call.cache?.hit?.saved ?? 0,
    attempts: call.billed,
  };
}

/** Closes a call that failed and gives back the error to throw. */
export async function settleFailure(call: Call, thrown: unknown): Promise<GatewayError> {
  const error = withDetails(toGatewayError(thrown), { model: call.modelRequested || undefined, eventId: call.id });
  if (!call.isSettled) announceFailure(call, error);
  await settleCall(call, { status: error.status, reason: error.code });
  return error;
}
