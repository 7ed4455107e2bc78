import { GatewayError } from "../../../src/engine/errors.ts";
import type { CounterValue } from "../../../src/engine/ports/counters.ts";
import type { Ledger, LedgerBacklog, LedgerEntry } from "../../../src/engine/ports/ledger.ts";
import { afterTurnEnd } from "../../../src/engine/runtime/loop-turn.ts";
import { handOver, recover } from "./hand-over.ts";
import { isPassing, type Spilling, type SpillingTools, type SpillState } from "./state.ts";

/** A ledger whose entries wait in a file while its store is away. */
export interface SpillingLedger extends Ledger {
  backlog(): LedgerBacklog;
  /** Hands over what waits, as far as the store takes it now. */
  handOver(): Promise<void>;
  /** Stops handing over; what is appended meanwhile is written to the file. */
  stop(): Promise<void>;
}

/** Puts a file between callers and a ledger; see `spillingStore`. */
export function spillingLedger(tools: SpillingTools): SpillingLedger {
  const { inner, file } = tools;
  const none = { handed: undefined, batch: undefined, timer: undefined, handingOver: undefined };
  const counts = { lost: 0, singly: 0, lostBefore: undefined, recounted: 0 };
  const flags = { isOut: false, isFileFull: false, isRecovered: file.count === 0, isStopped: false };
  const state: SpillState = { ...flags, ...none, ...counts, held: new Map(), uncertain: new Set() };
  const spilling: Spilling = { ...tools, state };
  return {
    ...inner,
    append: (entries, counterValues = []) => append(spilling, entries, counterValues),
    async recover(now, isCounting) {
      const recovered = await recover(spilling, now, isCounting);
      state.isRecovered = true;
      again(spilling);
      return recovered;
    },
    backlog: () => backlogOf(spilling),
    handOver: () => handOver(spilling),
    async stop() {
      state.isStopped = true;
      clearTimeout(state.timer);
      await state.batch?.written.catch(() => {});
      await state.handingOver;
    },
  };
}

function append(
  spilling: Spilling,
  entries: readonly LedgerEntry[],
  counterValues: readonly CounterValue[],
): Promise<void> {
  const { state, inner } = spilling;
  if (!state.isOut || entries.length === 0) {
    const written = inner.append(entries, counterValues);
    return entries.length === 0 ? written : orSpill(spilling, written, entries);
  }
  for (const value of counterValues) note(state, value);
  return toFile(spilling, entries).catch(() => inner.append(entries, counterValues)); // its memory is the last resort
}

/** A call that outlasted its window may bring what a counter held in it, after others have brought what it holds in the next. */
function note({ held }: SpillState, value: CounterValue): void {
  const known = held.get(value.counter);
  if (!known || known.start <= value.start) held.set(value.counter, value);
}

/** Entries of one batch of the ledger have one outcome: written, refused for what they hold, or in the file. */
function orSpill(spilling: Spilling, written: Promise<void>, entries: readonly LedgerEntry[]): Promise<void> {
  const { state } = spilling;
  if (state.handed?.written === written) {
    state.handed.entries.push(...entries);
    return state.handed.settled;
  }
  const all = [...entries];
  const settled = new Promise<void>((resolve, reject) => {
    let isSpilled = false;
    const spill = () => {
      if (isSpilled) return;
      isSpilled = true;
      state.isOut = true;
      for (const { id } of all) state.uncertain.add(id);
      toFile(spilling, all).then(resolve, reject);
    };
    const timer = setTimeout(spill, spilling.patienceMs);
    timer.unref();
    written
      .then(resolve, (thrown: unknown) => (isPassing(thrown) ? spill() : reject(thrown)))
      .finally(() => clearTimeout(timer));
  });
  settled.catch(() => {}); // who appended may have gone
  state.handed = { written, entries: all, settled };
  return settled;
}

/** Writes entries to the file when the turn of the event loop is over, all of them in one transaction. */
function toFile(spilling: Spilling, entries: readonly LedgerEntry[]): Promise<void> {
  const { state, file } = spilling;
  again(spilling);
  if (state.batch) {
    state.batch.entries.push(...entries);
    return state.batch.written;
  }
  const all = [...entries];
  const written = new Promise<void>((resolve, reject) => {
    afterTurnEnd(() => {
      state.batch = undefined;
      try {
        file.add(all);
        state.isFileFull = false;
        resolve();
      } catch (thrown) {
        state.isFileFull = true;
        const message = "Neither the store nor the file for rows that wait can be written.";
        reject(new GatewayError("store_unavailable", message, { cause: thrown }));
      }
    });
  });
  state.batch = { entries: all, written };
  return written;
}

function backlogOf({ inner, file, state }: Spilling): LedgerBacklog {
  const { waiting = 0, lost: lostInside = 0, isFull = false } = inner.backlog?.() ?? {};
  const onDisk = file.count + (state.batch?.entries.length ?? 0);
  return {
    waiting: onDisk > 0 ? onDisk : waiting,
    lost: (state.lostBefore ?? lostInside) - state.recounted + state.lost,
    isFull: state.isOut ? state.isFileFull : isFull,
    onDisk,
  };
}

function again(spilling: Spilling): void {
  const { state, againMs } = spilling;
  if (state.isStopped) return;
  state.timer ??= setTimeout(() => {
    state.timer = undefined;
    void handOver(spilling).finally(() => {
      if (state.isOut || spilling.file.count > 0) again(spilling);
    });
  }, againMs).unref();
}
