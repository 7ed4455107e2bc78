import type { Standing } from "../../../src/ports/counters.ts";
import type { LedgerEntry } from "../../../src/ports/ledger.ts";
import { hourLength } from "../../shared/usage/facts.ts";
import { type Connection, patientMs } from "./connection.ts";
import { type Names, openNames } from "./names.ts";
import { openRows, type RequestRow, type Rows } from "./rows.ts";
import { noHour } from "./schema.ts";
import { openTotals, type Totals } from "./totals.ts";
import { becomeWriter } from "./writer.ts";

/**
 * Writes entries at once, and now and then the sums by day and the counters that go with them: `mark.rolled` says up to which
 * request both are. What is behind the mark, the tail, is summed in memory, and read again from its entries after a death.
 */
export interface Journal {
  readonly connection: Connection;
  readonly names: Names;
  readonly rows: Rows;
  /** Requests after which the sums and the counters are written. */
  readonly rollEvery: number;
  readonly totals: Totals;
  /** Counters that were charged since they were written last. */
  readonly dirty: Map<string, Standing>;
  nextId: number;
  /** False before the file was read, and after a transaction that came to nothing: the file may be out of reach then, too. */
  isRead: boolean;
  /** True after a write that failed: counters hold what no entry tells, so they go with the next write. */
  isBehind: boolean;
  /** Gives the role of the writer back; absent before it is taken. */
  resign: (() => void) | undefined;
}

/** A journal that has not begun to write. */
export function openJournal(connection: Connection, rollEvery: number): Journal {
  const names = openNames(connection);
  const parts = { connection, names, rows: openRows(connection, names), rollEvery };
  const state = { nextId: 1, isRead: false, isBehind: false, resign: undefined };
  return { ...parts, totals: openTotals(names), dirty: new Map(), ...state };
}

/** Milliseconds for a lock in a process that serves: all its calls and streams stand still meanwhile. */
const servingMs = 250;

/** Takes the role of the only writer, if it is not taken yet, and starts from what the file holds, unless that is known. */
export function startWriting(journal: Journal): void {
  if (!journal.resign) {
    journal.resign = becomeWriter(journal.connection.path);
    journal.connection.waitFor(servingMs);
  }
  if (!journal.isRead) reload(journal);
}

/** Writes entries in one transaction; when that fails, none of them. */
export function writeEntries(journal: Journal, entries: readonly LedgerEntry[]): void {
  startWriting(journal);
  const { connection, names, rows, totals, rollEvery } = journal;
  let isRolled = false;
  try {
    connection.write(() => {
      rows.insert(journal.nextId, entries);
      for (const entry of entries) totals.add(journal.nextId++, entry);
      isRolled = journal.isBehind || totals.count >= rollEvery;
      if (isRolled) writeSums(journal);
    });
  } catch (thrown) {
    journal.isBehind = true;
    journal.isRead = false;
    names.forget();
    throw thrown;
  }
  connection.waitFor(servingMs);
  if (isRolled) forgetSums(journal);
}

/** Writes sums and counters now, so that there is no tail. */
export function roll(journal: Journal): void {
  startWriting(journal);
  if (journal.totals.count === 0 && journal.dirty.size === 0) return;
  journal.connection.write(() => writeSums(journal));
  forgetSums(journal);
}

/** The entries behind the mark, oldest first. */
export function readTail({ connection, rows }: Journal): readonly LedgerEntry[] {
  return rows.read(readTailRows(connection));
}

function readTailRows(connection: Connection): RequestRow[] {
  const sql = "SELECT * FROM request WHERE id > (SELECT rolled FROM mark) ORDER BY id";
  return connection.prepare(sql).all() as unknown as RequestRow[];
}

/** Sums the tail that the file holds, of an earlier process or from before a transaction that came to nothing. */
function reload(journal: Journal): void {
  const { connection, rows, totals } = journal;
  totals.clear();
  connection.write(() => {
    const tail = readTailRows(connection);
    for (const [position, entry] of rows.read(tail).entries()) totals.add((tail[position] as RequestRow).id, entry);
    const firstHour = `UPDATE mark SET hourly = CASE newest WHEN 0 THEN 0 ELSE newest / ${hourLength} + 1 END WHERE hourly = ?`;
    connection.prepare(firstHour).run(noHour);
    const sql = "SELECT max(rolled, coalesce((SELECT max(id) FROM request), 0)) AS id FROM mark";
    journal.nextId = Number(connection.prepare(sql).get()?.id) + 1;
  });
  journal.isRead = true;
}

function writeSums({ connection, totals, dirty }: Journal): void {
  totals.write(connection);
  const statement = connection.prepare(
    `INSERT INTO standing VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET start = excluded.start, "end" = excluded."end", used = excluded.used
     WHERE excluded.start >= standing.start`, // a window that is over does not replace the next
  );
  for (const { counter, start, end, used } of dirty.values()) statement.run(counter, start, end, used);
}

function forgetSums(journal: Journal): void {
  journal.totals.clear();
  journal.dirty.clear();
  journal.isBehind = false;
}

/** For the end: nothing is served any more, and what cannot be written now is lost. */
export function waitPatiently({ connection }: Journal): void {
  connection.waitFor(patientMs);
}
