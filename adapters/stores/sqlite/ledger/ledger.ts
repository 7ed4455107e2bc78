import { GatewayError } from "../../../../src/engine/errors.ts";
import type { CounterValue } from "../../../../src/engine/ports/counters.ts";
import type { Ledger, LedgerEntry, Recovered } from "../../../../src/engine/ports/ledger.ts";
import { afterTurnEnd } from "../../../../src/engine/runtime/loop-turn.ts";
import type { Connection } from "../connection.ts";
import { inWords, isLocked, mayPass, toWords } from "../fault.ts";
import { queryUsage } from "../usage/usage.ts";
import { readEntries } from "./entries.ts";
import { readLastUsed } from "./last-used.ts";
import {
  type LedgerWriter,
  openLedgerWriter,
  readTail,
  roll,
  startWriting,
  waitForLock,
  writeEntries,
} from "./ledger-writer.ts";
import { pruneLedger } from "./prune.ts";

/** Entries that are written in one transaction, and those who wait for them. */
interface EntryBatch {
  readonly entries: LedgerEntry[];
  readonly written: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Batches on their way into a journal. */
interface BatchQueue {
  readonly writer: LedgerWriter;
  /** What was appended since the last transaction. */
  batch: EntryBatch | undefined;
  /** How many entries the last transaction had. */
  lately: number;
  /** Entries that could not be written, on a full disk most of all: they follow the next that can be. */
  readonly late: LedgerEntry[];
  /** Entries that were given up. */
  lost: number;
  readonly mostWaiting: number;
  /** For what waits. */
  timer: NodeJS.Timeout | undefined;
  isClosed: boolean;
}

/** With so many entries to a transaction there is a load that fills the next turns, too. */
const busyEntries = 3;

/** So many entries are worth a transaction of their own, which costs as much as ten of them. */
const enoughEntries = 24;

/** The part of the entries that may wait at which no further calls are begun; the rest is for those under way. */
const fullShare = 0.9;

/** Milliseconds after which what could not be written is tried again, if nothing is appended before. */
const againMs = 1_000;

/** How a ledger is written. */
export interface SqliteLedgerOptions {
  /** Requests after which sums and counters are written. */
  readonly rollEvery: number;
  /** Entries at most that wait for a disk; those beyond are lost. */
  readonly mostWaiting: number;
}

/** A ledger that can be closed. */
export interface SqliteLedger extends Ledger {
  /** Writes what is waiting and the sums, and gives the role of the writer back; resolves when no thread holds the file any more. */
  close(): Promise<void>;
}

/**
 * The ledger in a store file. All that is appended in one turn of the event loop is one transaction, committed when the turn is over,
 * or under load two turns later, so that batches form by themselves and no timer delays anything.
 */
export function sqliteLedger(connection: Connection, { rollEvery, mostWaiting }: SqliteLedgerOptions): SqliteLedger {
  const writer = openLedgerWriter(connection, rollEvery);
  const state = { lately: 0, late: [], lost: 0, timer: undefined, isClosed: false };
  const queue: BatchQueue = { writer, batch: undefined, mostWaiting, ...state };
  return {
    append: (entries, counterValues = []) => enqueue(queue, entries, counterValues),
    query: (question) => eachInWords(connection, () => queryUsage(connection, writer.names, question)),
    entries: async (question) => inWords(connection, () => readEntries(writer, question)),
    lastUsed: (keyIds) => eachInWords(connection, () => readLastUsed(writer, keyIds)),
    prune: (question) =>
      eachInWords(connection, () => {
        commit(queue);
        startWriting(writer);
        roll(writer);
        return pruneLedger(connection, question);
      }),
    recover: (now) => inWords(connection, () => recover(writer, now)),
    checkpoint: () => inWords(connection, () => drawLine(queue)),
    inspect: (now) => inWords(connection, () => connection.read(() => inspect(writer, now))),
    backlog: () => ({
      waiting: queue.late.length + (queue.batch?.entries.length ?? 0),
      lost: queue.lost,
      isFull: queue.late.length >= fullShare * mostWaiting,
    }),
    async close() {
      if (queue.isClosed) return;
      queue.isClosed = true;
      clearTimeout(queue.timer);
      waitForLock(writer);
      commit(queue);
      writeLate(queue);
      try {
        inWords(connection, () => writer.resign && roll(writer));
      } finally {
        writer.resign?.();
        await writer.checkpoints.close();
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
function note({ dirty }: LedgerWriter, counterValue: CounterValue): void {
  const known = dirty.get(counterValue.counter);
  if (known !== counterValue && (!known || known.start <= counterValue.start))
    dirty.set(counterValue.counter, counterValue);
}

function enqueue(
  queue: BatchQueue,
  entries: readonly LedgerEntry[],
  counterValues: readonly CounterValue[],
): Promise<void> {
  if (queue.isClosed) return Promise.reject(new GatewayError("shutting_down", "The store is closed."));
  for (const counterValue of counterValues) note(queue.writer, counterValue);
  if (!queue.batch) {
    if (entries.length === 0) return Promise.resolve();
    queue.batch = openBatch();
    afterTurnEnd(() => commitInTime(queue));
  }
  for (const entry of entries) queue.batch.entries.push(entry);
  return queue.batch.written;
}

function openBatch(): EntryBatch {
  let settle: Pick<EntryBatch, "resolve" | "reject"> | undefined;
  const written = new Promise<void>((resolve, reject) => {
    settle = { resolve, reject };
  });
  return { entries: [], written, ...(settle as unknown as Pick<EntryBatch, "resolve" | "reject">) }; // set while the promise is made
}

/** Few entries wait for those of the next two turns where these will not be idle: half as many transactions, and answers come sooner. */
function commitInTime(queue: BatchQueue): void {
  const { batch, lately } = queue;
  if (!batch || lately < busyEntries || batch.entries.length >= enoughEntries) commit(queue);
  else setImmediate(() => setImmediate(() => commit(queue)));
}

function commit(queue: BatchQueue): void {
  const { batch, writer } = queue;
  queue.batch = undefined;
  if (!batch) return;
  queue.lately = batch.entries.length;
  try {
    writeEntries(writer, batch.entries);
  } catch (thrown) {
    recordLate(queue, batch.entries, thrown);
    batch.reject(toWords(writer.connection, thrown));
    return;
  }
  batch.resolve();
  writeLate(queue);
}

function recordLate(queue: BatchQueue, entries: readonly LedgerEntry[], reason: unknown): void {
  const { late, writer } = queue;
  if (isLocked(reason)) writer.connection.waitFor(0); // not again for every turn until the lock is gone
  const accepted = mayPass(reason) ? entries.slice(0, queue.mostWaiting - late.length) : [];
  late.push(...accepted);
  queue.lost += entries.length - accepted.length;
  if (queue.isClosed || late.length === 0) return;
  queue.timer ??= setTimeout(() => {
    queue.timer = undefined;
    writeLate(queue);
  }, againMs).unref();
}

/** Writes what could not be written before, and all sums with it: counters have been written without these entries meanwhile. */
function writeLate(queue: BatchQueue): void {
  const { writer, late } = queue;
  if (late.length === 0) return;
  const entries = late.splice(0);
  writer.isBehind = true;
  try {
    writeEntries(writer, entries);
  } catch (thrown) {
    recordLate(queue, entries, thrown);
  }
}

/** Where nothing can be written now, the line is drawn by the next write that can be: no call waits for a disk. */
function drawLine(queue: BatchQueue): void {
  const { writer } = queue;
  if (queue.isClosed || !writer.resign) return;
  commit(queue);
  try {
    roll(writer);
  } catch (thrown) {
    if (!mayPass(thrown)) throw thrown;
    writer.isBehind = true;
  }
}

function recover(writer: LedgerWriter, now: number): Recovered {
  startWriting(writer);
  const recovered = inspect(writer, now);
  writer.connection.prepare('DELETE FROM standing WHERE "end" <= ?').run(oldestOf(recovered.entries, now));
  return recovered;
}

function inspect(writer: LedgerWriter, now: number): Recovered {
  const entries = readTail(writer);
  const sql = 'SELECT * FROM standing WHERE "end" > ? ORDER BY counter';
  const counterValues = writer.connection.prepare(sql).all(oldestOf(entries, now)) as unknown as CounterValue[];
  return { counterValues, entries };
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
