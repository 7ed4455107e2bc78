import { addSums } from "../../../../src/engine/metering/usage/sums.ts";
import type { LedgerEntry } from "../../../../src/engine/ports/ledger.ts";
import { dayOf, dayOfHour, hourOf, listFacts } from "../../../shared/usage/ledger-facts.ts";
import type { Connection } from "../connection.ts";
import type { InternedStrings } from "../rows/interned-strings.ts";
import { openRollups, type Rollups } from "./rollup-key.ts";
import { writeSums } from "./rollups.ts";

/** Some requests, first and last included. */
interface IdRange {
  first: number;
  last: number;
}

/** What was appended since the last roll, summed up as the tables of sums are. */
export interface Totals {
  /** Requests that are in them. */
  readonly count: number;
  add(id: number, entry: LedgerEntry): void;
  /** Writes the roll, inside a transaction. */
  write(connection: Connection): void;
  clear(): void;
}

/** Totals of nothing. */
export function openTotals(names: InternedStrings): Totals {
  const rollups = openRollups();
  const hours = new Map<number, IdRange>();
  const keys = new Map<number, number[]>();
  const all: IdRange & { count: number; newest: number } = { first: 0, last: 0, count: 0, newest: 0 };
  return {
    get count() {
      return all.count;
    },
    add(id, entry) {
      if (all.count++ === 0) all.first = id;
      all.last = id;
      all.newest = Math.max(all.newest, entry.at);
      const hour = hourOf(entry.at);
      const range = hours.get(hour);
      if (range) range.last = id;
      else hours.set(hour, { first: id, last: id });
      const key = names.intern(entry.key_id);
      const ofKey = keys.get(key);
      if (ofKey) ofKey.push(id);
      else keys.set(key, [id]);
      addToRollups(rollups, names, { hour, key, entry });
    },
    write(connection) {
      if (all.count === 0) return;
      writeSums(connection, [...rollups], dayOf(all.newest));
      writeRanges(connection, "day", bringToDays(hours));
      writeRanges(connection, "hour", hours);
      writeKeys(connection, all, keys);
      connection.prepare("UPDATE mark SET rolled = ?, newest = max(newest, ?)").run(all.last, all.newest);
    },
    clear() {
      for (const map of [rollups, hours, keys]) map.clear();
      all.count = 0;
      all.newest = 0;
    },
  };
}

function bringToDays(hours: ReadonlyMap<number, IdRange>): ReadonlyMap<number, IdRange> {
  const days = new Map<number, IdRange>();
  for (const [hour, { first, last }] of hours) {
    const day = dayOfHour(hour);
    const range = days.get(day) ?? { first, last };
    days.set(day, { first: Math.min(range.first, first), last: Math.max(range.last, last) });
  }
  return days;
}

/** An entry, the hour in which it came in, and the number of its key. */
interface Dated {
  readonly hour: number;
  readonly key: number;
  readonly entry: LedgerEntry;
}

function addToRollups(rollups: Rollups, names: InternedStrings, { hour, key, entry }: Dated): void {
  const project = names.intern(entry.project_id);
  const customer = names.intern(entry.customer_id);
  const type = names.intern(entry.request_type);
  for (const fact of listFacts(entry)) {
    const provider = names.intern(fact.provider ?? undefined);
    const model = names.intern(fact.model ?? undefined);
    const columns = { hour, key, project, customer, provider, model, type };
    const rollup = rollups.find(columns);
    if (rollup) addSums(rollup.sums, fact.sums);
    else rollups.add({ columns, sums: fact.sums });
  }
}

function writeRanges(connection: Connection, table: "day" | "hour", ranges: ReadonlyMap<number, IdRange>): void {
  const statement = connection.prepare(
    `INSERT INTO ${table} (${table}, first, last) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET last = max(last, excluded.last)`,
  );
  for (const [period, { first, last }] of ranges) statement.run(period, first, last);
}

/** Requests without a key are not in the index: nobody asks for them by it. */
function writeKeys(
  connection: Connection,
  { first, last }: IdRange,
  keys: ReadonlyMap<number, readonly number[]>,
): void {
  connection.prepare("INSERT INTO roll (first, last) VALUES (?, ?)").run(first, last);
  const statement = connection.prepare("INSERT INTO roll_key (first, key, requests) VALUES (?, ?, ?)");
  const sorted = [...keys.keys()].sort((one, other) => one - other);
  // Not by `join`: V8 keeps the digits of each number that becomes a string in the old generation.
  for (const key of sorted) if (key > 0) statement.run(first, key, JSON.stringify(keys.get(key)));
}
