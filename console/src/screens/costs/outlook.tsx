import type { TimeRange } from "../../app/time-range.tsx";
import { forecastMonth } from "../../format/forecast.ts";
import { money } from "../../format/money.ts";
import { language, text } from "../../i18n/texts.ts";
import { Money, Tile } from "../../parts/values.tsx";
import { useUsage } from "./usage.ts";

const dayMs = 86_400_000;

/** What the period cost, what the one before it did, and what the month will have cost. */
export function Outlook({ range }: { readonly range: TimeRange }) {
  const length = Date.parse(range.to) - Date.parse(range.from);
  const before = { ...range, from: new Date(Date.parse(range.from) - length).toISOString(), to: range.from };
  const now = Date.parse(range.to);
  const month = { ...range, from: new Date(Math.floor(now / dayMs) * dayMs - 35 * dayMs).toISOString(), zone: "UTC" };
  const own = useUsage({ range }).value?.[0]?.cost ?? 0;
  const earlier = useUsage({ range: before }).value?.[0]?.cost ?? 0;
  const days = useUsage({ range: month, interval: "day" }).value ?? [];
  const byDay = days.flatMap(({ at, cost }) => (at === undefined ? [] : [{ at: Date.parse(at), value: cost }]));
  const forecast = forecastMonth(byDay, now);
  return (
    <div class="tiles">
      <Tile
        label={text("costs.this_period")}
        value={<Money value={own} />}
        hint={text("costs.before", { value: money(earlier, language()) })}
      />
      <Tile label={text("costs.forecast")} value={<Money value={forecast} />} hint={text("costs.forecast_hint")} />
    </div>
  );
}
