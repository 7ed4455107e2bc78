import { isReachable } from "../../app/nav.ts";
import { hrefOf } from "../../app/router.ts";
import { TimeRangeSelect, useTimeRange } from "../../app/time-range.tsx";
import { money } from "../../format/money.ts";
import { language, text } from "../../i18n/texts.ts";
import { Card } from "../../parts/page.tsx";
import { UsageChart } from "../costs/usage-chart.tsx";

/** What an owner of keys spends over time; a bar's requests are one click away. */
export function OwnerSpend({ filters }: { readonly filters: Readonly<Record<string, readonly string[]>> }) {
  const range = useTimeRange("-30d");
  if (!isReachable({ row: "ai.usage" })) return null;
  return (
    <Card
      title={text("overview.spend")}
      actions={
        <>
          <a href={hrefOf("ai/requests", { ...filters, from: range.choice })}>{text("console.requests")}</a>
          <TimeRangeSelect range={range} />
        </>
      }
    >
      <UsageChart
        {...{ range, filters, metric: "cost", dimension: "model", height: 190 }}
        format={(value) => money(value, language())}
      />
    </Card>
  );
}
