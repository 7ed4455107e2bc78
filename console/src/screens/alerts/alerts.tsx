import { api } from "../../api/client.ts";
import { useQuery } from "../../api/query.ts";
import { isFound, NoMatch, SearchBox, useListSearch } from "../../app/list-search.tsx";
import { isReachable } from "../../app/nav.ts";
import { go, hrefOf, setSearch, useLocation } from "../../app/router.ts";
import type { ScreenProps } from "../../app/screen.ts";
import { textOf } from "../../app/search.ts";
import { text } from "../../i18n/texts.ts";
import { Select } from "../../parts/field.tsx";
import { Card, Page, Tabs } from "../../parts/page.tsx";
import { EmptyState } from "../../parts/states.tsx";
import { type Column, ReadTable } from "../../parts/table.tsx";
import { Badge, Count, Instant } from "../../parts/values.tsx";
import { type Alert, placeOf } from "./alert.ts";
import { Channels } from "./channels.tsx";
import { placeColumns } from "./place.ts";
import { Rules } from "./rules.tsx";

const tabRows = { list: "alerts.list", rules: "alerts.rules", channels: "alerts.channels" } as const;
const tabNames = ["list", "rules", "channels"] as const;

/** Alerts: what holds now and did before, the rules that look for it, and the channels that tell of it. */
export function Alerts({ rest: [first, openId] }: ScreenProps) {
  const open = tabNames.find((name) => name === first) ?? "list";
  const allowed = tabNames.filter((name) => isReachable({ row: tabRows[name] }));
  return (
    <Page title={text("dashboard.alerts")} about={text("alerts.about")}>
      <Tabs
        tabs={allowed.map((name) => [name, text(`alerts.tab_${name}`)] as const)}
        active={open}
        onChange={(id) => go(id === "list" ? "alerts" : `alerts/${id}`)}
      />
      {open === "list" && <AlertList />}
      {open === "rules" && <Rules openId={openId} />}
      {open === "channels" && <Channels openId={openId} />}
    </Page>
  );
}

const statuses = ["open", "resolved"] as const;

function AlertList() {
  const { search } = useLocation();
  const wanted = useListSearch();
  const status = statuses.find((one) => one === textOf(search.status));
  const query = useQuery({
    key: ["alerts.list", status ?? ""],
    read: (signal) => api.alerts.list(status ? { status } : {}, signal),
    everyMs: 30_000,
  });
  const shown = query.value
    ?.filter((one) => isFound(wanted, [one.text, one.rule, one.subject]))
    .sort((one, other) => other.opened_at.localeCompare(one.opened_at));
  const isFiltered = wanted !== "" || status !== undefined;
  return (
    <>
      <div class="row">
        <SearchBox />
        <Select
          label={text("label.state")}
          value={status ?? ""}
          choices={[["", text("label.state")], ...statuses.map((one) => [one, text(`alerts.${one}`)] as const)]}
          onChange={(value) => setSearch({ status: value || undefined })}
        />
      </div>
      <Card isFlush>
        <ReadTable
          label={text("dashboard.alerts")}
          query={{ ...query, value: shown }}
          columns={[...alertColumns(), ...placeColumns(query.value)]}
          keyOf={({ id }) => id}
          empty={isFiltered ? <NoMatch /> : <NoAlerts />}
        />
      </Card>
    </>
  );
}

function NoAlerts() {
  return (
    <EmptyState
      icon="bell"
      title={text("alerts.none")}
      action={<a href={hrefOf("alerts/rules")}>{text("alerts.to_rules")}</a>}
    >
      {text("alerts.none_about")}
    </EmptyState>
  );
}

function alertColumns(): readonly Column<Alert>[] {
  return [
    {
      id: "status",
      name: text("label.state"),
      show: ({ status }) => <Badge mood={status === "open" ? "bad" : "good"}>{text(`alerts.${status}`)}</Badge>,
    },
    { id: "text", name: text("alerts.what"), show: (alert) => <Sentence alert={alert} /> },
    {
      id: "rule",
      name: text("alerts.rule"),
      show: ({ rule, rule_id }) =>
        isReachable({ row: "alerts.rules" }) ? <a href={hrefOf(`alerts/rules/${rule_id}`)}>{rule}</a> : rule,
    },
    { id: "opened", name: text("alerts.since"), show: ({ opened_at }) => <Instant value={opened_at} /> },
    { id: "resolved", name: text("alerts.resolved"), show: ({ resolved_at }) => <Instant value={resolved_at ?? ""} /> },
    { id: "times", name: text("alerts.times"), isNumber: true, show: ({ occurrence }) => <Count value={occurrence} /> },
  ];
}

/** What an alert says; it opens what it is about. */
function Sentence({ alert }: { readonly alert: Alert }) {
  const place = placeOf(alert);
  if (place === undefined) return <span class="cell-main">{alert.text}</span>;
  return (
    <a class="cell-main" href={hrefOf(place)}>
      {alert.text}
    </a>
  );
}
