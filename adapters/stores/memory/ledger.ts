import { addSums, noSums, type Sums } from "../../../src/engine/metering/usage/sums.ts";
import type {
  Dimension,
  EntriesQuestion,
  Ledger,
  LedgerEntry,
  UsageQuestion,
  UsageRow,
} from "../../../src/engine/ports/ledger.ts";
import { readNumberCursor } from "../../shared/records/cursor.ts";
import { checkDimensions, type Filter, passes, readFilters } from "../../shared/usage/filter.ts";
import { type Groups, groupBy } from "../../shared/usage/groups.ts";
import { dayOf, type LedgerFact, listFacts, readDimension } from "../../shared/usage/ledger-facts.ts";
import { cutAtMidnight } from "../../shared/usage/range.ts";

/** Sums of a day for one combination of what usage is summed by in advance; they stay when entries are pruned. */
interface DailyRollup {
  readonly day: number;
  readonly fact: LedgerFact;
  readonly sums: Sums;
}

/** An entry and its number among all that ever were. */
interface NumberedEntry {
  readonly number: number;
  readonly entry: LedgerEntry;
}

interface MemoryLedgerState {
  /** Oldest first. */
  rows: NumberedEntry[];
  count: number;
  readonly rollups: Map<string, DailyRollup>;
  newest: number;
}

const summed: ReadonlySet<Dimension> = new Set([
  "day",
  "month",
  "key_id",
  "project_id",
  "customer_id",
  "provider",
  "model",
  "request_type",
] satisfies Dimension[]);

/** What is left of it by the next process. */
const nothing = { counterValues: [], entries: [] };

/** A ledger in the memory of this process. Keeps the newest `capacity` entries, and the sums by day of all. */
export function memoryLedger(capacity: number): Ledger {
  const state: MemoryLedgerState = { rows: [], count: 0, rollups: new Map(), newest: -Infinity };
  return {
    async append(entries) {
      for (const entry of entries) addEntry(state, structuredClone(entry));
      if (state.rows.length > capacity * 1.25) state.rows.splice(0, state.rows.length - capacity);
    },
    async query(question) {
      return queryUsage(state, question);
    },
    async entries(question) {
      return readEntries(state, question);
    },
    async lastUsed(keyIds) {
      return readLastUsed(state, keyIds);
    },
    async prune({ before, sums = false }) {
      const stored = state.rows.filter(({ entry }) => entry.at >= before);
      const gone = state.rows.length - stored.length;
      state.rows = stored;
      if (sums) for (const [name, { day }] of state.rollups) if (day < dayOf(before)) state.rollups.delete(name);
      return gone;
    },
    recover: () => nothing,
    inspect: () => nothing,
    checkpoint: () => {},
  };
}

function addEntry(state: MemoryLedgerState, entry: LedgerEntry): void {
  state.rows.push({ number: ++state.count, entry });
  state.newest = Math.max(state.newest, entry.at);
  const day = dayOf(entry.at);
  const { at, key_id, project_id, customer_id, request_type } = entry;
  for (const fact of listFacts(entry)) {
    const summed = { at, key_id, project_id, customer_id, request_type };
    const name = JSON.stringify([day, key_id, project_id, customer_id, request_type, fact.provider, fact.model]);
    const rollup = state.rollups.get(name) ?? { day, fact: { ...fact, entry: summed }, sums: noSums() };
    state.rollups.set(name, rollup);
    addSums(rollup.sums, fact.sums);
  }
}

function queryUsage(
  state: MemoryLedgerState,
  { from, to, group_by = [], filters }: UsageQuestion,
): readonly UsageRow[] {
  const groups = groupBy(checkDimensions(group_by, "group_by"));
  const query = { group_by, filters: readFilters(filters) };
  if (![...group_by, ...query.filters.map(([dimension]) => dimension)].every((dimension) => summed.has(dimension))) {
    sumEntries(state, query, { groups, from, to });
    return groups.rows();
  }
  const { firstDay, lastDay, edges } = cutAtMidnight({ from, to }, state.newest);
  for (const { day, fact, sums } of state.rollups.values()) {
    if (day >= firstDay && day < lastDay) addFact(groups, query, { ...fact, sums });
  }
  for (const edge of edges) sumEntries(state, query, { groups, ...edge });
  return groups.rows();
}

/** What is wanted of every fact. */
interface FactQuery {
  readonly group_by: readonly Dimension[];
  readonly filters: readonly Filter[];
}

function sumEntries(
  { rows }: MemoryLedgerState,
  filters: FactQuery,
  { groups, from, to }: { readonly groups: Groups; readonly from: number; readonly to: number },
): void {
  for (const { entry } of rows) {
    if (entry.at < from || entry.at >= to) continue;
    for (const fact of listFacts(entry)) addFact(groups, filters, fact);
  }
}

function addFact(groups: Groups, { group_by, filters }: FactQuery, fact: LedgerFact): void {
  if (passes(fact, filters))
    groups.add(
      group_by.map((dimension) => readDimension(fact, dimension)),
      fact.sums,
    );
}

function readEntries(
  state: MemoryLedgerState,
  { from = -Infinity, to = Infinity, filters, id, limit, after }: EntriesQuestion,
) {
  const conditions = readFilters(filters);
  const behind = after === undefined ? Infinity : readNumberCursor(after);
  const found: NumberedEntry[] = [];
  for (const row of state.rows.toReversed()) {
    const { number, entry } = row;
    if (id !== undefined && entry.id !== id) continue;
    if (number >= behind || entry.at < from || entry.at >= to) continue;
    if (!listFacts(entry).some((fact) => passes(fact, conditions))) continue;
    if (found.length === limit) return { entries: found.map(entryOf), next: String(found.at(-1)?.number) };
    found.push(row);
  }
  return { entries: found.map(entryOf) };
}

function readLastUsed({ rows }: MemoryLedgerState, keyIds: readonly string[]): ReadonlyMap<string, number> {
  const left = new Set(keyIds);
  const found = new Map<string, number>();
  for (const { entry } of rows.toReversed()) {
    if (left.size === 0) break;
    if (entry.key_id !== undefined && left.delete(entry.key_id)) found.set(entry.key_id, entry.at);
  }
  return found;
}

function entryOf({ entry }: NumberedEntry): LedgerEntry {
  return entry;
}
