import type { Logger } from "pino";
import type { LedgerBacklog } from "../../engine/ports/ledger.ts";

/** Milliseconds between two lines of one outage: a server that is away fails on every request. */
const quietMs = 60_000;

/** Milliseconds without a failure after which an outage is over: what can be read may still refuse to be written. */
const calmMs = 10_000;

/** What calls depend on. */
export type Dependency = "store" | "counters" | "recovery";

/** Where outages are written, and what is known of the ledger. */
export interface OutageLogOptions {
  readonly log: Pick<Logger, "error" | "info">;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Rows that are not in the ledger yet. */
  readonly backlog: () => LedgerBacklog;
}

/** Writes one line with its cause for an outage, again every minute while it lasts, and one when it is over. */
export interface OutageLog {
  failed(dependency: Dependency, error: unknown, fields?: object): void;
  answered(dependency: Dependency): void;
  /** Looks after the rows of the ledger: those that were lost are written down, and those that wait during an outage. */
  look(): void;
}

interface Outage {
  readonly since: number;
  lastAt: number;
  loggedAt: number;
  /** Since the last line. */
  failures: number;
}

/** Opens the log of outages of the store and the counters. */
export function createOutageLog({ log, now, backlog }: OutageLogOptions): OutageLog {
  const outages = new Map<Dependency, Outage>();
  let knownLost = backlog().lost;
  const failed: OutageLog["failed"] = (named, error, fields) => {
    const dependency = dependencyOf(error) ?? named;
    const at = now();
    const fresh: Outage = { since: at, lastAt: at, loggedAt: Number.NEGATIVE_INFINITY, failures: 0 };
    const outage = outages.get(dependency) ?? fresh;
    outages.set(dependency, outage);
    outage.failures++;
    outage.lastAt = at;
    if (!isDue(outage, at)) return;
    const { waiting, lost } = backlog();
    const rows = dependency === "store" ? { waiting, ...(lost > 0 ? { lost_since_start: lost } : {}) } : {};
    log.error({ ...fields, dependency, failures: outage.failures, ...causeOf(error), ...rows }, wordsOf(error));
    Object.assign(outage, { loggedAt: at, failures: 0 });
  };
  const look = () => {
    const { waiting, lost, onDisk = 0 } = backlog();
    if (onDisk > 0 && !outages.has("store"))
      failed("store", new Error("The store cannot be written just now: rows of the ledger wait in a file."));
    if (lost > knownLost)
      log.error({ lost: lost - knownLost, lost_since_start: lost }, `${rowsOf(lost - knownLost)} lost`);
    knownLost = lost;
    const outage = outages.get("store");
    if (!outage || waiting === 0 || !isDue(outage, now())) return;
    outage.loggedAt = now();
    log.error({ dependency: "store", waiting }, `${rowsOf(waiting)} not written yet`);
  };
  return {
    failed,
    answered(dependency) {
      const outage = outages.get(dependency);
      if (!outage) return;
      if (now() - outage.lastAt < calmMs && now() >= outage.lastAt) return;
      if (dependency === "store" && backlog().waiting > 0) return;
      outages.delete(dependency);
      log.info({ dependency, outage_ms: outage.lastAt - outage.since }, `the outage of the ${dependency} is over`);
    },
    look,
  };
}

/** A clock that was set back makes a line due. */
function isDue({ loggedAt }: Outage, at: number): boolean {
  return at - loggedAt >= quietMs || at < loggedAt;
}

function rowsOf(count: number): string {
  return count === 1 ? "1 row of the ledger is" : `${count} rows of the ledger are`;
}

/** What failed, by the words of the error: the recovery of counters fails with the store or with the counters. */
function dependencyOf(error: unknown): Dependency | undefined {
  const [, name] = /^The (store|ledger|counters)\b/.exec(wordsOf(error)) ?? [];
  return name === "ledger" ? "store" : (name as "store" | "counters" | undefined);
}

function causeOf(error: unknown): { readonly cause?: string } {
  const { cause } = Object(error) as { readonly cause?: unknown };
  return cause === undefined ? {} : { cause: wordsOf(cause) };
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
