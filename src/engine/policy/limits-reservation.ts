import { toDollars } from "../metering/money.ts";
import type { OutputBounds } from "../metering/output-bound.ts";
import type { CounterReservation, Hold, ReserveCall, Shortfall } from "../ports/counters.ts";
import { type Limit, type LimitUnit, openLimitWindow } from "./limit.ts";
import type { Refusal } from "./refusal.ts";

/** What one call to one target may use up at most. */
export interface CallBounds {
  /** Nano-dollars for a hard and for a soft budget; 0 without a known price. */
  readonly cost: OutputBounds;
  /** Tokens of the prompt and the soft bound of the answer. */
  readonly tokens: number;
  readonly counting: Counting;
}

/** Where a target counts as a request: `all` levels, its own `entry` only, or `none`. */
export type Counting = "all" | "entry" | "none";

/**
 * Where a target counts, given its entry and those whose targets the same request asked before (by `entryName`): a request
 * counts once at every level, and once at each entry that it falls back to.
 */
export function countTarget(entry: string, requested: readonly string[]): Counting {
  if (requested.length === 0) return "all";
  return requested.includes(entry) ? "none" : "entry";
}

/** Whether a limit is concerned by a target that counts so. */
export function isCounted({ unit, level }: Limit, counting: Counting): boolean {
  return unit !== "requests" || counting === "all" || (counting === "entry" && level === "entry");
}

/** When and under which name a reservation is made. */
export interface ReservationContext {
  readonly reservationId: string;
  readonly now: number;
  readonly expiresAt: number;
}

/** What is to be reserved: a call of the counters, and the limit that each of its holds stands for. */
export interface Reservation {
  readonly limits: readonly Limit[];
  readonly bounds: CallBounds;
  readonly call: ReserveCall;
}

/** What a call used up in the end, by unit. */
export type RealAmounts = Readonly<Record<LimitUnit, number>>;

/** Turns limits and bounds into what the counters must reserve. */
export function planReservation(
  limits: readonly Limit[],
  bounds: CallBounds,
  settings: ReservationContext,
): Reservation {
  const { counting } = bounds;
  const counted = counting === "all" ? limits : limits.filter((limit) => isCounted(limit, counting));
  const { reservationId, now, expiresAt } = settings;
  const holds = counted.map((limit) => holdOf(limit, bounds, now));
  return { limits: counted, bounds, call: { reservationId, holds, now, expiresAt } };
}

function holdOf(limit: Limit, bounds: CallBounds, now: number): Hold {
  const { counter, twins, max, isHard } = limit;
  const opens = openLimitWindow(limit, now);
  if (twins) return { counter, ...holdTwins(twins, bounds), opens, isHard };
  return { counter, amount: amountOf(limit, bounds), limit: max, opens, isHard };
}

/**
 * One amount and one maximum for limits that count the same. A hard budget reserves more than a soft one beside it: the largest amount is
 * reserved, and a limit whose own amount is smaller leaves that much more room, so that each refuses what it would refuse alone.
 */
function holdTwins(twins: readonly Limit[], bounds: CallBounds): Pick<Hold, "amount" | "limit"> {
  const amount = Math.max(...twins.map((limit) => amountOf(limit, bounds)));
  const binding = findBinding(twins, bounds);
  return { amount, limit: binding.max + amount - amountOf(binding, bounds) };
}

/** Of limits that count the same, the one that leaves a call the least room. */
function findBinding(twins: readonly Limit[], bounds: CallBounds): Limit {
  const room = (limit: Limit) => limit.max - amountOf(limit, bounds);
  return twins.reduce((least, limit) => (room(limit) < room(least) ? limit : least));
}

function amountOf({ unit, isHard }: Limit, { cost, tokens }: CallBounds): number {
  if (unit === "requests") return 1;
  if (unit === "tokens") return tokens;
  return isHard ? cost.hard : cost.soft;
}

/** The real amounts in the order of a reservation's holds, for `Counters.settle`. A request that was admitted counts as one, even when it failed. */
export function chargeReservation({ limits }: Reservation, real: RealAmounts): readonly number[] {
  return limits.map(({ unit }) => real[unit]);
}

/** The largest hold of a unit; 0 where it holds none. */
export function mostReserved({ limits, call }: Reservation, unit: LimitUnit): number {
  return Math.max(0, ...call.holds.filter((_hold, at) => limits[at]?.unit === unit).map(({ amount }) => amount));
}

const words = { requests: "request", tokens: "token", cost: "budget" } as const satisfies Record<LimitUnit, string>;
const codes = {
  requests: "request_limited",
  tokens: "token_limited",
  cost: "budget_exceeded",
} as const satisfies Record<LimitUnit, string>;

/** Milliseconds after which a call may fit that only calls under way keep out. */
const comeBackMs = 1_000;

/**
 * The refusal that a shortfall of the counters means: what is left, what calls under way hold, what this call may take, and how long an
 * answer may be that would fit (`fits`, in tokens, where that is known).
 */
export function refuseShortfall({ limits, bounds, call }: Reservation, shortfall: Shortfall, fits = 0): Refusal {
  const { position, resetsAt, reserved = 0 } = shortfall;
  const row = limits[position] as Limit;
  const limit = row.twins ? findBinding(row.twins, bounds) : row;
  const { unit, level, max, duration } = limit;
  const amount = amountOf(limit, bounds);
  const left = Math.max(0, shortfall.left - ((call.holds[position]?.limit ?? max) - max));
  const until = duration === "never" ? "" : ` until ${new Date(resetsAt).toISOString()}`;
  const window = duration === "never" ? "in all" : `per ${duration}`;
  const subject = unit === "cost" ? "budget" : `${words[unit]} limit`;
  const isHeld = unit === "cost" && reserved > 0;
  const message =
    `The ${subject} of the ${levelWords[level]}${describeScope(limit)} (${show(unit, max)} ${window}) has ${show(unit, left)} left${until}` +
    `${isHeld ? `, and ${show(unit, reserved)} held by calls under way` : ""}; ` +
    `this call may take ${show(unit, amount)}${unit !== "requests" && amount > max ? whyNever : "."}` +
    `${fits > 0 ? ` An answer of up to ${fits} tokens would fit: lower \`max_completion_tokens\`, or ask with \`fit\`.` : ""}`;
  const mayFitSoon = isHeld && left + reserved >= amount ? comeBackMs : undefined;
  const retryAfterMs = unit === "cost" || duration === "never" ? mayFitSoon : Math.max(0, resetsAt - call.now);
  return { kind: "refusal", reason: codes[unit], message, limit, left, resetsAt, retryAfterMs };
}

/** Of a call that is larger than a whole window. */
const whyNever = ": waiting does not help; shorten it, lower `max_completion_tokens`, or have the limit raised.";

/** Of whose calls, where not all are counted. */
function describeScope({ models, user }: Limit): string {
  const ofModels = models ? ` for ${models.join(", ")}` : "";
  if (user === undefined) return ofModels;
  return user === "" ? `${ofModels} for calls without a user` : `${ofModels} for the user \`${user.slice(0, 64)}\``;
}

const levelWords = {
  entry: "key's provider",
  key: "key",
  project: "project",
  customer: "customer",
} as const satisfies Record<Limit["level"], string>;

function show(unit: LimitUnit, amount: number): string {
  if (unit === "cost")
    return `${toDollars(amount)
      .toFixed(9)
      .replace(/\.?0+$/, "")} USD`;
  return `${amount} ${words[unit]}${amount === 1 ? "" : "s"}`;
}

/** Where the caller stands in one kind of window, for `x-ratelimit-…`. */
export interface RateLimitStatus {
  readonly limit: number;
  readonly remaining: number;
  /** Milliseconds since the epoch. */
  readonly resetsAt: number;
}

/** Of all windows of a unit, the one with the least left. */
export function findTightest(
  { limits }: Reservation,
  { held }: CounterReservation,
  unit: LimitUnit,
): RateLimitStatus | undefined {
  let tightest: RateLimitStatus | undefined;
  for (let position = 0; position < limits.length; position++) {
    const { unit: own, max } = limits[position] as Limit;
    const hold = held[position];
    if (own !== unit || !hold || (tightest && tightest.remaining <= hold.left)) continue;
    tightest = { limit: max, remaining: hold.left, resetsAt: hold.window.end };
  }
  return tightest;
}

/** Where the caller stands in the window that refused a call, if it is one of this unit. */
export function rateStatusOfRefusal(
  { limit, left = 0, resetsAt }: Refusal,
  unit: LimitUnit,
): RateLimitStatus | undefined {
  return limit?.unit === unit && resetsAt !== undefined ? { limit: limit.max, remaining: left, resetsAt } : undefined;
}
