import { randomUUID } from "node:crypto";
import type {
  CounterReservation,
  Hold,
  RebuildSource,
  ReserveCall,
  Shortfall,
} from "../../../src/engine/ports/counters.ts";
import type { RetryingRunner } from "../../shared/redis/retrying-runner.ts";
import type { TimeSource } from "./clock.ts";
import { createRebuilding, pause, type Rebuilding, type RebuildTools, type RedisReservation } from "./rebuild.ts";
import { answers, endScript, reserveScript } from "./scripts.ts";

/** Milliseconds for which keys outlive their window, for calls that end late and for clocks that differ. */
const graceMs = 3_600_000;

/** Milliseconds between two looks for a store that was lost, while calls are under way. */
const watchMs = 500;

/** What a process counts in. */
export interface CountingStore extends Pick<RetryingRunner, "run"> {
  readonly prefix: string;
  readonly time: TimeSource;
  /** Milliseconds after its ticket's expiry at which a hard hold lapses. */
  readonly hardLapseMs: number;
  /** Absent where there is nothing to rebuild counters from. */
  rebuilding: Rebuilding | undefined;
  /** The last caller's time, in milliseconds since the epoch. */
  present: number;
  watch: ReturnType<typeof setInterval> | undefined;
}

/** The two keys of each counter. */
export function keysOf({ prefix }: Pick<CountingStore, "prefix">, counters: readonly string[]): string[] {
  return counters.flatMap((counter) => [`${prefix}${counter}`, `${prefix}${counter}:soft`]);
}

/** The keys of a ticket and its counters. */
function reservationKeys(store: CountingStore, id: string, holds: readonly Pick<Hold, "counter">[]): string[] {
  const counters = holds.map(({ counter }) => counter);
  return [`${store.prefix}ticket/${id}`, ...keysOf(store, counters)];
}

/** When a hold lapses. */
function lapseOf({ hardLapseMs }: CountingStore, hold: Hold, expiresAt: number): number {
  return expiresAt + (hold.isHard ? hardLapseMs : 0);
}

/** Reserves as the port says; a store that was lost is rebuilt before, counter by counter. */
export async function reserve(store: CountingStore, call: ReserveCall): Promise<RedisReservation | Shortfall> {
  for (;;) {
    const answer = await attempt(store, call);
    const { rebuilding } = store;
    const [code, first, second, third] = answer;
    if (rebuilding && code === answers.empty) await rebuilding.askLedger();
    else if (rebuilding && code === answers.begun) await rebuilding.begin(String(first), Number(second), third === 1);
    else if (rebuilding && code === answers.wait) await pause(Number(first));
    else if (rebuilding && code === answers.unknown)
      await rebuilding.seed(answer.slice(1).map((position) => call.holds[Number(position)] as Hold));
    else return keep(store, readReservation(call, answer as number[]));
  }
}

async function attempt(store: CountingStore, call: ReserveCall): Promise<unknown[]> {
  const { reservationId, holds, now, expiresAt } = call;
  const { rebuilding, time, prefix } = store;
  store.present = now;
  const keys = reservationKeys(store, reservationId, holds);
  const parts = holds.flatMap((hold) => [
    ...[hold.amount, hold.limit, hold.opens.start, hold.opens.end],
    lapseOf(store, hold, expiresAt),
  ]);
  const beginning = rebuilding ? [rebuilding.known, randomUUID(), flagOf(rebuilding.wasUsed())] : ["", "", ""];
  if (rebuilding) keys.push(`${prefix}beginning`);
  const { answer } = await store.run(reserveScript, keys, [now, time, expiresAt, graceMs, ...beginning, ...parts]);
  return answer as unknown[];
}

function flagOf(wasUsed: boolean | undefined): string {
  return wasUsed === undefined ? "" : String(Number(wasUsed));
}

/** What is under way is remembered as long as it is, to be registered again in a store that was lost. */
function keep(store: CountingStore, outcome: RedisReservation | Shortfall): RedisReservation | Shortfall {
  const { rebuilding } = store;
  if (!rebuilding || outcome.kind === "shortfall") return outcome;
  rebuilding.open.set(outcome.id, outcome);
  store.watch ??= setInterval(() => void rebuilding.look().catch(() => {}), watchMs).unref();
  return outcome;
}

function forget(store: CountingStore, id: string): void {
  store.rebuilding?.open.delete(id);
  if (store.rebuilding?.open.size === 0) stopWatching(store);
}

/** Looks for a lost store no more. */
export function stopWatching(store: CountingStore): void {
  if (store.watch !== undefined) clearInterval(store.watch);
  store.watch = undefined;
}

/** Ends a ticket with the real amounts, or gives it back; true for the first end. */
export async function end(
  store: CountingStore,
  reservation: CounterReservation,
  real?: readonly number[],
): Promise<boolean> {
  const own = reservation as RedisReservation; // made by `reserve` above: the port asks for the very object
  const begun = performance.now();
  try {
    if (await send(store, own, real)) return true;
    const fate = (await store.rebuilding?.missing(own.id, performance.now() - begun)) ?? "ended";
    return fate === "ledger" || (fate === "again" && (await send(store, own, real)));
  } finally {
    forget(store, own.id);
  }
}

async function send(store: CountingStore, reservation: RedisReservation, real?: readonly number[]): Promise<boolean> {
  const { id, held, holds, windows } = reservation;
  const parts = held.flatMap(({ amount }, position) => {
    const { start, end: ends } = windows[position] as { start: number; end: number };
    return [amount, start, ends, real?.[position] ?? 0];
  });
  const { answer, isAgain } = await store.run(endScript, reservationKeys(store, id, holds), parts);
  return answer === 1 || isAgain; // the time before, whose answer was lost
}

/** `0, position, left, end, reserved` for a refusal, else 1 and three numbers for each hold. */
function readReservation(
  { reservationId: reservation, holds, expiresAt }: ReserveCall,
  answer: readonly number[],
): RedisReservation | Shortfall {
  const [isReservation, ...numbers] = answer;
  const at = (context: number) => numbers[context] as number;
  if (isReservation === 0) return { kind: "shortfall", position: at(0), left: at(1), resetsAt: at(2), reserved: at(3) };
  const held = holds.map(({ counter, amount }, position) => {
    const context = 3 * position;
    return { counter, amount, window: { start: at(context), end: at(context + 1) }, left: at(context + 2) };
  });
  const windows = held.map(({ window }) => window);
  return { kind: "reserved", id: reservation, expiresAt, held, holds, windows };
}

/** Lets a store that was lost be rebuilt from the ledger. */
export function rebuildFrom(store: CountingStore, source: RebuildSource): void {
  store.rebuilding = createRebuilding(toolsOf(store, source));
}

function toolsOf(store: CountingStore, source: RebuildSource): RebuildTools {
  return {
    source,
    run: async (script, keys, parts) => (await store.run(script, keys, [store.present, store.time, ...parts])).answer,
    time: store.time,
    keysOf: (counters) => keysOf(store, counters),
    reservationKeys: (id, holds) => reservationKeys(store, id, holds),
    lapseOf: (hold, expiresAt) => lapseOf(store, hold, expiresAt),
    beginningKey: `${store.prefix}beginning`,
    graceMs,
  };
}
