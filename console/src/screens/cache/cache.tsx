import type { AnswerOf } from "../../../../src/operations/calls.ts";
import type { Areas } from "../../../../src/operations/portal/table.ts";
import { api } from "../../api/client.ts";
import { useQuery } from "../../api/query.ts";
import { isFound, NoMatch, SearchBox, useListSearch } from "../../app/list-search.tsx";
import { isReachable } from "../../app/nav.ts";
import { go, hrefOf, useLocation } from "../../app/router.ts";
import type { ScreenProps } from "../../app/screen.ts";
import { TimeRangeSelect, useTimeRange } from "../../app/time-range.tsx";
import { bytes, duration, percent } from "../../format/numbers.ts";
import { language, text } from "../../i18n/texts.ts";
import { Card, Page } from "../../parts/page.tsx";
import { EmptyState, ErrorAlert, Skeleton } from "../../parts/states.tsx";
import { type Column, ReadTable } from "../../parts/table.tsx";
import { Count, Money, Tile } from "../../parts/values.tsx";
import { ScopePanel } from "./scope-panel.tsx";

/** The answer cache: how often it answers, what that saves, and what is stored for whom. */
export function AnswerCache({ rest: [openScope] }: ScreenProps) {
  const { search } = useLocation();
  const range = useTimeRange("-30d");
  const period = { start: range.from, end: range.to };
  const cache = useQuery({
    key: ["ai.cache", period],
    read: (signal) => api.ai.cache(period, signal),
    everyMs: 30_000,
  });
  const isListed = isReachable({ row: "ai.cacheScopes" });
  const scopes = useQuery({
    key: ["ai.cacheScopes", period],
    read: (signal) => api.ai.cacheScopes(period, signal),
    isEnabled: isListed,
  });
  return (
    <Page title={text("dashboard.ai-cache")} about={text("cache.about")} actions={<TimeRangeSelect range={range} />}>
      {cache.isLoading && <Skeleton lines={2} />}
      {cache.error && <ErrorAlert error={cache.error} onRetry={cache.reload} />}
      {cache.value && <Sums cache={cache.value} from={range.choice} />}
      {isListed && <ScopeList query={scopes} openScope={openScope} />}
      {openScope !== undefined && (
        <ScopePanel key={openScope} scope={openScope} onClose={() => go("ai/cache", search)} />
      )}
    </Page>
  );
}

type Cache = AnswerOf<Areas["ai"]["cache"]>;
type Scope = AnswerOf<Areas["ai"]["cacheScopes"]>[number];

function Sums({ cache, from }: { readonly cache: Cache; readonly from: string }) {
  const { is_enabled, hit_rate, hits, saved, answers, bytes: size, ttl, shared_by, is_semantic } = cache;
  const settings = [
    ttl === undefined ? undefined : text("cache.given_for", { time: duration(ttl) }),
    shared_by === undefined ? undefined : text(`cache.shared_by_${shared_by}`),
    is_semantic ? text("cache.semantic") : undefined,
  ].filter((one) => one !== undefined);
  return (
    <>
      {!is_enabled && <p class="alert alert-warn">{text("cache.off")}</p>}
      {settings.length > 0 && <p>{settings.join(" ")}</p>}
      {cache.is_partial && <p class="alert alert-warn">{text("cache.partial")}</p>}
      <div class="tiles">
        <Tile label={text("cache.hit_rate")} value={percent(hit_rate, language())} />
        <Tile
          label={text("label.cache_hits")}
          value={<Count value={hits} />}
          href={hrefOf("ai/requests", { from, cache: ["direct", "semantic"] })}
        />
        <Tile label={text("label.saved")} value={<Money value={saved} />} />
        <Tile label={text("cache.answers")} value={<Count value={answers} />} />
        <Tile label={text("backups.size")} value={size === undefined ? "–" : bytes(size)} />
      </div>
    </>
  );
}

interface ListProps {
  readonly query: Parameters<typeof ReadTable<Scope>>[0]["query"];
  readonly openScope: string | undefined;
}

function ScopeList({ query, openScope }: ListProps) {
  const { search } = useLocation();
  const wanted = useListSearch();
  const value = query.value?.filter(({ name, id, scope }) => isFound(wanted, [name, id, scope]));
  return (
    <>
      <div class="row">
        <SearchBox />
        <a href={hrefOf("d/ai-cache")}>{text("console.all_operations")}</a>
      </div>
      <Card title={text("cache.scopes")} isFlush>
        <ReadTable
          label={text("cache.scopes")}
          query={{ ...query, value }}
          columns={scopeColumns()}
          keyOf={({ scope }) => scope}
          selected={openScope}
          onOpen={({ scope }) => go(`ai/cache/${encodeURIComponent(scope)}`, search)}
          empty={wanted === "" ? <EmptyState icon="archive" title={text("cache.none")} /> : <NoMatch />}
        />
      </Card>
    </>
  );
}

function scopeColumns(): readonly Column<Scope>[] {
  return [
    {
      id: "name",
      name: text("label.name"),
      show: ({ scope, name }) => (
        <a class="cell-main" href={hrefOf(`ai/cache/${encodeURIComponent(scope)}`)}>
          {name}
          <span class="cell-sub">{scope}</span>
        </a>
      ),
    },
    { id: "requests", name: text("label.requests"), isNumber: true, show: (one) => <Count value={one.requests} /> },
    { id: "hits", name: text("label.cache_hits"), isNumber: true, show: ({ hits }) => <Count value={hits} /> },
    {
      id: "rate",
      name: text("cache.hit_rate"),
      isNumber: true,
      show: ({ hit_rate }) => percent(hit_rate, language()),
    },
    { id: "saved", name: text("label.saved"), isNumber: true, show: ({ saved }) => <Money value={saved} /> },
    { id: "answers", name: text("cache.answers"), isNumber: true, show: ({ answers }) => <Count value={answers} /> },
  ];
}
