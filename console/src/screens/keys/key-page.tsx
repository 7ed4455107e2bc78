import { api } from "../../api/client.ts";
import { useQuery } from "../../api/query.ts";
import { go, hrefOf } from "../../app/router.ts";
import { TimeRangeSelect, useTimeRange } from "../../app/time-range.tsx";
import { money } from "../../format/money.ts";
import { language, text } from "../../i18n/texts.ts";
import { IdCopy } from "../../parts/copy.tsx";
import { Card, Page } from "../../parts/page.tsx";
import { EmptyState, ErrorAlert, Skeleton } from "../../parts/states.tsx";
import { ReadTable } from "../../parts/table.tsx";
import { Facts, Instant } from "../../parts/values.tsx";
import { UsageChart } from "../costs/usage-chart.tsx";
import { LimitChain } from "../limits/limit-chain.tsx";
import { requestColumns } from "../requests/columns.tsx";
import { KeyActions } from "./key-actions.tsx";
import { type AiKey, budgetInWords, KeyState } from "./key-state.tsx";
import { toolsInWords } from "./tool-patterns.ts";
import { useKeys } from "./use-keys.ts";

/** One key on a page of its own: its state, every limit on its way, what it spends, and its last requests. */
export function KeyPage({ id }: { readonly id: string }) {
  const keys = useKeys();
  const row = keys.value?.find((key) => key.id === id);
  return (
    <Page
      title={row?.name ?? text("label.key")}
      crumb={<a href={hrefOf("ai/keys")}>{text("dashboard.ai-keys")}</a>}
      about={<IdCopy value={id} />}
      actions={row && <KeyActions row={row} onDeleted={() => go("ai/keys")} />}
    >
      {keys.error && <ErrorAlert error={keys.error} onRetry={keys.reload} />}
      {row ? (
        <KeyParts row={row} />
      ) : keys.isLoading ? (
        <Skeleton />
      ) : (
        !keys.error && <EmptyState icon="key" title={text("keys.gone")} />
      )}
    </Page>
  );
}

function KeyParts({ row }: { readonly row: AiKey }) {
  const range = useTimeRange("-30d");
  const filters = { key_id: [row.id] };
  return (
    <>
      <div class="columns">
        <Card title={text("requests.facts")}>
          <Facts
            rows={[
              [text("label.state"), <KeyState key="state" row={row} />],
              [text("label.value"), <code key="value">{`…${row.last4}`}</code>],
              [text("label.description"), row.description || "–"],
              [text("label.project"), row.project ?? "–"],
              [text("label.user"), row.user ?? "–"],
              [text("label.budget"), row.budgets.map(budgetInWords).join(", ") || "–"],
              [text("keys.tools"), toolsInWords(row.mcp_configs).split("\n").join(", ") || "–"],
              [text("label.created_at"), <Instant key="created" value={row.created_at} />],
              [
                text("keys.expires"),
                row.expires_at ? <Instant key="end" value={row.expires_at} /> : text("keys.never"),
              ],
            ]}
          />
        </Card>
        <Card title={text("limits.chain")}>
          <LimitChain of={{ key_id: row.id }} />
        </Card>
      </div>
      <Card title={text("overview.spend")} actions={<TimeRangeSelect range={range} />}>
        <UsageChart
          {...{ range, filters, metric: "cost", dimension: "model", height: 190 }}
          format={(value) => money(value, language())}
        />
      </Card>
      <KeyRequests id={row.id} />
    </>
  );
}

function KeyRequests({ id }: { readonly id: string }) {
  const query = useQuery({
    key: ["ai.requests", "of key", id],
    read: (signal) => api.ai.requests({ key_id: [id], limit: 20 }, signal),
  });
  const all = <a href={hrefOf("ai/requests", { key_id: id, from: "-30d" })}>{text("keys.all_requests")}</a>;
  return (
    <Card title={text("console.requests")} actions={all} isFlush>
      <ReadTable
        label={text("console.requests")}
        query={query}
        columns={requestColumns().filter(({ id: column }) => column !== "key" && column !== "project")}
        keyOf={({ event_id }) => event_id}
        onOpen={({ event_id }) => go(`ai/requests/${event_id}`)}
        empty={<EmptyState icon="list" title={text("keys.no_requests")} />}
      />
    </Card>
  );
}
