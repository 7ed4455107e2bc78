import type { Budget, RateLimit, ResetDuration } from "../../api/governance.ts";
import { UsageError, type Values } from "../command.ts";
import { writeMoney } from "../words.ts";

const windows: readonly ResetDuration[] = ["1m", "1h", "1d", "1w", "1M", "1Q", "1Y"];

/** Options that set limits. */
export const limitOptions = {
  budget: { kind: "list", value: "usd/window", about: "dollars per window, such as 10/1M, or none; may be repeated" },
  requests: { kind: "list", value: "n/window", about: "requests per window, such as 60/1m, or none; may be repeated" },
  tokens: { kind: "list", value: "n/window", about: "tokens per window, such as 100000/1h, or none; may be repeated" },
  hard: { kind: "flag", about: "budgets that spending never passes: the largest possible answer is set aside" },
  soft: { kind: "flag", about: "budgets that the last calls may pass a little; new ones are so unless --hard" },
  calendar: { kind: "flag", about: "budgets whose windows follow the calendar (UTC)" },
  rolling: {
    kind: "flag",
    about: "budgets whose windows begin with the first use; new ones do so unless --calendar",
  },
} as const;

type LimitValues = Values<typeof limitOptions>;

/** Budgets and rate limits, as records have them. */
export interface Limits {
  readonly budgets: readonly Budget[];
  readonly rate_limits: readonly RateLimit[];
}

/** Whether any limit is set. */
export function setsLimits({ budget, requests, tokens }: LimitValues): boolean {
  return [budget, requests, tokens].some((each) => each !== undefined);
}

/**
 * The limits that the options make of the present ones. A limit takes the place of the one with the same window, the others stay;
 * `none` takes all of its kind away, `none/1d` the one with that window. A budget stays hard, and of the calendar, as the one in its
 * place was, unless told.
 */
export function readLimits(values: LimitValues, present: Limits = { budgets: [], rate_limits: [] }): Limits {
  const pairs = [
    ["hard", "soft"],
    ["calendar", "rolling"],
  ] as const;
  for (const [one, other] of pairs)
    if (values[one] && values[other]) throw new UsageError(`--${one} and --${other} exclude each other.`, "");
  const trait = pairs.flat().find((each) => values[each]);
  if (trait !== undefined && values.budget === undefined)
    throw new UsageError(
      `--${trait} is of budgets, and there is no --budget.`,
      "Rate limits begin with the first use.",
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

interface Change<Limit> {
  readonly present: readonly Limit[];
  readonly windowOf: (limit: Limit) => ResetDuration;
  readonly make: (allowance: Allowance, before: Limit | undefined) => Limit;
}

/** The present limits of a kind with the given ones in their places, or behind them. */
function change<Limit>(
  option: string,
  given: readonly string[] = [],
  { present, windowOf, make }: Change<Limit>,
): Limit[] {
  let limits = given.includes("none") ? [] : [...present];
  for (const text of given) {
    if (text === "none") continue;
    const allowance = readAllowance(option, text);
    const { window, isNone } = allowance;
    const before = present.find((limit) => windowOf(limit) === window);
    const place = limits.findIndex((limit) => windowOf(limit) === window);
    const made = isNone ? [] : [make(allowance, before)];
    const others = limits.map((limit, position) => {
      if (windowOf(limit) !== window) return [limit];
      return position === place ? made : [];
    });
    limits = [...others, ...(place < 0 ? [made] : [])].flat();
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

/** Every limit in words: `$10 per 1M (hard)`. */
export function writeLimits({ budgets, rate_limits }: Limits): string[] {
  const ofMoney = budgets.map(({ max_limit, reset_duration, enforcement, calendar_aligned }) => {
    const traits = { isHard: enforcement === "hard", isCalendar: calendar_aligned };
    return writeLimit({ max: writeMoney(max_limit), duration: reset_duration, ...traits });
  });
  const ofRates = rate_limits.flatMap(splitRate).map(({ unit, amount, window }) => {
    return writeLimit({ max: `${amount} ${unit}`, duration: window, isHard: false, isCalendar: false });
  });
  return [...ofMoney, ...ofRates];
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
