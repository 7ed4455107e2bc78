const units: Readonly<Record<string, number>> = { d: 86_400_000, h: 3_600_000 };

/** Returns the end of a lifetime in milliseconds since the epoch: `30d` and `12h` count from `from`; an instant is the end itself. */
export function endOf(lifetime: string, from: number): number {
  const [, count, unit = ""] = /^(\d+)([dh])$/.exec(lifetime) ?? [];
  return count === undefined ? Date.parse(lifetime) : from + Number(count) * (units[unit] as number);
}

/** The hour of a day: `3`, `"03"` or `"03:00"` → 3. */
export function hourOf(hour: number | string): number {
  return Number.parseInt(String(hour), 10);
}
