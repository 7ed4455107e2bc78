import type {
  Dimension,
  EntriesQuestion,
  Ledger,
  LedgerEntry,
  UsageQuestion,
  UsageRow,
} from "../../../src/ports/ledger.ts";
import { addSums, noSums, type Sums } from "../../../src/usage/sums.ts";
import { readNumberCursor } from "../../shared/records/cursor.ts";
import { dayOf, type Fact, listFacts, readDimension } from "../../shared/usage/facts.ts";
import { checkDimensions, type Filter, passes, readFilters } from "../../shared/usage/filter.ts";
import { type Groups, groupBy } from "../../shared/usage/groups.ts";
import { cutAtMidnight } from "../../shared/usage/range.ts";

/** Sums of a day for one combination of what usage is summed by in advance; they stay when entries are pruned. */
interface Cell {
  readonly day: number;
  readonly fact: Fact;
  readonly sums: Sums;
}

/** An entry and its number among all that ever were. */
interface Row {
  readonly number: number;
  readonly entry: LedgerEntry;
}

interface Books {
  /** Oldest first. */
  rows: Row[];
  count: number;
  readonly cells: Map<string, Cell>;
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
const nothing = { standings: [], entries: [] };

/** A ledger in the memory of this process. Keeps the newest `capacity` entries, and the sums by day of all. */
export function memoryLedger(capacity: number): Ledger {
  const books: Books = { rows: [], count: 0, cells: new Map(), newest: -Infinity };
  return {
    async append(entries) {
      for (const entry of entries) addEntry(books, structuredClone(entry));
      if (books.rows.length > capacity * 1.25) books.rows.splice(0, books.rows.length - capacity);
    },
    async query(question) {
      return queryUsage(books, question);
    },
    async entries(question) {
      return readEntries(books, question);
    },
    async prune({ before, sums = false }) {
      const kept = books.rows.filter(({ entry }) => entry.at >= before);
      const gone = books.rows.length - kept.length;
      books.rows = kept;
      if (sums) for (const [name, { day }] of books.cells) if (day < dayOf(before)) books.cells.delete(name);
      return gone;
    },
    recover: () => nothing,
    inspect: () => nothing,
    checkpoint: () => {},
  };
}

function addEntry(books: Books, entry: LedgerEntry): void {
  books.rows.push({ number: ++books.count, entry });
  books.newest = Math.max(books.newest, entry.at);
  const day = dayOf(entry.at);
  const { at, key_id, project_id, customer_id, request_type } = entry;
  for (const fact of listFacts(entry)) {
    const summed = { at, key_id, project_id, customer_id, request_type };
    const name = JSON.stringify([day, key_id, project_id, customer_id, request_type, fact.provider, fact.model]);
    const cell = books.cells.get(name) ?? { day, fact: { ...fact, entry: summed }, sums: noSums() };
    books.cells.set(name, cell);
    addSums(cell.sums, fact.sums);
  }
}

function queryUsage(books: Books, { from, to, group_by = [], filters }: UsageQuestion): readonly UsageRow[] {
  const groups = groupBy(checkDimensions(group_by, "group_by"));
  const wanted = { group_by, filters: readFilters(filters) };
  if (![...group_by, ...wanted.filters.map(([dimension]) => dimension)].every((dimension) => summed.has(dimension))) {
    sumEntries(books, wanted, { groups, from, to });
    return groups.rows();
  }
  const { firstDay, lastDay, edges } = cutAtMidnight({ from, to }, books.newest);
  for (const { day, fact, sums } of books.cells.values()) {
    if (day >= firstDay && day < lastDay) addFact(groups, wanted, { ...fact, sums });
  }
  for (const edge of edges) sumEntries(books, wanted, { groups, ...edge });
  return groups.rows();
}

/** What is wanted of every fact. */
interface Wanted {
  readonly group_by: readonly Dimension[];
  readonly filters: readonly Filter[];
}

function sumEntries(
  { rows }: Books,
  wanted: Wanted,
  { groups, from, to }: { readonly groups: Groups; readonly from: number; readonly to: number },
): void {
  for (const { entry } of rows) {
    if (entry.at < from || entry.at >= to) continue;
    for (const fact of listFacts(entry)) addFact(groups, wanted, fact);
  }
}

function addFact(groups: Groups, { group_by, filters }: Wanted, fact: Fact): void {
  if (passes(fact, filters))
    groups.add(
      group_by.map((dimension) => readDimension(fact, dimension)),
      fact.sums,
    );
}

function readEntries(books: Books, { from = -Infinity, to = Infinity, filters, limit, after }: EntriesQuestion) {
  const wanted = readFilters(filters);
  const behind = after === undefined ? Infinity : readNumberCursor(after);
  const found: Row[] = [];
  for (const row of books.rows.toReversed()) {
    const { number, entry } = row;
    if (number >= behind || entry.at < from || entry.at >= to) continue;
    if (!listFacts(entry).some((fact) => passes(fact, wanted))) continue;
    if (found.length === limit) return { entries: found.map(entryOf), next: String(found.at(-1)?.number) };
    found.push(row);
  }
  return { entries: found.map(entryOf) };
}

function entryOf({ entry }: Row): LedgerEntry {
  return entry;
}
