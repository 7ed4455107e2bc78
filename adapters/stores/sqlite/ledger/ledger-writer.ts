import type { CounterValue } from "../../../../src/engine/ports/counters.ts";
import type { LedgerEntry } from "../../../../src/engine/ports/ledger.ts";
import { hourLength } from "../../../shared/usage/ledger-facts.ts";
import { type Checkpoints, openCheckpoints } from "../checkpoints/checkpoints.ts";
import { type Connection, lockTimeoutMs } from "../connection.ts";
import { openTotals, type Totals } from "../rollups/running-totals.ts";
import { type InternedStrings, openNames } from "../rows/interned-strings.ts";
import { type LedgerRows, openRows, type SqliteRequestRow } from "../rows/rows.ts";
import { noHour } from "../schema.ts";
import { becomeWriter } from "../writer.ts";

/**
 * Writes entries at once, and now and then the sums by day and the counters that go with them: `mark.rolled` says up to which
 * request both are. What is behind the mark, the tail, is summed in memory, and read again from its entries after a death.
 */
export interface LedgerWriter {
  readonly connection: Connection;
  readonly names: InternedStrings;
  readonly rows: LedgerRows;
  readonly checkpoints: Checkpoints;
  /** Requests after which the sums and the counters are written. */
  readonly rollEvery: number;
  readonly totals: Totals;
  /** Counters that were charged since they were written last. */
  readonly dirty: Map<string, CounterValue>;
  nextId: number;
  /** False before the file was read, and after a transaction that came to nothing: the file may be out of reach then, too. */
  isRead: boolean;
  /** True after a write that failed: counters hold what no entry tells, so they go with the next write. */
  isBehind: boolean;
  /** Gives the role of the writer back; absent before it is taken. */
  resign: (() => void) | undefined;
}

/** A journal that has not begun to write. */
export function openLedgerWriter(connection: Connection, rollEvery: number): LedgerWriter {
  const names = openNames(connection);
  const checkpoints = openCheckpoints(connection);
  const parts = { connection, names, rows: openRows(connection, names), checkpoints, rollEvery };
  const state = { nextId: 1, isRead: false, isBehind: false, resign: undefined };
  return { ...parts, totals: openTotals(names), dirty: new Map(), ...state };
}

/** Milliseconds for a lock in a process that serves: all its calls and streams stand still meanwhile. */
const servingMs = 250;

/** Takes the role of the only writer, if it is not taken yet, and starts from what the file holds, unless that is known. */
export function startWriting(writer: LedgerWriter): void {
  if (!writer.resign) {
    writer.resign = becomeWriter(writer.connection.path);
    writer.connection.waitFor(servingMs);
  }
  if (!writer.isRead) reload(writer);
}

/** Writes entries in one transaction; when that fails, none of them. */
export function writeEntries(writer: LedgerWriter, entries: readonly LedgerEntry[]): void {
  startWriting(writer);
  const { connection, names, rows, totals, rollEvery } = writer;
  let isRolled = false;
  try {
    connection.write(() => {
      rows.insert(writer.nextId, entries);
      for (const entry of entries) totals.add(writer.nextId++, entry);
      isRolled = writer.isBehind || totals.count >= rollEvery;
      if (isRolled) writeSums(writer);
    });
  } catch (thrown) {
    writer.isBehind = true;
    writer.isRead = false;
    names.forget();
    throw thrown;
  }
  connection.waitFor(servingMs);
  writer.checkpoints.afterWrite(entries.length);
  if (isRolled) forgetSums(writer);
}

/** Writes sums and counters now, so that there is no tail. */
export function roll(writer: LedgerWriter): void {
  startWriting(writer);
  if (writer.totals.count === 0 && writer.dirty.size === 0) return;
  writer.connection.write(() => writeSums(writer));
  forgetSums(writer);
}

/** The entries behind the mark, oldest first. */
export function readTail({ connection, rows }: LedgerWriter): readonly LedgerEntry[] {
  return rows.read(readTailRows(connection));
}

function readTailRows(connection: Connection): SqliteRequestRow[] {
  const sql = "SELECT * FROM request WHERE id > (SELECT rolled FROM mark) ORDER BY id";
  return connection.prepare(sql).all() as unknown as SqliteRequestRow[];
}

/** Sums the tail that the file holds, of an earlier process or from before a transaction that came to nothing. */
function reload(writer: LedgerWriter): void {
  const { connection, rows, totals } = writer;
  totals.clear();
  connection.write(() => {
    const tail = readTailRows(connection);
    for (const [position, entry] of rows.read(tail).entries())
      totals.add((tail[position] as SqliteRequestRow).id, entry);
    const firstHour = `UPDATE mark SET hourly = CASE newest WHEN 0 THEN 0 ELSE newest / ${hourLength} + 1 END WHERE hourly = ?`;
    connection.prepare(firstHour).run(noHour);
    const sql = "SELECT max(rolled, coalesce((SELECT max(id) FROM request), 0)) AS id FROM mark";
    writer.nextId = Number(connection.prepare(sql).get()?.id) + 1;
  });
  writer.isRead = true;
}

function writeSums({ connection, totals, dirty }: LedgerWriter): void {
  totals.write(connection);
  const statement = connection.prepare(
    `INSERT INTO standing (counter, start, "end", used) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET start = excluded.start, "end" = excluded."end", used = excluded.used
     WHERE excluded.start >= standing.start`, // a window that is over does not replace the next
  );
  for (const { counter, start, end, used } of dirty.values()) statement.run(counter, start, end, used);
}

function forgetSums(writer: LedgerWriter): void {
  writer.totals.clear();
  writer.dirty.clear();
  writer.isBehind = false;
}

/** For the end: nothing is served any more, and what cannot be written now is lost. */
export function waitForLock({ connection }: LedgerWriter): void {
  connection.waitFor(lockTimeoutMs);
}
