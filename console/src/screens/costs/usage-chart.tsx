import { pageZone, type TimeRange } from "../../app/time-range.tsx";
import { language, text } from "../../i18n/texts.ts";
import { type Bar, BarChart } from "../../parts/bar-chart.tsx";
import { EmptyState, ErrorAlert, Skeleton } from "../../parts/states.tsx";
import { useNames } from "./names.ts";
import { type Dimension, groupOf, type Interval, intervalOf, type UsageRow, useUsage } from "./usage.ts";

interface UsageChartProps {
  readonly range: TimeRange;
  readonly metric: "cost" | "requests" | "failures" | "prompt_tokens" | "completion_tokens" | "saved";
  readonly format: (value: number) => string;
  /** Without one, the bars have one part. */
  readonly dimension?: Dimension;
  readonly height?: number;
  readonly filters?: Readonly<Record<string, readonly string[]>>;
  /** The address of the requests from an instant to before another one. */
  readonly hrefOf?: (from: string, to: string) => string;
}

const shownGroups = 7;

/** A metric over time, in the parts of its largest groups and the rest. */
export function UsageChart({ range, metric, format, dimension, height = 240, filters, hrefOf }: UsageChartProps) {
  const named = useNames(dimension ?? "");
  const interval = intervalOf(range);
  const { value, error, isLoading, reload } = useUsage({
    ...{ range, filters, interval, order: metric, limit: shownGroups },
    ...(dimension === undefined ? {} : { groupBy: [dimension] }),
  });
  if (isLoading) return <Skeleton />;
  if (error) return <ErrorAlert error={error} onRetry={reload} />;
  if (!value || value.length === 0) return <EmptyState icon="chart" title={text("requests.none")} />;
  const nameOfRow = (row: UsageRow) => {
    if (row.is_other || dimension === undefined) return row.is_other ? text("costs.other") : "";
    const id = groupOf(row, dimension);
    return id === undefined ? text("costs.none") : named(id);
  };
  const series = namesBySize(value, nameOfRow, metric);
  const bars = beginningsOf(value, interval).map((at): Bar => {
    const own = value.filter((row) => row.at !== undefined && Date.parse(row.at) === at);
    const parts = series.map((name) =>
      own.filter((row) => nameOfRow(row) === name).reduce((sum, row) => sum + row[metric], 0),
    );
    return { id: String(at), label: labelOf(at, interval), parts };
  });
  const link = hrefOf && {
    hrefOf: ({ id }: Bar) => hrefOf(new Date(Number(id)).toISOString(), endOf(Number(id), interval)),
  };
  return <BarChart label={text("console.costs")} {...{ bars, series, format, height, ...link }} />;
}

/** The names of the groups, the largest first. */
function namesBySize(rows: readonly UsageRow[], nameOf: (row: UsageRow) => string, metric: UsageChartProps["metric"]) {
  const sums = new Map<string, number>();
  for (const row of rows) sums.set(nameOf(row), (sums.get(nameOf(row)) ?? 0) + row[metric]);
  return [...sums].sort(([, one], [, other]) => other - one).map(([name]) => name);
}

const stepMs = { hour: 3_600_000, day: 86_400_000, month: Number.POSITIVE_INFINITY } as const;

/** The beginnings of the intervals from the first with requests to the last; those without any have bars of no height. */
function beginningsOf(rows: readonly UsageRow[], interval: Interval): readonly number[] {
  const known = [...new Set(rows.flatMap(({ at }) => (at === undefined ? [] : [Date.parse(at)])))].sort(
    (a, b) => a - b,
  );
  const step = stepMs[interval];
  return known.flatMap((at, position) => {
    const next = known[position + 1] ?? at;
    const missing = Math.max(0, Math.min(400, Math.round((next - at) / step) - 1));
    return [at, ...Array.from({ length: missing }, (_unused, gap) => at + (gap + 1) * step)];
  });
}

/** The end of an interval that begins at `at`. */
function endOf(at: number, interval: Interval): string {
  const begin = new Date(at);
  const end =
    interval === "month"
      ? Date.UTC(begin.getUTCFullYear(), begin.getUTCMonth() + 1, begin.getUTCDate())
      : at + stepMs[interval];
  return new Date(end).toISOString();
}

/** An interval on the axis, in the page's zone. */
function labelOf(at: number, interval: Interval): string {
  const parts: Intl.DateTimeFormatOptions =
    interval === "hour"
      ? { hour: "2-digit", minute: "2-digit" }
      : interval === "day"
        ? { day: "numeric", month: "short" }
        : { month: "short", year: "2-digit" };
  return new Intl.DateTimeFormat(language(), { ...parts, timeZone: pageZone() }).format(at);
}
