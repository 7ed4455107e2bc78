import { pageZone } from "../../app/time-range.tsx";
import { windowMs } from "../../format/forecast.ts";
import { money } from "../../format/money.ts";
import { language, text } from "../../i18n/texts.ts";
import { Skeleton } from "../../parts/states.tsx";
import { intervalOf, type UsageRow, useUsage } from "../costs/usage.ts";
import type { AiLimit, LimitOwner } from "./limit-chain.tsx";

const width = 600;
const height = 120;

/** What was spent of a budget in its window: the line of use, the even line, and where the use leads. */
export function BurnDown({ limit, of }: { readonly limit: AiLimit; readonly of: LimitOwner }) {
  const end = Date.parse(limit.resets_at ?? "");
  const begin = end - (windowMs(limit.duration) ?? 0);
  const now = Math.ceil(Date.now() / 60_000) * 60_000;
  const span = { from: new Date(begin).toISOString(), to: new Date(now).toISOString() };
  const range = { choice: "", ...span, zone: pageZone() };
  const filters = Object.fromEntries(Object.entries(of).map(([name, id]) => [name, [id]]));
  const { value, isLoading } = useUsage({ range, filters, interval: intervalOf(span) });
  if (isLoading) return <Skeleton lines={2} />;
  const steps = sumUp(value ?? []);
  const top = Math.max(limit.max, limit.used) || 1;
  const x = (at: number) => Math.max(0, Math.min(width, ((at - begin) / (end - begin)) * width));
  const y = (spent: number) => height - (Math.min(spent, top * 1.05) / (top * 1.05)) * (height - 10);
  const used = [
    `${x(begin)},${y(0)}`,
    ...steps.map((step) => `${x(step.at)},${y(step.sum)}`),
    `${x(now)},${y(limit.used)}`,
  ];
  const pace = now > begin ? limit.used / (now - begin) : 0;
  const label = `${text("limits.burn_down")}: ${money(limit.used, language())} / ${money(limit.max, language())}`;
  return (
    <svg class="chart burn-down" viewBox={`0 -4 ${width} ${height + 8}`} role="img" aria-label={label}>
      <line class="burn-max" x1={0} x2={width} y1={y(limit.max)} y2={y(limit.max)} />
      <line class="burn-even" x1={0} x2={width} y1={y(0)} y2={y(limit.max)} />
      <line class="burn-ahead" x1={x(now)} y1={y(limit.used)} x2={x(end)} y2={y(limit.used + pace * (end - now))} />
      <polyline class="burn-used" points={used.join(" ")} />
    </svg>
  );
}

/** The use at the end of each interval, added up. */
function sumUp(rows: readonly UsageRow[]): readonly { readonly at: number; readonly sum: number }[] {
  let sum = 0;
  const dated = rows.flatMap(({ at, cost }) => (at === undefined ? [] : [{ at: Date.parse(at), cost }]));
  return dated
    .sort((one, other) => one.at - other.at)
    .map(({ at, cost }) => {
      sum += cost;
      return { at, sum };
    });
}
