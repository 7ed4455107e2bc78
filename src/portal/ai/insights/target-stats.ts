import { createBoundedCache } from "../../../engine/runtime/bounded-cache.ts";

const slotMs = 5 * 60_000;
const slotCount = 12;

/** Latencies are counted in classes, each a fifth wider than the one before, from 1 ms to about ten minutes. */
const ratio = 1.2;
const classCount = 75;

/** Targets that are remembered; callers choose the model's part of their names. */
const rememberedTargets = 500;

/** What became of the calls of one target in five minutes. */
interface Slot {
  /** Number of the five minutes since the epoch. */
  readonly number: number;
  requests: number;
  failures: number;
  readonly latencies: Uint32Array;
}

/** One call of a target that ended. */
export interface EndedAttempt {
  readonly target: string;
  readonly isFailure: boolean;
  readonly milliseconds: number;
}

/** The calls of a target in the last hour. */
export interface TargetStats {
  readonly target: string;
  readonly recent: { readonly requests: number; readonly failures: number };
  readonly hour: { readonly requests: number; readonly failures: number };
  /** The latency that this share of the answers did not exceed, at most a fifth too high. Undefined without an answer. */
  percentile(share: number): number | undefined;
}

/** Counts the calls of targets in this process, over the last hour. */
export interface TargetCounter {
  count(attempt: EndedAttempt, now: number): void;
  list(now: number): readonly TargetStats[];
}

/** Returns an empty counter. The targets beyond the 500 latest are forgotten. */
export function createTargetCounter(): TargetCounter {
  const slots = createBoundedCache<Slot[]>(rememberedTargets);
  return {
    count({ target, isFailure, milliseconds }, now) {
      const slot = slotAt(slots.get(target) ?? [], now, (all) => slots.set(target, all));
      slot.requests++;
      if (isFailure) slot.failures++;
      else {
        const position = classOf(milliseconds);
        slot.latencies[position] = (slot.latencies[position] ?? 0) + 1;
      }
    },
    list: (now) => slots.entries().map(([target, all]) => statsOf(target, all, now)),
  };
}

function slotAt(all: Slot[], now: number, store: (all: Slot[]) => void): Slot {
  const number = Math.floor(now / slotMs);
  const last = all.at(-1);
  if (last?.number === number) return last;
  const fresh = { number, requests: 0, failures: 0, latencies: new Uint32Array(classCount) };
  store([...all.filter((slot) => slot.number > number - slotCount), fresh]);
  return fresh;
}

function classOf(milliseconds: number): number {
  const position = Math.ceil(Math.log(Math.max(1, milliseconds)) / Math.log(ratio));
  return Math.min(classCount - 1, position);
}

function statsOf(target: string, all: readonly Slot[], now: number): TargetStats {
  const number = Math.floor(now / slotMs);
  const ofHour = all.filter((slot) => slot.number > number - slotCount);
  return {
    target,
    recent: sumOf(ofHour.filter((slot) => slot.number === number)),
    hour: sumOf(ofHour),
    percentile: (share) => percentileOf(ofHour, share),
  };
}

function sumOf(slots: readonly Slot[]) {
  const sum = (field: "requests" | "failures") => slots.reduce((total, slot) => total + slot[field], 0);
  return { requests: sum("requests"), failures: sum("failures") };
}

function percentileOf(slots: readonly Slot[], share: number): number | undefined {
  const counts = Array.from({ length: classCount }, (_, at) =>
    slots.reduce((sum, slot) => sum + (slot.latencies[at] ?? 0), 0),
  );
  const answers = counts.reduce((sum, count) => sum + count, 0);
  if (answers === 0) return undefined;
  let rest = Math.ceil(answers * share);
  const position = counts.findIndex((count) => {
    rest -= count;
    return rest <= 0;
  });
  return Math.round(ratio ** position);
}
