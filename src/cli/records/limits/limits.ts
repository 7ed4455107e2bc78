import type { Budget, RateLimit, ResetDuration } from "../../../engine/api/governance.ts";
import type { CalendarSettings } from "../../../engine/policy/zoned-window.ts";
import { writeMoney } from "../../../server/terminal/format.ts";
import { UsageError } from "../../../server/terminal/usage-error.ts";
import type { Values } from "../../program/command.ts";
import { type CountedCalls, isSameScope, readScope, scopeOf, scopeOptions, writeScope } from "./limit-scope.ts";

const windows: readonly ResetDuration[] = ["1m", "1h", "1d", "1w", "1M", "1Q", "1Y", "never"];
const weekStarts = ["monday", "sunday", "saturday"] as const;

/** Options that set limits. */
export const limitOptions = {
  budget: {
    kind: "list",
    value: "usd/window",
    about: "US dollars per window, such as 10/1M, 50/never for what is prepaid, or none; repeatable",
  },
  requests: { kind: "list", value: "n/window", about: "requests per window, such as 60/1m, or none; repeatable" },
  tokens: { kind: "list", value: "n/window", about: "tokens per window, such as 100000/1h, or none; repeatable" },
  "max-in-flight": { kind: "text", value: "n", about: "calls that may be under way at once, or none" },
  hard: { kind: "flag", about: "enforce budgets strictly: each call reserves its highest possible cost" },
  soft: { kind: "flag", about: "allow calls in flight to exceed budgets slightly; default of new budgets" },
  calendar: { kind: "flag", about: "align budget windows with the calendar (UTC, unless --zone names another)" },
  zone: { kind: "text", value: "zone", about: "time zone of --calendar, such as Europe/Berlin" },
  "week-start": {
    kind: "text",
    value: "day",
    choices: weekStarts,
    about: "first day of the weeks of --calendar: monday, sunday, saturday",
  },
  rolling: {
    kind: "flag",
    about: "start budget windows with the first use; default of new budgets",
  },
  ...scopeOptions,
} as const;

type LimitValues = Values<typeof limitOptions>;

/** Budgets and rate limits, as records have them. */
export interface RecordLimits {
  readonly budgets: readonly Budget[];
  readonly rate_limits: readonly RateLimit[];
}

/** The same with the bound of calls under way, which provider entries do not have. */
interface WrittenLimits extends RecordLimits {
  readonly max_in_flight?: number | undefined;
}

/** Whether any limit is set. */
export function setsLimits({ budget, requests, tokens, "max-in-flight": inFlight }: LimitValues): boolean {
  return [budget, requests, tokens, inFlight].some((each) => each !== undefined);
}

/**
 * Applies the options to the present limits. A limit replaces the one with the same window; the others stay. `none` removes all limits of
 * a kind, `none/1d` the one with that window. A replaced budget keeps its enforcement and its calendar alignment unless an option changes
 * them.
 */
export function readLimits(
  values: LimitValues,
  present: RecordLimits = { budgets: [], rate_limits: [] },
): RecordLimits {
  const pairs = [
    ["hard", "soft"],
    ["calendar", "rolling"],
  ] as const;
  for (const [one, other] of pairs)
    if (values[one] && values[other]) throw new UsageError(`--${one} and --${other} cannot be combined.`, "");
  const trait = pairs.flat().find((each) => values[each]);
  if (trait !== undefined && values.budget === undefined)
    throw new UsageError(
      `--${trait} applies to budgets, but there is no --budget.`,
      "Windows of rate limits always start with the first use.",
    );
  for (const name of ["zone", "week-start"] as const)
    if (values[name] !== undefined && !values.calendar)
      throw new UsageError(`--${name} needs --calendar.`, "Windows that begin with the first use have no calendar.");
  const scope = readScope(values);
  const isInScope = (limit: { readonly scope: CountedCalls }) => isSameScope(limit.scope, scope);
  const rates = present.rate_limits.flatMap(splitRate);
  const ofUnit = (unit: RateUnit) => rates.filter((rate) => rate.unit === unit);
  return {
    budgets: change("--budget", values.budget, {
      present: present.budgets,
      windowOf: (budget) => (isSameScope(budget, scope) ? budget.reset_duration : undefined),
      make: (allowance, before) => makeBudget(allowance, values, before),
    }),
    rate_limits: (["requests", "tokens"] as const).flatMap((unit) =>
      change(`--${unit}`, values[unit], {
        present: ofUnit(unit),
        windowOf: (rate) => (isInScope(rate) ? rate.window : undefined),
        make: ({ amount, window }, before) => ({
          unit,
          amount: readCount(`--${unit}`, amount),
          window,
          scope: before?.scope ?? scope,
        }),
      }).map(joinRate),
    ),
  };
}

interface LimitChange<Limit> {
  readonly present: readonly Limit[];
  /** `undefined` for a limit of other calls, which stays. */
  readonly windowOf: (limit: Limit) => ResetDuration | undefined;
  readonly make: (allowance: Allowance, before: Limit | undefined) => Limit;
}

/** Returns the present limits of a kind with the new ones in their positions, or appended. */
function change<Limit>(
  option: string,
  values: readonly string[] = [],
  { present, windowOf, make }: LimitChange<Limit>,
): Limit[] {
  let limits = values.includes("none") ? present.filter((limit) => windowOf(limit) === undefined) : [...present];
  for (const text of values) {
    if (text === "none") continue;
    const allowance = readAllowance(option, text);
    const { window, isNone } = allowance;
    const before = present.find((limit) => windowOf(limit) === window);
    const index = limits.findIndex((limit) => windowOf(limit) === window);
    const created = isNone ? [] : [make(allowance, before)];
    const others = limits.map((limit, position) => {
      if (windowOf(limit) !== window) return [limit];
      return position === index ? created : [];
    });
    limits = [...others, ...(index < 0 ? [created] : [])].flat();
  }
  return limits;
}

function makeBudget({ amount, window }: Allowance, values: LimitValues, before: Budget | undefined): Budget {
  const isHard = values.hard || (!values.soft && before?.enforcement === "hard");
  const isCalendar = values.calendar || (!values.rolling && before?.calendar_aligned === true);
  const timezone = values.zone ?? before?.timezone;
  const week_start = weekStarts.find((day) => day === values["week-start"]) ?? before?.week_start;
  return {
    ...(before ? scopeOf(before) : readScope(values)),
    ...(isCalendar && timezone !== undefined ? { timezone } : {}),
    ...(isCalendar && week_start !== undefined ? { week_start } : {}),
    ...(before?.fit === undefined ? {} : { fit: before.fit }),
    ...(before?.id === undefined ? {} : { id: before.id }),
    max_limit: amount,
    reset_duration: window,
    enforcement: isHard ? "hard" : "soft",
    calendar_aligned: isCalendar,
  };
}

type RateUnit = "requests" | "tokens";

/** One half of a rate limit, which may hold requests, tokens or both. */
interface Rate {
  readonly unit: RateUnit;
  readonly amount: number;
  readonly window: ResetDuration;
  readonly scope: CountedCalls;
}

function splitRate(limit: RateLimit): Rate[] {
  const { request_max_limit, request_reset_duration, token_max_limit, token_reset_duration } = limit;
  const halves = [
    { unit: "requests" as const, amount: request_max_limit, window: request_reset_duration },
    { unit: "tokens" as const, amount: token_max_limit, window: token_reset_duration },
  ];
  return halves.flatMap(({ unit, amount, window }) =>
    amount === undefined || window === undefined ? [] : [{ unit, amount, window, scope: scopeOf(limit) }],
  );
}

function joinRate({ unit, amount, window, scope }: Rate): RateLimit {
  return unit === "requests"
    ? { ...scope, request_max_limit: amount, request_reset_duration: window }
    : { ...scope, token_max_limit: amount, token_reset_duration: window };
}

function readCount(option: string, amount: number): number {
  if (Number.isInteger(amount)) return amount;
  throw new UsageError(`${option} must be a whole number per window, such as 60/1m, not ${amount}.`, "");
}

interface Allowance {
  readonly amount: number;
  readonly window: ResetDuration;
  /** Written `none/1d`. */
  readonly isNone: boolean;
}

/** `10/1M`, `$0.50/1d`, `60/m`, `none/1d`. */
function readAllowance(option: string, text: string): Allowance {
  const [, amount, unit = ""] = /^\$?(\d+(?:\.\d+)?|none)\/(?:1?([mhdwMQY])|never)$/.exec(text) ?? [];
  const window = unit === "" ? "never" : windows.find((each) => each === `1${unit}`);
  const isNone = amount === "none";
  if (amount !== undefined && window !== undefined) return { amount: isNone ? 0 : Number(amount), window, isNone };
  const hint = "Windows are 1m (minute), 1h, 1d, 1w, 1M (month), 1Q (quarter), 1Y and never.";
  const sample = option === "--budget" ? "10/1M" : "60/1m";
  throw new UsageError(`${option} must be an amount per window, such as ${sample}, not "${text}".`, hint);
}

/** What `--max-in-flight` says: a number, `null` for `none`, `undefined` when it is absent. */
export function readMaxInFlight({ "max-in-flight": text }: LimitValues): number | null | undefined {
  if (text === undefined) return undefined;
  if (text === "none") return null;
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text);
  throw new UsageError(`--max-in-flight must be a whole number above 0, or none, not "${text}".`, "");
}

/** Every limit in words: `$10 per 1M (hard)`. */
export function writeLimits({ budgets, rate_limits, max_in_flight: inFlight }: WrittenLimits): string[] {
  const ofMoney = budgets.map(({ max_limit, reset_duration, enforcement, calendar_aligned, ...more }) => {
    const calendar = { timezone: more.timezone, weekStart: more.week_start };
    const traits = {
      isHard: enforcement === "hard",
      isCalendar: calendar_aligned,
      calendar,
      ...scopeOf(more as Budget),
    };
    return writeLimit({ max: writeMoney(max_limit), duration: reset_duration, ...traits });
  });
  const ofRates = rate_limits.flatMap(splitRate).map(({ unit, amount, window, scope }) => {
    return writeLimit({ max: `${amount} ${unit}`, duration: window, isHard: false, isCalendar: false, ...scope });
  });
  return [...ofMoney, ...ofRates, ...(inFlight === undefined ? [] : [`${inFlight} in flight`])];
}

/** A limit in words; `max` with its unit. */
export function writeLimit(limit: {
  readonly max: string;
  readonly duration: ResetDuration;
  readonly isHard: boolean;
  readonly isCalendar: boolean;
  readonly calendar?: CalendarSettings | undefined;
  readonly models?: readonly string[] | undefined;
  readonly user?: string | undefined;
}): string {
  const { timezone, weekStart } = limit.calendar ?? {};
  const calendar = ["calendar", timezone, weekStart && `weeks from ${weekStart}`].filter((each) => each !== undefined);
  const traits = [...(limit.isHard ? ["hard"] : []), ...(limit.isCalendar ? [calendar.join(" ")] : [])];
  const window = limit.duration === "never" ? "in all" : `per ${limit.duration}`;
  return `${limit.max} ${window}${writeScope(limit)}${traits.length === 0 ? "" : ` (${traits.join(", ")})`}`;
}
