import { GatewayError } from "../../../../src/engine/errors.ts";
import type { CounterValue } from "../../../../src/engine/ports/counters.ts";
import type { LedgerBacklog, LedgerEntry } from "../../../../src/engine/ports/ledger.ts";
import { afterTurnEnd } from "../../../../src/engine/runtime/loop-turn.ts";
import { isUnfit, toWords } from "../../../shared/postgres/fault.ts";

/** What is written in one statement. */
export interface Load {
  /** Growing, of one process; the same when it is sent again. */
  readonly number: number;
  readonly entries: readonly LedgerEntry[];
  readonly counterValues: readonly CounterValue[];
}

/** Entries on their way, in the order in which they were appended. */
export interface AppendQueue {
  /** Resolves once the entries are written; rejects when they cannot be now, and keeps them for later. */
  add(entries: readonly LedgerEntry[], counterValues: readonly CounterValue[]): Promise<void>;
  /** Resolves once nothing is on its way, or cannot be written now. */
  idle(): Promise<void>;
  backlog(): LedgerBacklog;
  /** Takes nothing any more, and writes what is left; rejects when that is lost. */
  close(): Promise<void>;
}

/** Entries at most that wait, some 30 MB of them; those beyond are lost. */
const mostWaiting = 10_000;
/** So many leave room for the calls that are under way. */
const fullAt = 9_000;
/** Entries at most in one load. */
const mostAtOnce = 1_000;
/** Milliseconds after which what could not be written is tried again, if nothing is appended before. */
const againMs = 1_000;

/** Settles the promise of a load. */
interface LoadCompletion {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** What is collected for a load, and its waiter. */
interface Gathering {
  readonly entries: LedgerEntry[];
  /** By counter. What counters hold is live, until it is sent. */
  readonly counterValues: Map<string, CounterValue>;
  waiter: LoadCompletion | undefined;
  /** What was sent: it may have been written, even where nobody said so, and stays as it is. */
  load: Load | undefined;
}

interface QueueState {
  readonly write: (load: Load) => Promise<void>;
  /** The first one is being written, or is the next. */
  queue: Gathering[];
  number: number;
  /** Entries in the queue. */
  count: number;
  /** Entries that were given up. */
  lost: number;
  pumping: Promise<void> | undefined;
  timer: NodeJS.Timeout | undefined;
  isClosed: boolean;
}

/**
 * A queue in front of `write`, which is called for one load at a time. What is appended in one turn of the event loop, and while a
 * load is being written, makes the next, so that loads grow with the traffic and no timer delays anything.
 */
export function createQueue(write: (load: Load) => Promise<void>): AppendQueue {
  const state: QueueState = {
    write,
    queue: [],
    number: 0,
    count: 0,
    lost: 0,
    pumping: undefined,
    timer: undefined,
    isClosed: false,
  };
  return {
    add(entries, counterValues) {
      if (state.isClosed) return Promise.reject(new GatewayError("shutting_down", "The store is closed."));
      if (entries.length === 0 && counterValues.length === 0) return Promise.resolve();
      if (state.count + entries.length > mostWaiting) {
        state.lost += entries.length;
        return Promise.reject(lost(entries.length));
      }
      const gathering = gather(state);
      for (const entry of entries) gathering.entries.push(entry);
      for (const counterValue of counterValues) note(gathering, counterValue);
      state.count += entries.length;
      start(state);
      gathering.waiter ??= createWaiter();
      return gathering.waiter.promise;
    },
    backlog: () => ({ waiting: state.count, lost: state.lost, isFull: state.count >= fullAt }),
    async idle() {
      await state.pumping;
    },
    async close() {
      state.isClosed = true;
      await state.pumping;
      await pump(state);
      if (state.queue.length > 0) throw lost(state.count);
    },
  };
}

function lost(count: number): GatewayError {
  const what = count === 1 ? "1 entry of the ledger is" : `${count} entries of the ledger are`;
  return new GatewayError("store_unavailable", `The store cannot be written; ${what} lost.`);
}

/** What has not been sent and has room, last of the queue. */
function gather({ queue }: QueueState): Gathering {
  const last = queue.at(-1);
  if (last && !last.load && last.entries.length < mostAtOnce) return last;
  const gathering: Gathering = { entries: [], counterValues: new Map(), waiter: undefined, load: undefined };
  queue.push(gathering);
  return gathering;
}

function createWaiter(): LoadCompletion {
  let settle: Omit<LoadCompletion, "promise"> | undefined;
  const promise = new Promise<void>((resolve, reject) => {
    settle = { resolve, reject };
  });
  promise.catch(() => {}); // who appended may have gone
  return { promise, ...(settle as unknown as Omit<LoadCompletion, "promise">) }; // set while the promise is made
}

/** A call that outlasted its window may bring what a counter held in it, after others have brought what it holds in the next. */
function note({ counterValues }: Gathering, counterValue: CounterValue): void {
  const known = counterValues.get(counterValue.counter);
  if (!known || known.start <= counterValue.start) counterValues.set(counterValue.counter, counterValue);
}

/** Begins to write when the turn of the event loop is over. */
function start(state: QueueState): void {
  state.pumping ??= new Promise((resolve) => {
    afterTurnEnd(() => resolve(pump(state)));
  });
}

/** Writes until nothing is left, or cannot be written now. */
async function pump(state: QueueState): Promise<void> {
  clearTimeout(state.timer);
  try {
    for (let first = state.queue[0]; first; first = state.queue[0]) await writeFirst(state, first);
  } catch (thrown) {
    giveUp(state, toWords("store", thrown));
  }
  state.pumping = undefined;
}

async function writeFirst(state: QueueState, first: Gathering): Promise<void> {
  const { entries, counterValues } = first;
  const held = () =>
    [...counterValues.values()].map(({ counter, start, end, used }) => ({ counter, start, end, used }));
  first.load ??= { number: ++state.number, entries, counterValues: held() };
  try {
    await state.write(first.load);
  } catch (thrown) {
    if (!isUnfit(Object(thrown).cause)) throw thrown;
    const parts = halve(first);
    state.queue.splice(0, 1, ...parts);
    const refused = entries.length - parts.reduce((sum, part) => sum + part.entries.length, 0);
    state.count -= refused;
    state.lost += refused;
    first.waiter?.reject(thrown);
    return;
  }
  state.queue.shift();
  state.count -= entries.length;
  first.waiter?.resolve();
}

/** A load that the server refuses for what it holds is written in parts, until only what it refuses is lost. */
function halve({ entries, counterValues }: Gathering): readonly Gathering[] {
  const middle = Math.ceil(entries.length / 2);
  const halves = entries.length > 1 ? [entries.slice(0, middle), entries.slice(middle)] : [];
  const parts = halves.map((half) => ({ entries: half, counterValues: new Map<string, CounterValue>() }));
  if (entries.length > 0 && counterValues.size > 0) parts.push({ entries: [], counterValues });
  return parts.map((part) => ({ ...part, waiter: undefined, load: undefined }));
}

/** Rejects all waiters. Their entries are tried again with the next append, or after a second. */
function giveUp(state: QueueState, error: GatewayError): void {
  for (const gathering of state.queue) {
    gathering.waiter?.reject(error);
    gathering.waiter = undefined;
  }
  if (state.isClosed) return;
  state.timer = setTimeout(() => start(state), againMs);
  state.timer.unref();
}
