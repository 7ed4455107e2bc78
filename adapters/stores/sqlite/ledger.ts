import { GatewayError } from "../../../src/errors.ts";
import type { Standing } from "../../../src/ports/counters.ts";
import type { Ledger, LedgerEntry, Recovered } from "../../../src/ports/ledger.ts";
import { afterTurnEnd } from "../../../src/ports/turn.ts";
import type { Connection } from "./connection.ts";
import { readEntries } from "./entries.ts";
import { inWords, isLocked, mayPass, toWords } from "./fault.ts";
import { type Journal, openJournal, readTail, roll, startWriting, waitPatiently, writeEntries } from "./journal.ts";
import { pruneLedger } from "./prune.ts";
import { queryUsage } from "./usage.ts";

/** Entries that are written in one transaction, and those who wait for them. */
interface Batch {
  readonly entries: LedgerEntry[];
  readonly written: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Batches on their way into a journal. */
interface Queue {
  readonly journal: Journal;
  /** What was appended since the last transaction. */
  batch: Batch | undefined;
  /** How many entries the last transaction had. */
  lately: number;
  /** Entries that could not be written, on a full disk most of all: they follow the next that can be. */
  readonly late: LedgerEntry[];
  isClosed: boolean;
}

/** With so many entries to a transaction there is a load that fills the next turns, too. */
const busyEntries = 3;

/** So many entries are worth a transaction of their own, which costs as much as ten of them. */
const enoughEntries = 24;

/** Entries at most that wait for a disk, some 30 MB of them; those beyond are lost. */
const mostLate = 10_000;

/** A ledger that can be closed. */
export interface SqliteLedger extends Ledger {
  /** Writes what is waiting and the sums, and gives the role of the writer back. */
  close(): void;
}

/**
 * The ledger in a store file. All that is appended in one turn of the event loop is one transaction, committed when the turn is over,
 * or under load two turns later, so that batches form by themselves and no timer delays anything.
 */
export function sqliteLedger(connection: Connection, rollEvery: number): SqliteLedger {
  const journal = openJournal(connection, rollEvery);
  const queue: Queue = { journal, batch: undefined, lately: 0, late: [], isClosed: false };
  return {
    append: (entries, standings = []) => enqueue(queue, entries, standings),
    query: (question) => eachInWords(connection, () => queryUsage(connection, journal.names, question)),
    entries: async (question) => inWords(connection, () => readEntries(journal, question)),
    prune: (question) =>
      eachInWords(connection, () => {
        commit(queue);
        startWriting(journal);
        roll(journal);
        return pruneLedger(connection, question);
      }),
    recover: (now) => inWords(connection, () => recover(journal, now)),
    checkpoint: () => inWords(connection, () => drawLine(queue)),
    inspect: (now) => inWords(connection, () => connection.read(() => inspect(journal, now))),
    close() {
      if (queue.isClosed) return;
      queue.isClosed = true;
      waitPatiently(journal);
      commit(queue);
      writeLate(queue);
      try {
        inWords(connection, () => journal.resign && roll(journal));
      } finally {
        journal.resign?.();
      }
    },
  };
}

/** Work in several turns of the event loop, any of which SQLite may fail in. */
async function eachInWords<Result>(connection: Connection, work: () => Promise<Result>): Promise<Result> {
  const [outcome] = await Promise.allSettled([(async () => work())()]);
  return inWords(connection, () => {
    if (outcome.status === "rejected") throw outcome.reason;
    return outcome.value;
  });
}

/** A call that outlasted its window may bring what a counter held in it, after others have brought what it holds in the next. */
function note({ dirty }: Journal, standing: Standing): void {
  const known = dirty.get(standing.counter);
  if (known !== standing && (!known || known.start <= standing.start)) dirty.set(standing.counter, standing);
}

function enqueue(queue: Queue, entries: readonly LedgerEntry[], standings: readonly Standing[]): Promise<void> {
  if (queue.isClosed) return Promise.reject(new GatewayError("shutting_down", "The store is closed."));
  for (const standing of standings) note(queue.journal, standing);
  if (!queue.batch) {
    if (entries.length === 0) return Promise.resolve();
    queue.batch = openBatch();
    afterTurnEnd(() => commitInTime(queue));
  }
  for (const entry of entries) queue.batch.entries.push(entry);
  return queue.batch.written;
}

function openBatch(): Batch {
  let settle: Pick<Batch, "resolve" | "reject"> | undefined;
  const written = new Promise<void>((resolve, reject) => {
    settle = { resolve, reject };
  });
  return { entries: [], written, ...(settle as unknown as Pick<Batch, "resolve" | "reject">) }; // set while the promise is made
}

/** Few entries wait for those of the next two turns where these will not be idle: half as many transactions, and answers come sooner. */
function commitInTime(queue: Queue): void {
  const { batch, lately } = queue;
  if (!batch || lately < busyEntries || batch.entries.length >= enoughEntries) commit(queue);
  else setImmediate(() => setImmediate(() => commit(queue)));
}

function commit(queue: Queue): void {
  const { batch, journal } = queue;
  queue.batch = undefined;
  if (!batch) return;
  queue.lately = batch.entries.length;
  try {
    writeEntries(journal, batch.entries);
  } catch (thrown) {
    keepLate(queue, batch.entries, thrown);
    batch.reject(toWords(journal.connection, thrown));
    return;
  }
  batch.resolve();
  writeLate(queue);
}

function keepLate({ late, journal }: Queue, entries: readonly LedgerEntry[], reason: unknown): void {
  if (isLocked(reason)) journal.connection.waitFor(0); // not again for every turn until the lock is gone
  if (mayPass(reason)) late.push(...entries.slice(0, mostLate - late.length));
}

/** Writes what could not be written before, and all sums with it: counters have been written without these entries meanwhile. */
function writeLate(queue: Queue): void {
  const { journal, late } = queue;
  if (late.length === 0) return;
  const entries = late.splice(0);
  journal.isBehind = true;
  try {
    writeEntries(journal, entries);
  } catch (thrown) {
    keepLate(queue, entries, thrown);
  }
}

/** Where nothing can be written now, the line is drawn by the next write that can be: no call waits for a disk. */
function drawLine(queue: Queue): void {
  const { journal } = queue;
  if (queue.isClosed || !journal.resign) return;
  commit(queue);
  try {
    roll(journal);
  } catch (thrown) {
    if (!mayPass(thrown)) throw thrown;
    journal.isBehind = true;
  }
}

function recover(journal: Journal, now: number): Recovered {
  startWriting(journal);
  const recovered = inspect(journal, now);
  journal.connection.prepare('DELETE FROM standing WHERE "end" <= ?').run(oldestOf(recovered.entries, now));
  return recovered;
}

function inspect(journal: Journal, now: number): Recovered {
  const entries = readTail(journal);
  const sql = 'SELECT * FROM standing WHERE "end" > ? ORDER BY counter';
  const standings = journal.connection.prepare(sql).all(oldestOf(entries, now)) as unknown as Standing[];
  return { standings, entries };
}

/** The instant up to which standings that are over concern nobody: entries may hold charges of all windows that were open since. */
function oldestOf(entries: readonly LedgerEntry[], now: number): number {
  let oldest = now;
  for (const { at, attempts } of entries) {
    oldest = Math.min(oldest, at);
    for (const attempt of attempts) oldest = Math.min(oldest, attempt.at);
  }
  return oldest;
}
