import type { Budget, RateLimit, ResetDuration } from "../../api/governance.ts";
import { UsageError, type Values } from "../program/command.ts";
import { writeMoney } from "../terminal/format.ts";

const windows: readonly ResetDuration[] = ["1m", "1h", "1d", "1w", "1M", "1Q", "1Y"];

/** Options that set limits. */
export const limitOptions = {
  budget: { kind: "list", value: "usd/window", about: "US dollars per window, such as 10/1M, or none; repeatable" },
  requests: { kind: "list", value: "n/window", about: "requests per window, such as 60/1m, or none; repeatable" },
  tokens: { kind: "list", value: "n/window", about: "tokens per window, such as 100000/1h, or none; repeatable" },
  "max-in-flight": { kind: "text", value: "n", about: "calls that may be under way at once, or none" },
  hard: { kind: "flag", about: "enforce budgets strictly: each call reserves its highest possible cost" },
  soft: { kind: "flag", about: "allow calls in flight to exceed budgets slightly; default of new budgets" },
  calendar: { kind: "flag", about: "align budget windows with the calendar (UTC)" },
  rolling: {
    kind: "flag",
    about: "start budget windows with the first use; default of new budgets",
  },
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
  const rates = present.rate_limits.flatMap(splitRate);
  const ofUnit = (unit: RateUnit) => rates.filter((rate) => rate.unit === unit);
  return {
    budgets: change("--budget", values.budget, {
      present: present.budgets,
      windowOf: ({ reset_duration }) => reset_duration,
      make: (allowance, before) => makeBudget(allowance, values, before),
    }),
    rate_limits: (["requests", "tokens"] as const).flatMap((unit) =>
      change(`--${unit}`, values[unit], {
        present: ofUnit(unit),
        windowOf: ({ window }) => window,
        make: ({ amount, window }) => ({ unit, amount: readCount(`--${unit}`, amount), window }),
      }).map(joinRate),
    ),
  };
}

interface LimitChange<Limit> {
  readonly present: readonly Limit[];
  readonly windowOf: (limit: Limit) => ResetDuration;
  readonly make: (allowance: Allowance, before: Limit | undefined) => Limit;
}

/** Returns the present limits of a kind with the new ones in their positions, or appended. */
function change<Limit>(
  option: string,
  values: readonly string[] = [],
  { present, windowOf, make }: LimitChange<Limit>,
): Limit[] {
  let limits = values.includes("none") ? [] : [...present];
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
  return {
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
}

function splitRate(limit: RateLimit): Rate[] {
  const { request_max_limit, request_reset_duration, token_max_limit, token_reset_duration } = limit;
  const halves = [
    { unit: "requests" as const, amount: request_max_limit, window: request_reset_duration },
    { unit: "tokens" as const, amount: token_max_limit, window: token_reset_duration },
  ];
  return halves.flatMap(({ unit, amount, window }) =>
    amount === undefined || window === undefined ? [] : [{ unit, amount, window }],
  );
}

function joinRate({ unit, amount, window }: Rate): RateLimit {
  return unit === "requests"
    ? { request_max_limit: amount, request_reset_duration: window }
    : { token_max_limit: amount, token_reset_duration: window };
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
  const [, amount, unit = ""] = /^\$?(\d+(?:\.\d+)?|none)\/1?([mhdwMQY])$/.exec(text) ?? [];
  const window = windows.find((each) => each === `1${unit}`);
  const isNone = amount === "none";
  if (amount !== undefined && window !== undefined) return { amount: isNone ? 0 : Number(amount), window, isNone };
  const hint = "Windows are 1m (minute), 1h, 1d, 1w, 1M (month), 1Q (quarter) and 1Y.";
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
  const ofMoney = budgets.map(({ max_limit, reset_duration, enforcement, calendar_aligned }) => {
    const traits = { isHard: enforcement === "hard", isCalendar: calendar_aligned };
    return writeLimit({ max: writeMoney(max_limit), duration: reset_duration, ...traits });
  });
  const ofRates = rate_limits.flatMap(splitRate).map(({ unit, amount, window }) => {
    return writeLimit({ max: `${amount} ${unit}`, duration: window, isHard: false, isCalendar: false });
  });
  return [...ofMoney, ...ofRates, ...(inFlight === undefined ? [] : [`${inFlight} in flight`])];
}

/** A limit in words; `max` with its unit. */
export function writeLimit(limit: {
  readonly max: string;
  readonly duration: ResetDuration;
  readonly isHard: boolean;
  readonly isCalendar: boolean;
}): string {
  const traits = [...(limit.isHard ? ["hard"] : []), ...(limit.isCalendar ? ["calendar"] : [])];
  return `${limit.max} per ${limit.duration}${traits.length === 0 ? "" : ` (${traits.join(", ")})`}`;
}
