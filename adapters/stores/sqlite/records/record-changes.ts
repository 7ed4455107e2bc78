import type { RecordKind } from "../../../../src/engine/ports/records.ts";
import { countChanges } from "../../../shared/records/changes.ts";
import type { Connection } from "../connection.ts";

/** How often records were changed, by this process and by others. */
export interface RecordChanges {
  /** To be called when this process has changed a record of the kind. */
  note(kind: RecordKind): void;
  /** Grows with every change of one of the kinds, without any of all; those of other processes are seen within {@link unseenMs}. */
  stamp(kinds?: readonly RecordKind[]): number;
  /** How often records of a kind were changed, as the file has it now. */
  countOf(kind: RecordKind): number;
}

/**
 * Milliseconds after which what another process wrote is seen: less than that process takes to end. To ask SQLite costs 7 µs, and more
 * under load.
 */
const unseenMs = 10;

/** The changes of the records in a file. Triggers count them by kind, so that rows of the ledger are none. */
export function openRecordChanges(connection: Connection): RecordChanges {
  const own = countChanges();
  const readAll = nowAndThen(readWhenWritten(connection));
  return {
    note: (kind) => own.note(kind),
    // Own changes count at once, and again when they are read with those of others: both only grow, so that the sum shows either.
    stamp: (kinds) => own.of(kinds) + sumOf(readAll(), kinds),
    countOf: (kind) =>
      Number(connection.prepare("SELECT count FROM record_change WHERE kind = ?").get(kind)?.count ?? 0),
  };
}

type CountsByKind = ReadonlyMap<string, number>;

/** Reads the counts again when another process has written something, be it a record or not. */
function readWhenWritten(connection: Connection): () => CountsByKind {
  let version: unknown;
  let counts: CountsByKind = new Map();
  return () => {
    const present = connection.prepare("PRAGMA data_version").get()?.data_version;
    if (present === version) return counts;
    const rows = connection.prepare("SELECT kind, count FROM record_change").all();
    counts = new Map(rows.map(({ kind, count }) => [String(kind), Number(count)]));
    version = present;
    return counts;
  };
}

function sumOf(counts: CountsByKind, kinds: readonly RecordKind[] = []): number {
  const wanted = kinds.length === 0 ? counts.values() : kinds.map((kind) => counts.get(kind) ?? 0);
  let sum = 0;
  for (const count of wanted) sum += count;
  return sum;
}

/** Asks again when some time has passed since the last time, at the end of the turn in which it has. */
function nowAndThen<Value>(ask: () => Value): () => Value {
  let answer: Value | undefined;
  return () => {
    if (answer !== undefined) return answer;
    setTimeout(() => {
      answer = undefined;
    }, unseenMs).unref();
    answer = ask();
    return answer;
  };
}
