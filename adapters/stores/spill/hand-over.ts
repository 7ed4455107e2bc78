import type { Ledger, LedgerEntry, Recovered } from "../../../src/engine/ports/ledger.ts";
import type { WaitingRow } from "./row-file.ts";
import { isPassing, type Spilling } from "./state.ts";

/** Entries that are handed over at once. */
const mostAtOnce = 500;
/** Questions to the ledger at once. */
const questions = 8;

/** Counters that count in this process get what an earlier one left in the file, too. */
export async function recover(spilling: Spilling, now: number, isCounting = true): Promise<Recovered> {
  const recovered = await spilling.inner.recover(now, isCounting);
  if (!isCounting || spilling.file.count === 0) return recovered;
  const missing: LedgerEntry[] = [];
  for (let rows = spilling.file.first(mostAtOnce); rows.length > 0; ) {
    const known = await findKnown(
      spilling,
      rows.map(({ entry }) => entry),
    );
    for (const { entry } of rows) if (!known.has(entry.id)) missing.push(entry);
    rows = spilling.file.first(mostAtOnce, rows.at(-1)?.position);
  }
  return { ...recovered, entries: [...recovered.entries, ...missing] };
}

/** Those of these entries that the ledger has. */
async function findKnown({ inner }: Spilling, entries: readonly LedgerEntry[]): Promise<Set<string>> {
  const known = new Set<string>();
  for (let at = 0; at < entries.length; at += questions) {
    const some = entries.slice(at, at + questions);
    const pages = await Promise.all(
      some.map(({ id, at: from }) => inner.entries({ id, from, to: from + 1, limit: 1 })),
    );
    for (const { entries: found } of pages) for (const { id } of found) known.add(id);
  }
  return known;
}

/** Hands over until nothing is left, or the store takes nothing. Concurrent callers share one pass. */
export function handOver(spilling: Spilling): Promise<void> {
  const { state } = spilling;
  state.handingOver ??= handOverAll(spilling).finally(() => {
    state.handingOver = undefined;
  });
  return state.handingOver;
}

async function handOverAll(spilling: Spilling): Promise<void> {
  const { state } = spilling;
  state.isFileFull = false; // the next entry finds out
  if (!state.isRecovered) return;
  try {
    while (await handOverSome(spilling)) state.isOut = false;
  } catch (thrown) {
    if (!isPassing(thrown)) state.isOut = false; // refused for what it holds: the store is there
  }
}

/** Hands over one batch; false where nothing is left, or the ledger still writes what it was given. */
async function handOverSome(spilling: Spilling): Promise<boolean> {
  const { state, file, inner } = spilling;
  if (state.isStopped || (inner.backlog?.().waiting ?? 0) > 0) return false;
  const rows = file.first(state.singly > 0 ? 1 : mostAtOnce);
  if (rows.length === 0) {
    if (!state.batch) state.isOut = false;
    endRecount(spilling);
    return false;
  }
  await handOverRows(spilling, rows);
  if (state.singly > 0 && --state.singly === 0) endRecount(spilling);
  return true;
}

function endRecount({ state, inner }: Spilling): void {
  if (state.lostBefore === undefined) return;
  state.recounted += lostOf(inner) - state.lostBefore;
  state.lostBefore = undefined;
  state.singly = 0;
}

async function handOverRows(spilling: Spilling, rows: readonly WaitingRow[]): Promise<void> {
  const { state, file } = spilling;
  const isUncertain = ({ position, entry }: WaitingRow) => position <= file.inherited || state.uncertain.has(entry.id);
  const known = await findKnown(
    spilling,
    rows.filter(isUncertain).map(({ entry }) => entry),
  );
  const missing = rows.map(({ entry }) => entry).filter(({ id }) => !known.has(id));
  for (const { id } of missing) state.uncertain.add(id);
  await handOverEntries(spilling, missing);
  file.remove(rows.map(({ position }) => position));
  for (const { entry } of rows) state.uncertain.delete(entry.id);
}

/**
 * A batch that the store refuses for what it holds is handed over entry by entry the next time, once the ledger has written what it could
 * of it: only what it refuses is lost.
 */
async function handOverEntries(spilling: Spilling, entries: readonly LedgerEntry[]): Promise<void> {
  const { state, inner } = spilling;
  if (entries.length === 0) return;
  const lostBefore = state.lostBefore ?? lostOf(inner);
  const values = [...state.held.values()];
  try {
    await inner.append(entries, values);
    for (const value of values) if (state.held.get(value.counter) === value) state.held.delete(value.counter);
  } catch (thrown) {
    if (isPassing(thrown)) throw thrown;
    state.lostBefore = lostBefore;
    if (state.singly === 0) {
      state.singly = mostAtOnce;
      throw thrown;
    }
    state.lost++;
  }
}

function lostOf(ledger: Ledger): number {
  return ledger.backlog?.().lost ?? 0;
}
