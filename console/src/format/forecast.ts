/** Lengths of the windows of limits in milliseconds; a month is 30 days where only its length counts. */
const unitMs: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
  M: 2_592_000_000,
  Y: 31_536_000_000,
};

/** The length of a window such as `1M`; undefined for what is none. */
export function windowMs(duration: string): number | undefined {
  const [, size, unit = ""] = /^(\d{1,4})([smhdwMY])$/.exec(duration) ?? [];
  return size === undefined ? undefined : Number(size) * (unitMs[unit] ?? 0);
}

/** How much of a limit is used in the window that ends at `resetsAt`. */
interface UsedLimit {
  readonly used: number;
  readonly max: number;
  readonly duration: string;
  /** Milliseconds since 1970. */
  readonly resetsAt: number;
}

/** The instant at which a limit has nothing left if its use goes on as in this window so far; undefined where it lasts until its end. */
export function runsOutAt({ used, max, duration, resetsAt }: UsedLimit, now: number): number | undefined {
  const length = windowMs(duration);
  if (length === undefined || used <= 0 || max <= 0) return undefined;
  if (used >= max) return now;
  const elapsed = now - (resetsAt - length);
  if (elapsed < length / 100) return undefined; // a first request says nothing about the rest
  const at = now + ((max - used) * elapsed) / used;
  return at < resetsAt ? at : undefined;
}

/** The use of one day. */
interface DayOfUse {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly value: number;
}

const dayMs = 86_400_000;

/**
 * The sum of a month when it ends: what was used so far, and for each day that is left the mean of its weekday, or of all days where that
 * weekday is not among them. Days are those of UTC; `now` counts as a day of which its share has passed.
 */
export function forecastMonth(days: readonly DayOfUse[], now: number): number | undefined {
  if (days.length === 0) return undefined;
  const today = Math.floor(now / dayMs) * dayMs;
  const past = days.filter(({ at }) => at < today);
  const month = new Date(now).getUTCMonth();
  const soFar = days.filter(({ at }) => new Date(at).getUTCMonth() === month && at <= now);
  const sum = soFar.reduce((total, { value }) => total + value, 0);
  const mean = meanOf(past) ?? meanOf(days) ?? 0;
  const weekday = (at: number) =>
    meanOf(past.filter((day) => new Date(day.at).getUTCDay() === new Date(at).getUTCDay()));
  const end = Date.UTC(new Date(now).getUTCFullYear(), month + 1);
  let rest = ((today + dayMs - now) / dayMs) * (weekday(today) ?? mean);
  for (let at = today + dayMs; at < end; at += dayMs) rest += weekday(at) ?? mean;
  return sum + rest;
}

function meanOf(days: readonly DayOfUse[]): number | undefined {
  return days.length === 0 ? undefined : days.reduce((sum, { value }) => sum + value, 0) / days.length;
}
