import type { Budget, RateLimit, ResetDuration } from "../api/governance.ts";
import { fromDollars } from "../usage/money.ts";

/** Where limits are set, from the bottom to the top. */
export type Level = "entry" | "key" | "project" | "customer";

/** What is counted: requests, tokens (prompt and answer together), or nano-dollars. */
export type Unit = "requests" | "tokens" | "cost";

/** Budgets and rate limits of one owner. */
export interface LimitedOwner {
  readonly level: Level;
  /** The owner's id; of an entry, `<key id>/<provider>`. */
  readonly owner: string;
  readonly budgets: readonly Budget[];
  readonly rate_limits: readonly RateLimit[];
}

/** One limit of one owner, ready to be checked. */
export interface Limit {
  readonly level: Level;
  readonly owner: string;
  readonly unit: Unit;
  /** In the unit: nano-dollars for cost. */
  readonly max: number;
  readonly duration: ResetDuration;
  readonly isCalendar: boolean;
  readonly isHard: boolean;
  /** Names the count, see {@link listLimits}. */
  readonly counter: string;
}

/** Order of checks (inference-resolved.md, section 7): request windows, token windows, budgets. */
const units: readonly Unit[] = ["requests", "tokens", "cost"];

/**
 * The limits of some owners, given from the entry up to the customer, in the order in which they are checked: all request windows,
 * all token windows, all budgets, each from the bottom to the top.
 *
 * A counter is named by its owner, unit, duration and alignment, `key/vk_1/cost/1M/calendar`, and not by the position or the id of
 * the limit, so that changing a limit, its enforcement or its id keeps what was counted. Of limits of one owner that agree in all
 * of these, the later ones count apart (`…/2`). A limit of a new duration or alignment begins to count when it is set.
 */
export function listLimits(owners: readonly LimitedOwner[]): readonly Limit[] {
  const seen = new Map<string, number>();
  const all = owners.flatMap((owner) =>
    [...owner.rate_limits.flatMap(limitsOfRate), ...owner.budgets.map(limitOfBudget)].map((limit) =>
      nameCounter({ ...limit, level: owner.level, owner: owner.owner }, seen),
    ),
  );
  return units.flatMap((unit) => all.filter((limit) => limit.unit === unit));
}

type Unowned = Omit<Limit, "level" | "owner" | "counter">;

function nameCounter(limit: Omit<Limit, "counter">, seen: Map<string, number>): Limit {
  const { level, owner, unit, duration, isCalendar } = limit;
  const name = `${level}/${owner}/${unit}/${duration}${isCalendar ? "/calendar" : ""}`;
  const count = (seen.get(name) ?? 0) + 1;
  seen.set(name, count);
  return { ...limit, counter: count === 1 ? name : `${name}/${count}` };
}

function limitOfBudget({ max_limit, reset_duration, calendar_aligned, enforcement }: Budget): Unowned {
  return {
    unit: "cost",
    max: fromDollars(max_limit),
    duration: reset_duration,
    isCalendar: calendar_aligned,
    isHard: enforcement === "hard",
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
