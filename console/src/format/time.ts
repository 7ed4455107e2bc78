/** Milliseconds since 1970 of an instant of the wire: a text, or seconds or milliseconds since 1970. */
export function toMs(instant: string | number): number {
  if (typeof instant === "number") return instant < 100_000_000_000 ? instant * 1_000 : instant;
  return Date.parse(instant);
}

/** Date and time to the second, in the page's zone. */
export function exactTime(instant: string | number, language = "en", zone?: string): string {
  const options: Intl.DateTimeFormatOptions = { dateStyle: "medium", timeStyle: "medium" };
  return new Intl.DateTimeFormat(language, zone === undefined ? options : { ...options, timeZone: zone }).format(
    toMs(instant),
  );
}

/** How long ago, or in how long: `5 min ago`. */
export function relativeTime(instant: string | number, now: number, language = "en"): string {
  const seconds = (toMs(instant) - now) / 1_000;
  const size = Math.abs(seconds);
  const format = new Intl.RelativeTimeFormat(language, { numeric: "auto", style: "short" });
  if (size < 60) return format.format(Math.round(seconds), "second");
  if (size < 3_600) return format.format(Math.round(seconds / 60), "minute");
  if (size < 86_400) return format.format(Math.round(seconds / 3_600), "hour");
  return format.format(Math.round(seconds / 86_400), "day");
}

/** What a time in an address means: an instant, or a span before now such as `-24h`. Undefined for anything else. */
export function resolveTime(value: string, now: number): string | undefined {
  const [, size, unit = ""] = /^-(\d{1,5})(m|h|d)$/.exec(value) ?? [];
  if (size !== undefined) return new Date(now - Number(size) * (unitMs[unit] ?? 0)).toISOString();
  const instant = Date.parse(value);
  return Number.isNaN(instant) ? undefined : new Date(instant).toISOString();
}

const unitMs: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };
