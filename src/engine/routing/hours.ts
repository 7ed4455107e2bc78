/** A day of the week, in UTC. */
export type Day = "sun" | "mon" | "tue" | "wed" | "thu" | "fri" | "sat";

/** A window of the day in UTC; it passes midnight when `to` is before `from`, and lasts all day when they are equal. */
export interface Hours {
  /** `HH:MM`, the first minute of the window. */
  readonly from: string;
  /** `HH:MM`, the first minute after it; `24:00` is the end of the day. */
  readonly to: string;
  /** Days on which the window begins; every day unless given. */
  readonly days?: readonly Day[] | undefined;
}

const days: readonly Day[] = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
const minuteMs = 60_000;
const minutesOfDay = 1_440;
/** 1970-01-01 was a Thursday. */
const firstDay = 4;

/** The minute of the day that `HH:MM` names, 0 to 1,440; `undefined` for any other text. */
export function parseMinute(text: string): number | undefined {
  const match = /^(\d\d):(\d\d)$/.exec(text);
  if (!match) return undefined;
  const [hour, minute] = [Number(match[1]), Number(match[2])];
  return minute < 60 && (hour < 24 || (hour === 24 && minute === 0)) ? hour * 60 + minute : undefined;
}

/** True when a time, in milliseconds since the epoch, lies within the window. A window whose times cannot be read holds nothing. */
export function isWithin({ from, to, days: requested }: Hours, now: number): boolean {
  const begin = parseMinute(from);
  const end = parseMinute(to);
  if (begin === undefined || end === undefined) return false;
  const minutes = Math.floor(now / minuteMs);
  const minute = minutes % minutesOfDay;
  const day = Math.floor(minutes / minutesOfDay) + firstDay;
  const beginsOn = (when: number) => requested === undefined || requested.includes(days[when % 7] as Day);
  if (begin < end) return minute >= begin && minute < end && beginsOn(day);
  return minute >= begin ? beginsOn(day) : minute < end && beginsOn(day - 1);
}

/** The day and the minute of a time, e.g. `mon 08:30`. */
export function formatMinute(now: number): string {
  const minutes = Math.floor(now / minuteMs);
  const minute = minutes % minutesOfDay;
  const twoDigits = (value: number) => String(value).padStart(2, "0");
  const day = days[(Math.floor(minutes / minutesOfDay) + firstDay) % 7];
  return `${day} ${twoDigits(Math.floor(minute / 60))}:${twoDigits(minute % 60)}`;
}
