import type { CallRecord } from "../../ports/call-records.ts";
import type { Clock, Ids } from "../../ports/clock.ts";
import type { Ledger, LedgerEntry } from "../../ports/ledger.ts";
import type { Stored } from "../../ports/records.ts";
import type { GuardedRecords } from "../runtime/port-call.ts";

/** What is known of a call under way. */
export interface CallUnderWay {
  readonly id: string;
  /** When its reservation lapses, in milliseconds since the epoch. */
  readonly lapsesAt: number;
  /** The row that the ledger gets should the process die. */
  lostEntry(): LedgerEntry;
}

/** What the record of calls under way is kept with. */
interface LostCallTools {
  readonly records: GuardedRecords;
  readonly ledger: Pick<Ledger, "append" | "entries">;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Those under way. */
  readonly calls: { readonly size: number };
  /** What is to be known of them. */
  readonly list: () => readonly CallUnderWay[];
  /** No other process that lives counts and writes next to this one at the moment. */
  readonly isAlone: () => boolean;
}

/** The calls under way, on record while they are, so that those of a process that was killed get their rows in the ledger. */
export interface LostCalls {
  /** Called when a call begins where none was under way. */
  wake(): void;
  /** Called when none is under way any more. */
  rest(): void;
  /** Writes the rows of calls whose process died. */
  recover(): Promise<void>;
  /** Stops, and takes the record away. */
  close(): Promise<void>;
}

/** Milliseconds between two looks at what is under way: calls that are over by then are never recorded. */
const lookMs = 1_000;
/** Looks of this process between two for the calls of dead ones. */
const looksPerRecovery = 30;
/** Calls in one record at most: those that began first. */
const mostCalls = 1_000;

/** The record of this process. */
interface OwnRecord {
  readonly id: () => string | undefined;
  readonly isWritten: () => boolean;
  /** Writes what is under way, if that has changed; with nothing under way the record is taken away. */
  write(calls: readonly CallUnderWay[]): Promise<void>;
}

function openRecord({ records, clock, ids }: LostCallTools): OwnRecord {
  let own: Pick<CallRecord, "id" | "created_at"> | undefined;
  let version = 0;
  let written = "";
  return {
    id: () => own?.id,
    isWritten: () => written !== "",
    async write(calls) {
      const names = calls.map(({ id }) => id).join(" ");
      if (names === written) return;
      own ??= { id: ids(), created_at: new Date(clock.now()).toISOString() };
      const lapses_at = Math.max(0, ...calls.map(({ lapsesAt }) => lapsesAt));
      const record: CallRecord = { ...own, lapses_at, entries: calls.map((call) => call.lostEntry()) };
      const outcome = await (calls.length === 0
        ? records.remove("calls", own.id)
        : records.put("calls", record, version));
      version = outcome.kind === "stored" || outcome.kind === "moved" ? outcome.version : 0;
      if (outcome.kind !== "moved") written = names;
    },
  };
}

/** The calls under way over a store's records: one for each process, written when what is under way has changed. */
export function createLostCalls(tools: LostCallTools): LostCalls {
  const { clock, calls, list } = tools;
  const own = openRecord(tools);
  let looks = 0;
  let isLooking = false;
  let isClosed = false;
  let cancel: (() => void) | undefined;
  const look = async () => {
    isLooking = true;
    try {
      await own.write(list().slice(0, mostCalls));
      looks = (looks + 1) % looksPerRecovery;
      if (looks === 0) await recover(tools, own.id());
    } catch {
      // a store that is away is asked again
    } finally {
      isLooking = false;
      if (calls.size > 0 || own.isWritten()) lostCalls.wake();
    }
  };
  const lostCalls: LostCalls = {
    wake() {
      if (isClosed || isLooking) return;
      cancel ??= clock.after(lookMs, () => {
        cancel = undefined;
        void look();
      });
    },
    rest() {
      cancel?.();
      cancel = undefined;
      if (own.isWritten() && !isLooking && !isClosed) void look();
    },
    recover: () => recover(tools, own.id()),
    async close() {
      isClosed = true;
      cancel?.();
      await own.write([]);
    },
  };
  return lostCalls;
}

/** What a record of an earlier version does not say. */
const noSavings = { saved_prompt_tokens: 0, saved_completion_tokens: 0 } as const;

/** Each record is removed by one process, which then writes the rows of it that the ledger does not have. */
async function recover({ records, ledger, clock, isAlone }: LostCallTools, own: string | undefined): Promise<void> {
  const now = clock.now();
  const { records: all } = await records.list("calls", { limit: 1_000 });
  const isOver = ({ record }: Stored<"calls">) => record.id !== own && (isAlone() || record.lapses_at <= now);
  for (const { record, version } of all.filter(isOver)) {
    const lost = await withoutSettled(ledger, record.entries);
    const outcome = await records.remove("calls", record.id, version);
    if (outcome.kind === "removed") await ledger.append(lost.map((entry) => ({ ...noSavings, ...entry })));
  }
}

/** The entries that the ledger does not have: a process may have died before it could take a call that was settled off its record. */
async function withoutSettled(
  ledger: LostCallTools["ledger"],
  entries: readonly LedgerEntry[],
): Promise<readonly LedgerEntry[]> {
  const lost: LedgerEntry[] = [];
  for (const entry of entries) {
    const { id, at } = entry;
    const found = await ledger.entries({ id, from: at, to: at + 1, limit: 1 });
    if (found.entries.length === 0) lost.push(entry);
  }
  return lost;
}
