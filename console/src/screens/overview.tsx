import { isReachable } from "../app/nav.ts";
import { hrefOf } from "../app/router.ts";
import { TimeRangeSelect, useTimeRange } from "../app/time-range.tsx";
import { money } from "../format/money.ts";
import { duration, percent } from "../format/numbers.ts";
import { language, text } from "../i18n/texts.ts";
import { Card, Page } from "../parts/page.tsx";
import { EmptyState, ErrorAlert, Skeleton } from "../parts/states.tsx";
import { ReadTable } from "../parts/table.tsx";
import { Count, Money, Tile } from "../parts/values.tsx";
import { useNames } from "./costs/names.ts";
import { type Dimension, groupOf, useUsage } from "./costs/usage.ts";
import { UsageChart } from "./costs/usage-chart.tsx";

/** What happens now: spend, requests, failures and latency, and who causes them. Each number opens the rows it sums. */
export function Overview() {
  const range = useTimeRange("-7d");
  if (!isReachable({ row: "ai.usage" }))
    return (
      <Page title={text("console.overview")}>
        <EmptyState icon="home" title={text("overview.welcome")} />
      </Page>
    );
  return (
    <Page title={text("console.overview")} actions={<TimeRangeSelect range={range} />}>
      <Sums range={range} />
      <Card
        title={text("overview.spend")}
        actions={<a href={hrefOf("ai/costs", { from: range.choice })}>{text("console.costs")}</a>}
      >
        <UsageChart
          range={range}
          metric="cost"
          dimension="model"
          format={(value) => money(value, language())}
          height={210}
        />
      </Card>
      <div class="columns">
        <Top title={text("overview.top_models")} dimension="model" range={range} />
        <Top title={text("overview.top_keys")} dimension="key_id" range={range} />
        <Top title={text("overview.reasons")} dimension="reason" range={range} />
      </div>
    </Page>
  );
}

type RangeProps = { readonly range: ReturnType<typeof useTimeRange> };

function Sums({ range }: RangeProps) {
  const { value, error, isLoading, reload } = useUsage({ range });
  if (isLoading) return <Skeleton lines={2} />;
  if (!value) return error ? <ErrorAlert error={error} onRetry={reload} /> : null;
  const [sum] = value;
  const requests = sum?.requests ?? 0;
  const from = range.choice;
  return (
    <>
      {requests === 0 && <FirstSteps range={range} />}
      <Tiles {...{ sum, requests, from }} />
    </>
  );
}

/** What somebody does first on a gateway that has answered nothing yet: a key, a call seen live, its bill. */
function FirstSteps({ range }: RangeProps) {
  const ever = useUsage({ range: { ...range, from: new Date(0).toISOString() } });
  if (ever.value?.[0]?.requests !== 0 && ever.value?.length !== 0) return null;
  const steps = [
    ["start_key", "ai.createKey", hrefOf("ai/keys", { create: "1" })],
    ["start_live", "ai.requestStream", hrefOf("ai/live")],
    ["start_bill", "ai.requests", hrefOf("ai/requests")],
  ] as const;
  return (
    <Card title={text("overview.start")}>
      <ol class="first-steps">
        {steps
          .filter(([, row]) => isReachable({ row }))
          .map(([name, , href]) => (
            <li key={name}>
              <a href={href}>{text(`overview.${name}`)}</a>
              <p>{text(`overview.${name}_about`)}</p>
            </li>
          ))}
      </ol>
    </Card>
  );
}

interface TilesProps {
  readonly sum: NonNullable<ReturnType<typeof useUsage>["value"]>[number] | undefined;
  readonly requests: number;
  readonly from: string;
}

function Tiles({ sum, requests, from }: TilesProps) {
  return (
    <div class="tiles">
      <Tile label={text("label.cost")} value={<Money value={sum?.cost ?? 0} />} href={hrefOf("ai/costs", { from })} />
      <Tile label={text("label.requests")} value={<Count value={requests} />} href={hrefOf("ai/requests", { from })} />
      <Tile
        label={text("label.failures")}
        value={<Count value={sum?.failures ?? 0} />}
        hint={requests === 0 ? "" : percent((sum?.failures ?? 0) / requests, language())}
        href={hrefOf("ai/costs", { from, group: "reason", metric: "failures" })}
      />
      <Tile
        label={text("label.mean_latency")}
        value={requests === 0 ? "–" : duration((sum?.latency ?? 0) / requests)}
        href={hrefOf("ai/requests", { from })}
      />
      <Tile
        label={text("label.cache_hits")}
        value={<Count value={sum?.cache_hits ?? 0} />}
        hint={<Money value={sum?.saved ?? 0} />}
        href={hrefOf("ai/requests", { from, cache: ["direct", "semantic"] })}
      />
    </div>
  );
}

function Top({ title, dimension, range }: RangeProps & { readonly title: string; readonly dimension: Dimension }) {
  const named = useNames(dimension);
  const query = useUsage({
    range,
    groupBy: [dimension],
    limit: 6,
    order: dimension === "reason" ? "requests" : "cost",
  });
  return (
    <Card title={title} isFlush>
      <ReadTable
        label={title}
        query={query}
        keyOf={(row) => groupOf(row, dimension) ?? String(row.is_other)}
        columns={[
          {
            id: "group",
            name: text("label.name"),
            show: (row) => {
              const id = groupOf(row, dimension);
              if (row.is_other) return text("costs.other");
              if (id === undefined) return text("costs.none");
              return <a href={hrefOf("ai/requests", { [dimension]: id, from: range.choice })}>{named(id)}</a>;
            },
          },
          {
            id: "requests",
            name: text("label.requests"),
            isNumber: true,
            show: (row) => <Count value={row.requests} />,
          },
          { id: "cost", name: text("label.cost"), isNumber: true, show: ({ cost }) => <Money value={cost} /> },
        ]}
      />
    </Card>
  );
}
