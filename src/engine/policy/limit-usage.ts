import type { ResetDuration } from "../api/governance.ts";
import { toDollars } from "../metering/money.ts";
import type { CounterReading } from "../ports/counters.ts";
import { type KeyRecords, limitsAbove, limitsOfEntries } from "./access.ts";
import { type Limit, type LimitLevel, type LimitUnit, openLimitWindow, separateShared } from "./limit.ts";
import { isScoped } from "./limit-scope.ts";

/**
 * How one limit stands, for display. Numbers are in its unit: requests, tokens, or US dollars for `cost`, which has the same amounts in
 * whole nano-dollars next to them, exactly.
 */
export interface LimitUsage extends LimitAmounts, Partial<ExactAmounts> {
  readonly level: LimitLevel;
  readonly owner: string;
  readonly unit: LimitUnit;
  readonly duration: ResetDuration;
  readonly is_calendar: boolean;
  readonly is_hard: boolean;
  /** The models whose calls it counts; all when absent. */
  readonly models?: readonly string[] | undefined;
  /** The end user whose calls it counts, empty for calls without one; all together when absent, and each alone when `*`. */
  readonly user?: string | undefined;
  /** When it was last reset by hand, in milliseconds since the epoch. */
  readonly since?: number | undefined;
  /** When the window ends, in milliseconds since the epoch; absent for a rolling one that has not begun, and for one without an end. */
  readonly resets_at?: number | undefined;
  /** Nothing is left: the next call is refused. */
  readonly is_used_up: boolean;
}

interface LimitAmounts {
  readonly max: number;
  readonly used: number;
  /** Held by calls under way. */
  readonly reserved: number;
  readonly left: number;
}

/** Whole nano-dollars. */
type ExactAmounts = { readonly [Name in keyof LimitAmounts as `${Name}_nano`]: number };

/** Amounts of a limit in what they are shown in. */
function showAmounts(unit: LimitUnit, amounts: LimitAmounts): LimitAmounts & Partial<ExactAmounts> {
  if (unit !== "cost") return amounts;
  const { max, used, reserved, left } = amounts;
  return {
    ...{ max: toDollars(max), used: toDollars(used), reserved: toDollars(reserved), left: toDollars(left) },
    ...{ max_nano: max, used_nano: used, reserved_nano: reserved, left_nano: left },
  };
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
  return separate.map(({ limit, reading }) => {
    const { level, owner, unit, max, duration, isCalendar, isHard, models, user, since } = limit;
    const used = reading?.used ?? 0;
    const reserved = reading?.reserved ?? 0;
    const left = leftOf(limit, reading);
    const end = reading?.end ?? (isCalendar ? openLimitWindow(limit, now).end : undefined);
    return {
      ...{ level, owner, unit, ...showAmounts(unit, { max, used, reserved, left }) },
      ...{ duration, is_calendar: isCalendar, is_hard: isHard, models, user, since },
      resets_at: duration === "never" ? undefined : end,
      is_used_up: left === 0,
    };
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

/** The limits of a key, for {@link isLimited}: those for some models or users keep no key from asking. */
export function limitsOfKey(records: KeyRecords): KeyLimits {
  const ofEveryCall = (limits: readonly Limit[]) => limits.filter((limit) => !isScoped(limit));
  const entries = limitsOfEntries(records.key).map(ofEveryCall);
  return { keyId: records.key.id, above: ofEveryCall(limitsAbove(records)), entries };
}

/** What must be read to tell which keys are limited: each counter of every call once, with a limit that it counts for. */
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
