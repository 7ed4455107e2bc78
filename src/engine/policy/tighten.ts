import type { Budget, RateLimit, ResetDuration } from "../api/governance.ts";

const day = 1_440;

/** The shortest and the longest that a window lasts, in minutes. */
const minutes: Readonly<Record<ResetDuration, readonly [shortest: number, longest: number]>> = {
  "1m": [1, 1],
  "1h": [60, 60],
  "1d": [day, day],
  "1w": [7 * day, 7 * day],
  "1M": [28 * day, 31 * day],
  "1Q": [90 * day, 92 * day],
  "1Y": [365 * day, 366 * day],
  never: [Infinity, Infinity],
};

/** Returns the most windows of one duration that any window of another may touch, be they aligned or not. */
function touched(own: ResetDuration, bound: ResetDuration): number {
  if (own === "never") return 1;
  return Math.ceil(minutes[bound][1] / minutes[own][0]) + 1;
}

/** True when every budget of the bound is kept by another one, whenever their windows begin, that is at least as hard. */
export function isWithinBudgets(budgets: readonly Budget[], bound: readonly Budget[]): boolean {
  return bound.every((limit) =>
    budgets.some((own) => {
      const windows = isSameWindow(own, limit) ? 1 : touched(own.reset_duration, limit.reset_duration);
      const isHard = own.enforcement === "hard" || limit.enforcement === "soft";
      return isHard && counts(own, limit) && own.max_limit * windows <= limit.max_limit;
    }),
  );
}

/** Returns budgets that keep both lists: the given ones where they keep the bound, else one for each window. */
export function meetBudgets(budgets: readonly Budget[], bound: readonly Budget[]): Budget[] {
  if (isWithinBudgets(budgets, bound)) return [...budgets];
  const met: Budget[] = [];
  for (const budget of [...budgets, ...bound]) {
    const at = met.findIndex((one) => isSameWindow(one, budget));
    const present = met[at];
    if (present) met[at] = stricter(present, budget);
    else met.push(budget);
  }
  return met;
}

function stricter(one: Budget, other: Budget): Budget {
  const enforcement = one.enforcement === "hard" ? one.enforcement : other.enforcement;
  return { ...one, max_limit: Math.min(one.max_limit, other.max_limit), enforcement };
}

/** Windows that begin with the first use and those of the calendar are not the same. */
function isSameWindow(one: Budget, other: Budget): boolean {
  return (
    one.reset_duration === other.reset_duration &&
    one.calendar_aligned === other.calendar_aligned &&
    one.timezone === other.timezone &&
    one.week_start === other.week_start &&
    isSameScope(one, other)
  );
}

/** What a limit counts, and since when. */
type LimitScope = Pick<Budget, "models" | "user" | "reset_at">;

/** True when a limit counts at least the calls that another one does: all, or the same. */
function counts(own: LimitScope, bound: LimitScope): boolean {
  const isWhole = own.models === undefined && own.user === undefined && own.reset_at === undefined;
  return isWhole || isSameScope(own, bound);
}

function isSameScope(one: LimitScope, other: LimitScope): boolean {
  const textOf = ({ models, user, reset_at }: LimitScope) => JSON.stringify([models?.toSorted(), user, reset_at]);
  return textOf(one) === textOf(other);
}

/** True when every limit of the bound is kept by one of the same unit, whenever their windows begin. */
export function isWithinRates(limits: readonly RateLimit[], bound: readonly RateLimit[]): boolean {
  const own = limits.flatMap(split);
  return bound.flatMap(split).every((limit) =>
    own.some((one) => {
      const windows = isSameRate(one, limit) ? 1 : touched(one.duration, limit.duration);
      return one.unit === limit.unit && counts(one.scope, limit.scope) && one.max * windows <= limit.max;
    }),
  );
}

/** Returns rate limits that keep both lists: the given ones where they keep the bound, else one for each unit and window. */
export function meetRates(limits: readonly RateLimit[], bound: readonly RateLimit[]): RateLimit[] {
  if (isWithinRates(limits, bound)) return [...limits];
  const met: RateBound[] = [];
  for (const rate of [...limits, ...bound].flatMap(split)) {
    const at = met.findIndex((one) => isSameRate(one, rate));
    const present = met[at];
    if (present) met[at] = { ...present, max: Math.min(present.max, rate.max) };
    else met.push(rate);
  }
  return met.map(join);
}

/** One limit of one unit. */
interface RateBound {
  readonly unit: "tokens" | "requests";
  readonly max: number;
  readonly duration: ResetDuration;
  readonly scope: LimitScope;
}

function split(limit: RateLimit): RateBound[] {
  const { token_max_limit, token_reset_duration, request_max_limit, request_reset_duration, ...scope } = limit;
  const found: RateBound[] = [];
  if (token_max_limit !== undefined && token_reset_duration !== undefined)
    found.push({ unit: "tokens", max: token_max_limit, duration: token_reset_duration, scope });
  if (request_max_limit !== undefined && request_reset_duration !== undefined)
    found.push({ unit: "requests", max: request_max_limit, duration: request_reset_duration, scope });
  return found;
}

function join({ unit, max, duration, scope }: RateBound): RateLimit {
  return unit === "tokens"
    ? { token_max_limit: max, token_reset_duration: duration, ...scope }
    : { request_max_limit: max, request_reset_duration: duration, ...scope };
}

function isSameRate(one: RateBound, other: RateBound): boolean {
  return one.unit === other.unit && one.duration === other.duration && isSameScope(one.scope, other.scope);
}
