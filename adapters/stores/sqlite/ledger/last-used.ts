import { setImmediate as nextTurn } from "node:timers/promises";
import { firstDayOf } from "../../../shared/usage/ledger-facts.ts";
import type { Connection } from "../connection.ts";
import type { InternedStrings } from "../rows/interned-strings.ts";
import { readMark } from "../usage/ranges.ts";

/** What finding the newest requests needs. */
interface LastUsedContext {
  readonly connection: Connection;
  readonly names: InternedStrings;
}

/** The keys that are looked for, as numbers, and the instants found so far. */
interface KeySearch {
  readonly connection: Connection;
  readonly left: Set<number>;
  readonly found: Map<number, number>;
}

/** A day and the requests of it. */
interface DayRequests {
  readonly day: number;
  readonly first: number;
  readonly last: number;
}

/**
 * Returns when the newest request of each key came in. Looks at the requests behind the sums first; then the sums by day and month tell the
 * newest day of each key that is left, and the index by key its newest request of that day.
 */
export async function readLastUsed(
  { connection, names }: LastUsedContext,
  keyIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const numbers = new Map(keyIds.map((id) => [id, names.find(id)]));
  const search: KeySearch = { connection, left: new Set(numbers.values()), found: new Map() };
  const { rolled, folded } = readMark(connection);
  searchTail(search, rolled);
  await searchDays(search, folded, Number.MAX_SAFE_INTEGER);
  for (let month = monthBefore(connection, Number.MAX_SAFE_INTEGER); month !== null && search.left.size > 0; ) {
    await nextTurn();
    const used = keysOf(search, "month", month);
    const ofMonth = { ...search, left: new Set(used) };
    await searchDays(ofMonth, firstDayOf(month), firstDayOf(month + 1));
    for (const key of used) search.left.delete(key);
    month = monthBefore(connection, month);
  }
  const known = [...numbers].map(([id, number]) => [id, search.found.get(number)] as const);
  return new Map(known.flatMap(([id, at]) => (at === undefined ? [] : [[id, at]])));
}

/** The newest month with usage before another; null without one. */
function monthBefore(connection: Connection, month: number): number | null {
  const sql = "SELECT max(month) AS month FROM usage_by_owner_month WHERE month < ?";
  return all<{ month: number | null }>(connection, sql, month)[0]?.month ?? null;
}

/** Takes from the requests that are in no sum yet. */
function searchTail({ connection, left, found }: KeySearch, rolled: number): void {
  const sql =
    "SELECT key, max(id), at FROM request WHERE id > ? AND key IN (SELECT value FROM json_each(?)) GROUP BY key";
  for (const { key, at } of all<{ key: number; at: number }>(connection, sql, rolled, listOf(left))) {
    found.set(key, at);
    left.delete(key);
  }
}

/** Takes from the days of a span, the newest first. A key that was used on a day without entries has none before it either: they are pruned. */
async function searchDays(search: KeySearch, from: number, to: number): Promise<void> {
  const { connection, left } = search;
  const sql = "SELECT day, first, last FROM day WHERE day >= ? AND day < ? ORDER BY day DESC";
  for (const range of all<DayRequests>(connection, sql, from, to)) {
    if (left.size === 0) return;
    await nextTurn();
    const used = keysOf(search, "day", range.day);
    searchDay(search, range, used);
    for (const key of used) left.delete(key);
  }
}

const usageTables = { day: "usage_by_owner", month: "usage_by_owner_month" } as const;

/** The keys among those left that have used something in a period. */
function keysOf({ connection, left }: KeySearch, period: keyof typeof usageTables, at: number): readonly number[] {
  const sql = `SELECT DISTINCT key FROM ${usageTables[period]} WHERE ${period} = ? AND key IN (SELECT value FROM json_each(?))`;
  return all<{ key: number }>(connection, sql, at, listOf(left)).map(({ key }) => key);
}

function searchDay({ connection, found }: KeySearch, { first, last }: DayRequests, keys: readonly number[]): void {
  if (keys.length === 0) return;
  const rolls = `SELECT key, max(first) AS first FROM roll_key
    WHERE first >= coalesce((SELECT max(first) FROM roll WHERE first <= ?), 0) AND first <= ? AND key IN (SELECT value FROM json_each(?))
    GROUP BY key`;
  const sql = `SELECT n.key AS key, max(r.id), r.at AS at FROM (${rolls}) AS n
    CROSS JOIN roll_key AS k ON k.first = n.first AND k.key = n.key CROSS JOIN json_each(k.requests) AS j
    CROSS JOIN request AS r ON r.id = j.value GROUP BY n.key`;
  for (const { key, at } of all<{ key: number; at: number }>(connection, sql, first, last, listOf(keys)))
    found.set(key, at);
}

function all<Row>(connection: Connection, sql: string, ...values: readonly (string | number)[]): readonly Row[] {
  return connection.prepare(sql).all(...values) as unknown as readonly Row[];
}

function listOf(keys: Iterable<number>): string {
  return JSON.stringify([...keys]);
}
