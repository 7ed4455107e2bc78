import { resolveTime } from "../format/time.ts";
import { language, text } from "../i18n/texts.ts";
import { Select } from "../parts/field.tsx";
import { preferences } from "./preferences.ts";
import { setSearch, useLocation } from "./router.ts";
import { textOf } from "./search.ts";

/** A half-open span of time: `from` is in it, `to` is not. */
export interface TimeRange {
  /** What the address holds: `-24h` or an instant. */
  readonly choice: string;
  readonly from: string;
  readonly to: string;
  readonly zone: string;
}

const spans = ["-1h", "-24h", "-7d", "-30d", "-90d"] as const;

/** The time zone of the page: the chosen one, else the browser's. */
export function pageZone(): string {
  return preferences.get().zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** The span that the address names. Its ends are whole minutes, so that equal questions share an answer. */
export function useTimeRange(fallback: (typeof spans)[number] = "-24h"): TimeRange {
  const { search } = useLocation();
  const choice = textOf(search.from, fallback);
  const now = Math.ceil(Date.now() / 60_000) * 60_000;
  const from = resolveTime(choice, now) ?? resolveTime(fallback, now) ?? "";
  const to = resolveTime(textOf(search.to), now) ?? new Date(now).toISOString();
  return { choice, from, to, zone: pageZone() };
}

/** An end of a span, in the page's zone. */
function shortTime(instant: string): string {
  const parts: Intl.DateTimeFormatOptions = { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" };
  return new Intl.DateTimeFormat(language(), { ...parts, timeZone: pageZone() }).format(Date.parse(instant));
}

/** Chooses the span of a screen. */
export function TimeRangeSelect({ range }: { readonly range: TimeRange }) {
  const known = spans.map((span) => [span, text(`range.${span}`)] as const);
  const isOwn = !spans.some((span) => span === range.choice);
  const own = `${shortTime(range.from)} – ${shortTime(range.to)}`;
  const choices = isOwn ? [[range.choice, own] as const, ...known] : known;
  return (
    <Select
      label={text("label.time_range")}
      value={range.choice}
      choices={choices}
      onChange={(from) => setSearch({ from, to: undefined })}
    />
  );
}
