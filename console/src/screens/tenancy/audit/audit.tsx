import { useState } from "preact/hooks";
import { api } from "../../../api/client.ts";
import { useQuery } from "../../../api/query.ts";
import { NoMatch } from "../../../app/list-search.tsx";
import { setSearch, useLocation } from "../../../app/router.ts";
import { textOf } from "../../../app/search.ts";
import { TimeRangeSelect, useTimeRange } from "../../../app/time-range.tsx";
import { text } from "../../../i18n/texts.ts";
import { Button } from "../../../parts/button.tsx";
import { Card, Page } from "../../../parts/page.tsx";
import { EmptyState } from "../../../parts/states.tsx";
import { type Column, ReadTable } from "../../../parts/table.tsx";
import { Badge, Instant } from "../../../parts/values.tsx";
import { AuditFilters, filterNames } from "./audit-filters.tsx";
import { type AuditEntry, AuditPanel } from "./audit-panel.tsx";

const pageSize = 50;

/** Who changed what, when, and with what outcome; filters and page live in the address. */
export function Audit() {
  const { search } = useLocation();
  const range = useTimeRange("-30d");
  const [open, setOpen] = useState<AuditEntry>();
  const filters = Object.fromEntries(
    filterNames.flatMap((name) => (textOf(search[name]) === "" ? [] : [[name, textOf(search[name])] as const])),
  );
  const after = textOf(search.after);
  const question = { ...filters, from: range.from, to: range.to, limit: pageSize, ...(after && { after }) };
  const query = useQuery({
    key: ["users.audit", filters, range.choice, range.to, after],
    read: (signal) => api.users.audit(question, signal),
  });
  const { value } = query;
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <Page
      title={text("dashboard.audit")}
      about={text("audit.about")}
      actions={
        <>
          <TimeRangeSelect range={range} />
          <Button icon="refresh" label={text("action.refresh")} onPress={query.reload} isPending={query.isFetching} />
        </>
      }
    >
      <AuditFilters filters={filters} entries={value?.entries ?? []} />
      <Card isFlush>
        <ReadTable
          label={text("dashboard.audit")}
          query={{ ...query, value: value?.entries }}
          columns={auditColumns()}
          keyOf={({ id }) => id}
          onOpen={setOpen}
          selected={open?.id}
          empty={isFiltered ? <NoMatch /> : <EmptyState icon="history" title={text("audit.none")} />}
        />
      </Card>
      <div class="row">
        {after !== "" && (
          <Button isSmall onPress={() => setSearch({ after: undefined })}>
            {text("action.newest")}
          </Button>
        )}
        {value?.next !== undefined && (
          <Button isSmall onPress={() => setSearch({ after: value.next }, { replace: false })}>
            {text("action.older")}
          </Button>
        )}
      </div>
      {open && <AuditPanel entry={open} onClose={() => setOpen(undefined)} />}
    </Page>
  );
}

function auditColumns(): readonly Column<AuditEntry>[] {
  return [
    { id: "at", name: text("label.time"), show: ({ created_at }) => <Instant value={created_at} /> },
    {
      id: "actor",
      name: text("audit.actor"),
      show: ({ actor, user_id }) => (
        <span class="cell-main">
          {actor?.username ?? user_id ?? "–"}
          {actor?.token_name && <span class="cell-sub">{actor.token_name}</span>}
        </span>
      ),
    },
    { id: "operation", name: text("label.operation"), show: ({ operation }) => <code>{operation}</code> },
    {
      id: "target",
      name: text("label.target"),
      show: ({ target, target_id }) => (
        <span>
          {Object.values(target).join(" · ") || "–"}
          {target_id && <span class="cell-sub mono">{target_id}</span>}
        </span>
      ),
    },
    { id: "changed", name: text("audit.changed"), show: ({ changed }) => changed?.join(", ") || "–" },
    {
      id: "outcome",
      name: text("audit.outcome"),
      show: ({ outcome, count }) => (
        <Badge mood={outcome === "ok" ? "good" : "bad"}>
          {count === undefined ? outcome : `${outcome} × ${count}`}
        </Badge>
      ),
    },
  ];
}
