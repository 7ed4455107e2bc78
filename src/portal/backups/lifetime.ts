const units: Readonly<Record<string, number>> = { d: 86_400_000, h: 3_600_000 };

/** When something ends that lives so long: `30d` and `12h` from `from` on (milliseconds since the epoch), or an instant by itself. */
export function endOf(lifetime: string, from: number): number {
  const [, count, unit = ""] = /^(\d+)([dh])$/.exec(lifetime) ?? [];
  return count === undefined ? Date.parse(lifetime) : from + Number(count) * (units[unit] as number);
}

/** The hour of a day: `3`, `"03"` or `"03:00"` → 3. */
export function hourOf(hour: number | string): number {
  return Number.parseInt(String(hour), 10);
}
