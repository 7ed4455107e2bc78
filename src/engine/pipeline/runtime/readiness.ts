import { toGatewayError } from "../../errors.ts";
import { emit } from "../../events.ts";
import type { LedgerBacklog } from "../../ports/ledger.ts";
import type { Store } from "../../ports/store.ts";
import type { MaybePromise } from "../../runtime/maybe-promise.ts";
import { callPort } from "./port-call.ts";
import type { Ports } from "./ports.ts";

/** Something that calls depend on. */
export interface ReadinessCheck {
  readonly status: "ok" | "failed";
  /** How long the answer took. */
  readonly milliseconds: number;
  /** Why it failed, without words of the store or of a server. */
  readonly message?: string | undefined;
  /** Of the ledger: rows that are not written yet, those of them that a file holds, and those given up since the start. */
  readonly waiting?: number | undefined;
  readonly on_disk?: number | undefined;
  readonly lost?: number | undefined;
}

/** Whether an engine can take calls, and what keeps it from that. */
export interface Readiness {
  readonly status: "ready" | "draining" | "unavailable";
  /** Requests under way. */
  readonly in_flight: number;
  /**
   * The store, the counters, what they held before the last stop, and the rows that wait for the ledger; without a store there is nothing
   * to check. A store that does not answer keeps an engine with `knownKeysMs` from nothing.
   */
  readonly checks: Readonly<Partial<Record<"store" | "counters" | "recovery" | "ledger", ReadinessCheck>>>;
}

type AskedName = Exclude<keyof Readiness["checks"], "ledger">;

/** Milliseconds for which an answer is given again: callers without a key may ask as often as they like. */
const freshMs = 1_000;

/** Asks the store and the counters of an engine, at most once a second however many ask. */
export function createReadiness(
  ports: Ports,
  store: Store | undefined,
  isLeaving: () => boolean,
): () => Promise<Readiness> {
  const { accounting, clock, calls, events } = ports;
  let asked: { readonly at: number; readonly checks: Promise<Readiness["checks"]> } | undefined;
  const check = async (name: AskedName, ask: () => MaybePromise<unknown>): Promise<ReadinessCheck> => {
    const startedAt = clock.now();
    let error: unknown;
    try {
      await callPort(name === "recovery" ? "store" : name, ask, accounting.timeouts.short);
    } catch (thrown) {
      error = thrown;
    }
    const status = error === undefined ? "ok" : "failed";
    const checked = { status, milliseconds: clock.now() - startedAt } as const;
    emit(events, "dependency", () => ({ dependency: name, ...checked, ...(error === undefined ? {} : { error }) }));
    return error === undefined ? checked : { ...checked, message: toGatewayError(error).message };
  };
  const askAll = async (): Promise<Readiness["checks"]> => {
    if (!store) return {};
    const [ofStore, ofCounters, recovery] = await Promise.all([
      check("store", () => store.records.get("customer", "readiness")),
      check("counters", () => accounting.counters.read(["readiness"], clock.now())),
      check("recovery", () => accounting.recovered?.()),
    ]);
    const ledger = ofLedger(accounting.ledger?.backlog?.());
    return { store: ofStore, counters: ofCounters, recovery, ...(ledger ? { ledger } : {}) };
  };
  return async () => {
    const now = clock.now();
    if (!asked || now - asked.at >= freshMs || now < asked.at) asked = { at: now, checks: askAll() };
    const checks = await asked.checks;
    const isNeeded = (name: string) => name !== "store" || !accounting.isStoreOptional;
    const isAvailable = Object.entries(checks).every(([name, { status }]) => status === "ok" || !isNeeded(name));
    return { status: isLeaving() ? "draining" : isAvailable ? "ready" : "unavailable", in_flight: calls.size, checks };
  };
}

/** The rows that wait; failed where so many do that no call is begun. */
function ofLedger(backlog: LedgerBacklog | undefined): ReadinessCheck | undefined {
  if (!backlog) return undefined;
  const { waiting, lost, isFull = false, onDisk } = backlog;
  const rows = { waiting, lost, ...(onDisk === undefined ? {} : { on_disk: onDisk }) };
  return { status: isFull ? "failed" : "ok", milliseconds: 0, ...rows };
}
