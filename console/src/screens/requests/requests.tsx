import { isReachable } from "../../app/nav.ts";
import { go, hrefOf, useLocation } from "../../app/router.ts";
import type { ScreenProps } from "../../app/screen.ts";
import { listOf, type SearchValues } from "../../app/search.ts";
import { type TimeRange, TimeRangeSelect, useTimeRange } from "../../app/time-range.tsx";
import { compact, count } from "../../format/numbers.ts";
import { language, text } from "../../i18n/texts.ts";
import { Button } from "../../parts/button.tsx";
import { LongTable } from "../../parts/long-table/long-table.tsx";
import { Card, Page } from "../../parts/page.tsx";
import { EmptyState, ErrorAlert, Skeleton } from "../../parts/states.tsx";
import { UsageChart } from "../costs/usage-chart.tsx";
import { type AiRequest, requestColumns } from "./columns.tsx";
import { ExportButton } from "./export.tsx";
import { FilterBar } from "./filters.tsx";
import { useRequestPages } from "./pages.ts";
import { RequestPage } from "./request.tsx";
import { SavedViews } from "./views.tsx";

/** The requests of the caller's tenant, one by one: every number of the console opens this list. */
export function Requests({ rest: [eventId] }: ScreenProps) {
  return eventId === undefined ? <RequestList /> : <RequestPage key={eventId} eventId={eventId} />;
}

/** The filters that the address may hold, as the row takes them. */
const filterNames = ["status", "model", "provider", "key_id", "project_id", "customer_id", "reason", "cache", "user"];

function filtersOf(search: SearchValues): Record<string, readonly string[]> {
  const set = filterNames.map((name) => [name, listOf(search[name])] as const);
  return Object.fromEntries(set.filter(([, values]) => values.length > 0));
}

function RequestList() {
  const { search } = useLocation();
  const range = useTimeRange();
  const filters = filtersOf(search);
  const question = { ...filters, from: range.from, to: range.to };
  const query = useRequestPages(question);
  const isFiltered = Object.keys(filters).length > 0;
  const { value: rows, error, reload, isFetching } = query;
  return (
    <Page
      title={text("console.requests")}
      about={text("requests.about")}
      actions={
        <>
          <SavedViews />
          <ExportButton question={question} />
          <TimeRangeSelect range={range} />
          <Button icon="refresh" label={text("action.refresh")} onPress={reload} isPending={isFetching} />
        </>
      }
    >
      <FilterBar filters={filters} rows={rows ?? []} />
      <Histogram range={range} filters={filters} search={search} />
      <Card isFlush>
        {query.isLoading && <Skeleton />}
        {error && <ErrorAlert error={error} onRetry={reload} />}
        {rows?.length === 0 && <NoRequests isFiltered={isFiltered} />}
        {rows && rows.length > 0 && <RequestTable {...{ rows, more: query.more, hasMore: query.hasMore }} />}
      </Card>
    </Page>
  );
}

interface RequestTableProps {
  readonly rows: readonly AiRequest[];
  readonly more: () => void;
  readonly hasMore: boolean;
}

function RequestTable({ rows, more, hasMore }: RequestTableProps) {
  return (
    <>
      <LongTable
        label={text("console.requests")}
        rows={rows}
        columns={requestColumns()}
        keyOf={(row) => row.event_id}
        onOpen={({ event_id }) => go(`ai/requests/${event_id}`)}
        onEnd={more}
      />
      <p class="table-foot faint" role="status">
        {text(hasMore ? "requests.so_far" : "requests.in_all", { count: count(rows.length, language()) })}
      </p>
    </>
  );
}

interface HistogramProps {
  readonly range: TimeRange;
  readonly filters: Readonly<Record<string, readonly string[]>>;
  readonly search: SearchValues;
}

/** How many requests there were when; a bar opens those that it counts. */
function Histogram({ range, filters, search }: HistogramProps) {
  if (!isReachable({ row: "ai.usage" })) return null;
  return (
    <Card>
      <UsageChart
        {...{ range, filters, metric: "requests", dimension: "reason", height: 130 }}
        format={(value) => compact(value, language())}
        hrefOf={(from, to) => hrefOf("ai/requests", { ...search, from, to })}
      />
    </Card>
  );
}

function NoRequests({ isFiltered }: { readonly isFiltered: boolean }) {
  if (!isFiltered)
    return (
      <EmptyState icon="list" title={text("requests.none")}>
        {text("requests.none_hint")}
      </EmptyState>
    );
  const clear = <a href={hrefOf("ai/requests")}>{text("action.clear_filters")}</a>;
  return <EmptyState icon="search" title={text("message.no_match")} action={clear} />;
}
