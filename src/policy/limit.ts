import type { Budget, RateLimit, ResetDuration } from "../api/governance.ts";
import { fromDollars } from "../metering/money.ts";

/** Where limits are set, from the bottom to the top. */
export type LimitLevel = "entry" | "key" | "project" | "customer";

/** What is counted: requests, tokens (prompt and answer together), or nano-dollars. */
export type LimitUnit = "requests" | "tokens" | "cost";

/** Budgets and rate limits of one owner. */
export interface LimitedOwner {
  readonly level: LimitLevel;
  /** The owner's id; of an entry, `<key id>/<provider>`. */
  readonly owner: string;
  readonly budgets: readonly Budget[];
  readonly rate_limits: readonly RateLimit[];
}

/** One limit of one owner, ready to be checked. */
export interface Limit {
  readonly level: LimitLevel;
  readonly owner: string;
  readonly unit: LimitUnit;
  /** In the unit: nano-dollars for cost. */
  readonly max: number;
  readonly duration: ResetDuration;
  readonly isCalendar: boolean;
  readonly isHard: boolean;
  /** Lowers the limit of an answer to what is left, where a call would be refused; absent where it does not. */
  readonly isFitting?: boolean | undefined;
  /** Names the count, see {@link listLimits}. */
  readonly counter: string;
  /** All limits that this count has to keep, where there are several; this one is the tightest of the hard ones, else of all. */
  readonly twins?: readonly Limit[];
}

/** Order of checks (inference-resolved.md, section 7): request windows, token windows, budgets. */
const units: readonly LimitUnit[] = ["requests", "tokens", "cost"];

/**
 * The limits of some owners, given from the entry up to the customer, in the order in which they are checked: all request windows,
 * all token windows, all budgets, each from the bottom to the top.
 *
 * A counter is named by its owner, unit, duration and alignment, `key/vk_1/cost/1M/calendar`, and not by the position or the id of
 * the limit, so that changing a limit, its enforcement or its id keeps what was counted. Limits of one owner that agree in all of
 * these count the same, once: they are one row, with `twins`, and keep what was counted whichever of them comes or goes. A limit of a
 * new duration or alignment begins to count when it is set.
 */
export function listLimits(owners: readonly LimitedOwner[]): readonly Limit[] {
  const byCounter = new Map<string, Limit[]>();
  for (const { level, owner, rate_limits, budgets } of owners) {
    for (const unowned of [...rate_limits.flatMap(limitsOfRate), ...budgets.map(limitOfBudget)]) {
      const limit = nameCounter({ ...unowned, level, owner });
      const known = byCounter.get(limit.counter);
      if (known) known.push(limit);
      else byCounter.set(limit.counter, [limit]);
    }
  }
  const all = [...byCounter.values()].map(joinTwins);
  return units.flatMap((unit) => all.filter((limit) => limit.unit === unit));
}

/** Every limit as it was set, where those that count the same stand as one. */
export function separateShared(limits: readonly Limit[]): readonly Limit[] {
  return limits.flatMap((limit) => limit.twins ?? [limit]);
}

type Unowned = Omit<Limit, "level" | "owner" | "counter">;

function nameCounter(limit: Omit<Limit, "counter">): Limit {
  const { level, owner, unit, duration, isCalendar } = limit;
  return { ...limit, counter: `${level}/${owner}/${unit}/${duration}${isCalendar ? "/calendar" : ""}` };
}

function joinTwins(twins: readonly Limit[]): Limit {
  const [first, ...others] = twins as readonly [Limit, ...Limit[]]; // each counter has a limit that it was named for
  if (others.length === 0) return first;
  const hard = twins.filter(({ isHard }) => isHard);
  const tightest = (hard.length > 0 ? hard : twins).reduce((least, limit) => (limit.max < least.max ? limit : least));
  return { ...tightest, twins };
}

function limitOfBudget({ max_limit, reset_duration, calendar_aligned, enforcement, fit }: Budget): Unowned {
  return {
    unit: "cost",
    max: fromDollars(max_limit),
    duration: reset_duration,
    isCalendar: calendar_aligned,
    isHard: enforcement === "hard",
    ...(fit ? { isFitting: true } : {}),
  };
}

function limitsOfRate(limit: RateLimit): readonly Unowned[] {
  const { token_max_limit, token_reset_duration, request_max_limit, request_reset_duration } = limit;
  const rolling = { isCalendar: false, isHard: false };
  return [
    ...(request_max_limit === undefined || request_reset_duration === undefined
      ? []
      : [{ unit: "requests" as const, max: request_max_limit, duration: request_reset_duration, ...rolling }]),
    ...(token_max_limit === undefined || token_reset_duration === undefined
      ? []
      : [{ unit: "tokens" as const, max: token_max_limit, duration: token_reset_duration, ...rolling }]),
  ];
}
