import { hrefOf, setSearch, useLocation } from "../../app/router.ts";
import { textOf } from "../../app/search.ts";
import { type TimeRange, TimeRangeSelect, useTimeRange } from "../../app/time-range.tsx";
import { forecastMonth } from "../../format/forecast.ts";
import { money } from "../../format/money.ts";
import { compact } from "../../format/numbers.ts";
import { nameOf } from "../../generic/names.ts";
import { language, text } from "../../i18n/texts.ts";
import { Select } from "../../parts/field.tsx";
import { Card, Page } from "../../parts/page.tsx";
import { EmptyState, ErrorAlert, Skeleton } from "../../parts/states.tsx";
import { ReadTable } from "../../parts/table.tsx";
import { Count, Money, Tile } from "../../parts/values.tsx";
import { useNames } from "./names.ts";
import { type Dimension, groupOf, type UsageRow, useUsage } from "./usage.ts";
import { UsageChart } from "./usage-chart.tsx";

const dayMs = 86_400_000;

/** What the period cost, what the one before it did, and what the month will have cost. */
function Outlook({ range }: { readonly range: TimeRange }) {
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

const dimensions = [
  "model",
  "provider",
  "key_id",
  "project_id",
  "customer_id",
  "user",
  "reason",
  "request_type",
] as const;
const metrics = ["cost", "requests", "failures", "prompt_tokens", "completion_tokens", "saved"] as const;

/** What is measured. */
type Metric = (typeof metrics)[number];

/** Who spends what, on what, when: a metric by a group over time, with the same numbers as a table. */
export function Costs() {
  const { search } = useLocation();
  const range = useTimeRange("-30d");
  const group = pick(textOf(search.group), dimensions);
  const metric = pick(textOf(search.metric), metrics);
  const table = useUsage({ range, groupBy: [group], limit: 50, order: metric });
  return (
    <Page
      title={text("console.costs")}
      about={text("costs.about")}
      actions={
        <>
          <Choice name="metric" values={metrics} active={metric} />
          <Choice name="group" values={dimensions} active={group} />
          <TimeRangeSelect range={range} />
        </>
      }
    >
      <Outlook range={range} />
      <Card title={`${nameOf(metric)} · ${nameOf(group)} · ${range.zone}`}>
        <UsageChart {...{ range, dimension: group, metric }} format={formatOf(metric)} />
      </Card>
      <Card isFlush>
        <UsageTable rows={table} {...{ group, metric, from: range.choice }} />
      </Card>
    </Page>
  );
}

function pick<Value extends string>(wanted: string, values: readonly [Value, ...Value[]]): Value {
  return values.find((value) => value === wanted) ?? values[0];
}

function Choice(props: { readonly name: string; readonly values: readonly string[]; readonly active: string }) {
  const { name, values, active } = props;
  const choices = values.map((value) => [value, nameOf(value)] as const);
  return (
    <Select label={nameOf(name)} value={active} choices={choices} onChange={(value) => setSearch({ [name]: value })} />
  );
}

/** How values of a metric are written on an axis. */
export function formatOf(metric: Metric): (value: number) => string {
  return metric === "cost" || metric === "saved"
    ? (value) => money(value, language())
    : (value) => compact(value, language());
}

interface UsageTableProps {
  readonly rows: ReturnType<typeof useUsage>;
  readonly group: Dimension;
  readonly metric: Metric;
  readonly from: string;
}

/** Each group with its sums; its name opens the requests that they sum. */
function UsageTable({ rows, group, metric, from }: UsageTableProps) {
  const { error, reload, isLoading } = rows;
  const named = useNames(group);
  if (isLoading) return <Skeleton />;
  if (error) return <ErrorAlert error={error} onRetry={reload} />;
  const name = (row: UsageRow) => {
    const id = groupOf(row, group);
    if (row.is_other) return text("costs.other");
    return id === undefined ? (
      text("costs.none")
    ) : (
      <a href={hrefOf("ai/requests", { [group]: id, from })}>{named(id)}</a>
    );
  };
  return (
    <ReadTable
      label={`${text("console.costs")} ${nameOf(metric)}`}
      query={rows}
      keyOf={(row) => groupOf(row, group) ?? (row.is_other ? "…" : "–")}
      empty={<EmptyState icon="chart" title={text("requests.none")} />}
      columns={[
        { id: "group", name: nameOf(group), show: (row) => <span class="cell-main">{name(row)}</span> },
        { id: "cost", name: text("label.cost"), isNumber: true, show: ({ cost }) => <Money value={cost} /> },
        { id: "requests", name: text("label.requests"), isNumber: true, show: (row) => <Count value={row.requests} /> },
        { id: "failures", name: text("label.failures"), isNumber: true, show: (row) => <Count value={row.failures} /> },
        {
          id: "in",
          name: text("label.prompt_tokens"),
          isNumber: true,
          show: (row) => <Count value={row.prompt_tokens} />,
        },
        {
          id: "out",
          name: text("label.completion_tokens"),
          isNumber: true,
          show: (row) => <Count value={row.completion_tokens} />,
        },
        { id: "hits", name: text("label.cache_hits"), isNumber: true, show: (row) => <Count value={row.cache_hits} /> },
        { id: "saved", name: text("label.saved"), isNumber: true, show: ({ saved }) => <Money value={saved} /> },
        {
          id: "saved_tokens",
          name: text("label.saved_tokens"),
          isNumber: true,
          show: ({ saved_prompt_tokens, saved_completion_tokens }) => (
            <Count value={saved_prompt_tokens + saved_completion_tokens} />
          ),
        },
      ]}
    />
  );
}
