import type { QueryState } from "../../api/query.ts";
import { isFound, NoMatch, SearchBox, useListSearch } from "../../app/list-search.tsx";
import { go, useLocation } from "../../app/router.ts";
import { textOf } from "../../app/search.ts";
import { text } from "../../i18n/texts.ts";
import { Card, Page, Tabs } from "../../parts/page.tsx";
import { EmptyState, ErrorAlert, Skeleton } from "../../parts/states.tsx";
import { type Column, ReadTable } from "../../parts/table.tsx";
import { Instant } from "../../parts/values.tsx";
import { type NetworkThing, useBalancers, useNetworks, useProjects, useServers, useVolumes } from "./read.ts";
import { AllOperations, StatusWord } from "./status.tsx";
import { topologyOf } from "./topology.ts";
import { TopologyMap } from "./topology-map.tsx";

const tabs = ["map", "networks", "routers", "floating_ips", "security_groups", "balancers"] as const;
type Tab = (typeof tabs)[number];

/** Networks and what is on them: as a drawing of each project, and as lists. */
export function Networks() {
  const { search } = useLocation();
  const tab = tabs.find((one) => one === textOf(search.tab)) ?? "map";
  return (
    <Page title={text("dashboard.iaas-networks")} about={text("infra.networks_about")}>
      <Tabs
        tabs={tabs.map((one) => [one, text(`infra.tab_${one}`)] as const)}
        active={tab}
        onChange={(id) => go("networks", { tab: id === "map" ? undefined : id })}
      />
      {tab === "map" ? <Maps /> : <Things tab={tab} />}
    </Page>
  );
}

/** One drawing for each project. What cannot be read is named; the rest is drawn. */
function Maps() {
  const [networks, projects, servers, volumes, balancers] = [
    useNetworks(),
    useProjects(),
    useServers(),
    useVolumes(),
    useBalancers(),
  ];
  const all = [networks, projects, servers, volumes, balancers];
  if (all.some(({ isLoading }) => isLoading)) return <Skeleton />;
  const failed = all.filter(({ error }) => error);
  const { routers = [], ports = [], networks: nets = [] } = networks.value ?? {};
  const infrastructure = {
    ...{ routers, ports, networks: nets, servers: servers.value ?? [] },
    ...{ volumes: volumes.value ?? [] },
    balancers: (balancers.value ?? []).map((one) => ({
      ...one,
      status: one.status ?? textIn(one, "operating_status"),
    })),
  };
  const drawn = (projects.value ?? [])
    .map(({ id, name }) => ({ id, name, topology: topologyOf(infrastructure, id) }))
    .filter(({ topology }) => topology.nodes.length > 0);
  return (
    <>
      {failed.map(({ error, reload }) => error && <ErrorAlert key={error.message} error={error} onRetry={reload} />)}
      {drawn.length === 0 && failed.length === 0 && <EmptyState icon="network" title={text("infra.nothing_to_draw")} />}
      {drawn.map(({ id, name, topology }) => (
        <Card key={id} title={name}>
          <TopologyMap {...{ name, topology }} />
        </Card>
      ))}
    </>
  );
}

function Things({ tab }: { readonly tab: Exclude<Tab, "map"> }) {
  const wanted = useListSearch();
  const networks = useNetworks();
  const balancers = useBalancers();
  const projects = useProjects();
  const query: QueryState<readonly NetworkThing[]> =
    tab === "balancers" ? balancers : { ...networks, value: networks.value?.[tab] };
  const nameOf = (id = "") => projects.value?.find((one) => one.id === id)?.name ?? id;
  const value = query.value?.filter((one) =>
    isFound(wanted, [one.name, one.id, nameOf(one.project_id), addressIn(one), textIn(one, "description")]),
  );
  return (
    <>
      <div class="row">
        <SearchBox />
        <AllOperations dashboard="iaas-networks" />
      </div>
      <Card isFlush>
        <ReadTable
          label={text(`infra.tab_${tab}`)}
          query={{ ...query, value }}
          columns={thingColumns(nameOf)}
          keyOf={({ id }) => id}
          empty={wanted === "" ? <EmptyState icon="network" title={text("message.empty")} /> : <NoMatch />}
        />
      </Card>
    </>
  );
}

function textIn(thing: NetworkThing, field: string): string | undefined {
  const value = thing[field];
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** The address of a thing, by the names that services give to it. */
function addressIn(thing: NetworkThing): string | undefined {
  return textIn(thing, "floating_ip_address") ?? textIn(thing, "vip_address");
}

function thingColumns(nameOf: (id?: string) => string): readonly Column<NetworkThing>[] {
  return [
    {
      id: "name",
      name: text("label.name"),
      show: (one) => (
        <span class="cell-main">
          {one.name || addressIn(one) || one.id}
          <span class="cell-sub">{nameOf(one.project_id)}</span>
        </span>
      ),
    },
    {
      id: "status",
      name: text("label.state"),
      show: (one) => <StatusWord status={one.status ?? textIn(one, "operating_status")} />,
    },
    { id: "address", name: text("infra.addresses"), show: (one) => addressIn(one) ?? "–" },
    { id: "about", name: text("label.description"), show: (one) => textIn(one, "description") ?? "–" },
    { id: "created", name: text("label.created_at"), show: (one) => <Instant value={textIn(one, "created_at")} /> },
  ];
}
