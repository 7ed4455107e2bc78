import type { ResetDuration } from "../api/governance.ts";
import type { CounterReading } from "../ports/counters.ts";
import { type KeyRecords, limitsAbove, limitsOfEntries } from "./access.ts";
import { type Limit, type LimitLevel, type LimitUnit, separateShared } from "./limit.ts";
import { openWindow } from "./window.ts";

/** How one limit stands, for display; numbers in its unit (nano-dollars for cost). */
export interface LimitUsage {
  readonly level: LimitLevel;
  readonly owner: string;
  readonly unit: LimitUnit;
  readonly max: number;
  readonly duration: ResetDuration;
  readonly isCalendar: boolean;
  readonly isHard: boolean;
  readonly used: number;
  /** Held by calls under way. */
  readonly reserved: number;
  readonly left: number;
  /** When the window ends; absent for a rolling one that has not begun. */
  readonly resetsAt?: number | undefined;
  /** Nothing is left: the next call is refused. */
  readonly isUsedUp: boolean;
}

/** What a limit leaves. */
function leftOf({ max }: Pick<Limit, "max">, reading: CounterReading | undefined): number {
  return reading ? Math.max(0, max - reading.used - reading.reserved) : max;
}

/** How limits stand at `now`; `readings` are what `Counters.read` gave for the limits' counters, in their order. */
export function usageOfLimits(
  limits: readonly Limit[],
  readings: readonly (CounterReading | undefined)[],
  now: number,
): readonly LimitUsage[] {
  const read = limits.map((limit, position) => ({ limit, reading: readings[position] }));
  const separate = read.flatMap(({ limit, reading }) => separateShared([limit]).map((limit) => ({ limit, reading })));
  return separate.map(({ limit: { counter: _counter, ...limit }, reading }) => {
    const { duration, isCalendar } = limit;
    const used = reading?.used ?? 0;
    const reserved = reading?.reserved ?? 0;
    const left = leftOf(limit, reading);
    const resetsAt = reading?.end ?? (isCalendar ? openWindow(now, duration, true).end : undefined);
    return { ...limit, used, reserved, left, resetsAt, isUsedUp: left === 0 };
  });
}

/** The limits that may keep a key from asking. */
export interface KeyLimits {
  readonly keyId: string;
  /** Of the key, its project and its customer. */
  readonly above: readonly Limit[];
  /** Of each entry by itself. */
  readonly entries: readonly (readonly Limit[])[];
}

/** The limits of a key, for {@link isLimited}. */
export function limitsOfKey(records: KeyRecords): KeyLimits {
  return { keyId: records.key.id, above: limitsAbove(records), entries: limitsOfEntries(records.key) };
}

/** What must be read to tell which keys are limited: each counter once, with a limit that it counts for. */
export function listCounters(keys: readonly KeyLimits[]): ReadonlyMap<string, Limit> {
  const counters = new Map<string, Limit>();
  for (const { above, entries } of keys) {
    for (const limit of above) if (!counters.has(limit.counter)) counters.set(limit.counter, limit);
    for (const limits of entries) for (const limit of limits) counters.set(limit.counter, limit);
  }
  return counters;
}

/** The counters whose limits leave nothing; `readings` are in the order of {@link listCounters}. */
export function findUsedUp(
  counters: ReadonlyMap<string, Limit>,
  readings: readonly (CounterReading | undefined)[],
): ReadonlySet<string> {
  const usedUp = new Set<string>();
  let position = 0;
  for (const [counter, limit] of counters) {
    const reading = readings[position++];
    if (separateShared([limit]).some((each) => leftOf(each, reading) === 0)) usedUp.add(counter);
  }
  return usedUp;
}

/** True when a limit of the key or above it is used up, or one of each of its entries. `usedUp` holds names of counters. */
export function isLimited({ above, entries }: KeyLimits, usedUp: ReadonlySet<string>): boolean {
  const hasUsedUp = (limits: readonly Limit[]) => limits.some(({ counter }) => usedUp.has(counter));
  return hasUsedUp(above) || (entries.length > 0 && entries.every(hasUsedUp));
}
