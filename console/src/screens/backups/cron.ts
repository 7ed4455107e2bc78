/** The minutes, hours, days, months and weekdays at which a schedule runs, in UTC. */
interface Schedule {
  readonly minutes: ReadonlySet<number>;
  readonly hours: ReadonlySet<number>;
  readonly days: ReadonlySet<number>;
  readonly months: ReadonlySet<number>;
  readonly weekdays: ReadonlySet<number>;
  /** True where both days and weekdays are named: either of them is enough. */
  readonly isEither: boolean;
}

const bounds = [
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [0, 7],
] as const;

/** Reads five fields of numbers, lists, ranges and steps; undefined for anything else. */
export function readCron(expression: string): Schedule | undefined {
  const fields = expression.trim().split(/\s+/);
  if (fields.length !== 5) return undefined;
  const sets = fields.map((field, position) => readField(field, bounds[position] ?? [0, 0]));
  const [minutes, hours, days, months, weekdays] = sets;
  if (!minutes || !hours || !days || !months || !weekdays) return undefined;
  const isEither = fields[2] !== "*" && fields[4] !== "*";
  return { minutes, hours, days, months, weekdays: new Set([...weekdays].map((day) => day % 7)), isEither };
}

function readField(field: string, [least, most]: readonly [number, number]): ReadonlySet<number> | undefined {
  const values = new Set<number>();
  for (const part of field.split(",")) {
    const [, range = "", first, last, step] = /^(\*|(\d{1,2})(?:-(\d{1,2}))?)(?:\/(\d{1,2}))?$/.exec(part) ?? [];
    if (range === "") return undefined;
    const from = first === undefined ? least : Number(first);
    const to = last !== undefined ? Number(last) : first === undefined || step !== undefined ? most : from;
    const by = step === undefined ? 1 : Number(step);
    if (from < least || to > most || from > to || by === 0) return undefined;
    for (let value = from; value <= to; value += by) values.add(value);
  }
  return values;
}

const [minuteMs, dayMs] = [60_000, 86_400_000];

/** The most days that are looked at: a schedule for February 29 runs within them. */
const mostDays = 366 * 8;

/** The next `count` runs after an instant, in milliseconds since 1970; fewer for a schedule that never runs. */
export function nextRuns(schedule: Schedule, after: number, count: number): readonly number[] {
  const runs: number[] = [];
  const times = sorted(schedule.hours).flatMap((hour) =>
    sorted(schedule.minutes).map((minute) => (hour * 60 + minute) * minuteMs),
  );
  const today = Math.floor(after / dayMs) * dayMs;
  for (let day = 0; day < mostDays && runs.length < count; day++) {
    const at = today + day * dayMs;
    if (runsOn(schedule, new Date(at))) runs.push(...times.map((time) => at + time).filter((run) => run > after));
  }
  return runs.slice(0, count);
}

function runsOn({ days, months, weekdays, isEither }: Schedule, day: Date): boolean {
  if (!months.has(day.getUTCMonth() + 1)) return false;
  const [isDay, isWeekday] = [days.has(day.getUTCDate()), weekdays.has(day.getUTCDay())];
  return isEither ? isDay || isWeekday : isDay && isWeekday;
}

function sorted(values: ReadonlySet<number>): readonly number[] {
  return [...values].sort((one, other) => one - other);
}

/** How a schedule is said: each day, or each week on a day, at a time; `other` for what has no short form. */
export type CronWords =
  | { readonly kind: "daily"; readonly time: string }
  | { readonly kind: "weekly"; readonly time: string; readonly weekday: number }
  | { readonly kind: "other" };

/** Says a schedule in few words. */
export function cronWords({ minutes, hours, days, months, weekdays }: Schedule): CronWords {
  const [[minute = 0], [hour = 0], [weekday = 0]] = [[...minutes], [...hours], [...weekdays]];
  if (minutes.size !== 1 || hours.size !== 1 || days.size !== 31 || months.size !== 12) return { kind: "other" };
  const time = `${String(hour).padStart(2, "0")}:${String(minute).padStart(2, "0")}`;
  if (weekdays.size === 7) return { kind: "daily", time };
  return weekdays.size === 1 ? { kind: "weekly", time, weekday } : { kind: "other" };
}
