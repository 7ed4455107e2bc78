import type { Budget, RateLimit, ResetDuration } from "../api/governance.ts";
import { fromDollars } from "../metering/money.ts";
import type { Window } from "../ports/counters.ts";
import { type Identify, identifyByName } from "../routing/model-identity.ts";
import { nameCounter } from "./counter-name.ts";
import { type ModelTest, testModels } from "./model-pattern.ts";
import { openWindow } from "./window.ts";
import type { CalendarSettings } from "./zoned-window.ts";

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
  /** Absent where the calendar is that of UTC. */
  readonly calendar?: CalendarSettings | undefined;
  /** The models whose calls it counts; all when absent. */
  readonly models?: readonly string[] | undefined;
  /** Whether it counts a model, where it has a list. */
  readonly isMeant?: ModelTest | undefined;
  /** The end user whose calls it counts, or `*` for each alone; all together when absent. */
  readonly user?: string | undefined;
  /** Milliseconds since the epoch: what came before does not count. */
  readonly since?: number | undefined;
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
 * A counter is named by its owner, unit, duration, alignment and scope, `key/vk_1/cost/1M/calendar`, and not by the position or the id of
 * the limit, so that changing a limit, its enforcement or its id keeps what was counted. Limits of one owner that agree in all of
 * these count the same, once: they are one row, with `twins`, and keep what was counted whichever of them comes or goes. A limit of a
 * new duration or alignment begins to count when it is set.
 */
export function listLimits(owners: readonly LimitedOwner[], identify: Identify = identifyByName): readonly Limit[] {
  const byCounter = new Map<string, Limit[]>();
  for (const { level, owner, rate_limits, budgets } of owners) {
    const unowned = [...rate_limits.flatMap(limitsOfRate), ...budgets.map(limitOfBudget)];
    for (const each of unowned) {
      const named = { ...each, level, owner };
      const test = each.models && { isMeant: testModels(each.models, [], identify) };
      const limit = { ...named, ...test, counter: nameCounter(named) };
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

/** The window of a limit that opens at `now`. */
export function openLimitWindow({ duration, isCalendar, calendar }: LimitWindow, now: number): Window {
  return openWindow(now, duration, isCalendar && (calendar ?? true));
}

type LimitWindow = Pick<Limit, "duration" | "isCalendar" | "calendar">;

function joinTwins(twins: readonly Limit[]): Limit {
  const [first, ...others] = twins as readonly [Limit, ...Limit[]]; // each counter has a limit that it was named for
  if (others.length === 0) return first;
  const hard = twins.filter(({ isHard }) => isHard);
  const tightest = (hard.length > 0 ? hard : twins).reduce((least, limit) => (limit.max < least.max ? limit : least));
  return { ...tightest, twins };
}

function limitOfBudget(budget: Budget): Unowned {
  const { max_limit, reset_duration, calendar_aligned, enforcement, fit, timezone, week_start } = budget;
  const hasCalendar = calendar_aligned && (timezone !== undefined || week_start !== undefined);
  return {
    ...scopeOf(budget),
    ...(hasCalendar ? { calendar: { timezone, weekStart: week_start } } : {}),
    unit: "cost",
    max: fromDollars(max_limit),
    duration: reset_duration,
    isCalendar: calendar_aligned,
    isHard: enforcement === "hard",
    ...(fit ? { isFitting: true } : {}),
  };
}

function scopeOf({ models, user, reset_at }: Pick<Budget, "models" | "user" | "reset_at">) {
  return {
    ...(models ? { models } : {}),
    ...(user === undefined ? {} : { user }),
    ...(reset_at === undefined ? {} : { since: Date.parse(reset_at) }),
  };
}

function limitsOfRate(limit: RateLimit): readonly Unowned[] {
  const { token_max_limit, token_reset_duration, request_max_limit, request_reset_duration } = limit;
  const rolling = { isCalendar: false, isHard: false, ...scopeOf(limit) };
  return [
    ...(request_max_limit === undefined || request_reset_duration === undefined
      ? []
      : [{ unit: "requests" as const, max: request_max_limit, duration: request_reset_duration, ...rolling }]),
    ...(token_max_limit === undefined || token_reset_duration === undefined
      ? []
      : [{ unit: "tokens" as const, max: token_max_limit, duration: token_reset_duration, ...rolling }]),
  ];
}
