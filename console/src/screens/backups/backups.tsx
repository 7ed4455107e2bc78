import { useState } from "preact/hooks";
import { api } from "../../api/client.ts";
import { useQuery } from "../../api/query.ts";
import { isFound, NoMatch, SearchBox, useListSearch } from "../../app/list-search.tsx";
import { go, hrefOf, setSearch, useLocation } from "../../app/router.ts";
import type { ScreenProps } from "../../app/screen.ts";
import { textOf } from "../../app/search.ts";
import { text } from "../../i18n/texts.ts";
import { Select } from "../../parts/field.tsx";
import { Card, Page, Tabs } from "../../parts/page.tsx";
import { EmptyState } from "../../parts/states.tsx";
import { type Column, ReadTable } from "../../parts/table.tsx";
import { Badge, Instant, type Mood } from "../../parts/values.tsx";
import { BackupPanel } from "./backup-panel.tsx";
import { BackupCalendar } from "./calendar.tsx";
import { type BackupEntry, timeOf } from "./chain.ts";
import { Policies } from "./policies.tsx";
import { useVolumes } from "./use-volumes.ts";

const tabNames = ["list", "calendar", "policies"] as const;

/** Backups: what there is, on which day one is missing, and when the next are made. */
export function Backups({ rest: [openId] }: ScreenProps) {
  const { search } = useLocation();
  const tab = tabNames.find((name) => name === textOf(search.tab)) ?? "list";
  const query = useQuery({ key: ["backups.list"], read: (signal) => api.backups.list({}, signal), everyMs: 15_000 });
  const tabs = tabNames.map((name) => [name, text(`backups.tab_${name}`)] as const);
  return (
    <Page title={text("dashboard.backups")} about={text("backups.about")}>
      <Tabs tabs={tabs} active={tab} onChange={(id) => go("backups", { tab: id === "list" ? undefined : id })} />
      {tab === "list" && <BackupList {...{ query, openId }} />}
      {tab === "calendar" && <BackupCalendar query={query} />}
      {tab === "policies" && <Policies />}
    </Page>
  );
}

interface ListProps {
  readonly query: Parameters<typeof ReadTable<BackupEntry>>[0]["query"];
  readonly openId: string | undefined;
}

function BackupList({ query, openId }: ListProps) {
  const { search } = useLocation();
  const wanted = useListSearch();
  const volumes = useVolumes();
  const [now] = useState(() => Date.now());
  const state = textOf(search.state);
  const all = query.value;
  const shown = all
    ?.filter(
      (one) => (state === "" || one.state === state) && isFound(wanted, [one.id, volumes.nameOf(one.resource_id)]),
    )
    .sort((one, other) => timeOf(other) - timeOf(one));
  const states = [...new Set(all?.map((one) => one.state))].sort().map((one) => [one, one] as const);
  const open = all?.find(({ id }) => id === openId);
  const isFiltered = wanted !== "" || state !== "";
  return (
    <>
      <div class="row">
        <SearchBox />
        <Select
          label={text("label.state")}
          value={state}
          choices={[["", text("label.state")], ...states]}
          onChange={(value) => setSearch({ state: value || undefined })}
        />
      </div>
      <Card isFlush>
        <ReadTable
          label={text("dashboard.backups")}
          query={{ ...query, value: shown }}
          columns={backupColumns(volumes.nameOf, now)}
          keyOf={({ id }) => id}
          selected={openId}
          onOpen={({ id }) => go(`backups/${id}`, search)}
          empty={isFiltered ? <NoMatch /> : <EmptyState icon="archive" title={text("backups.none")} />}
        />
      </Card>
      {open && (
        <BackupPanel
          key={open.id}
          backup={open}
          all={all ?? []}
          volumes={volumes}
          onClose={() => go("backups", search)}
        />
      )}
    </>
  );
}

const moods: Readonly<Record<string, Mood>> = { available: "good", failed: "bad", error: "bad", scheduled: "primary" };

function backupColumns(nameOf: (id: string) => string, now: number): readonly Column<BackupEntry>[] {
  const isPast = (instant: string | undefined) => instant !== undefined && Date.parse(instant) < now;
  return [
    {
      id: "resource",
      name: text("backups.resource"),
      show: ({ id, resource_id, resource_type }) => (
        <a class="cell-main" href={hrefOf(`backups/${id}`)}>
          {nameOf(resource_id)}
          <span class="cell-sub">{resource_type}</span>
        </a>
      ),
    },
    {
      id: "state",
      name: text("label.state"),
      show: ({ state }) => <Badge mood={moods[state] ?? "plain"}>{state}</Badge>,
    },
    {
      id: "kind",
      name: text("label.type"),
      show: ({ is_full }) => text(is_full ? "backups.full" : "backups.incremental"),
    },
    { id: "policy", name: text("backups.policy"), show: ({ policy_id }) => policy_id ?? "–" },
    { id: "at", name: text("label.time"), show: (one) => <Instant value={one.processed_date ?? one.schedule_date} /> },
    {
      id: "until",
      name: text("backups.until"),
      show: ({ time_to_live: until }) =>
        isPast(until) ? <Badge mood="warn">{text("keys.expired")}</Badge> : <Instant value={until} />,
    },
    { id: "message", name: text("backups.message"), show: ({ message, reason }) => message ?? reason ?? "–" },
  ];
}
