import { api } from "../../api/client.ts";
import { useQuery } from "../../api/query.ts";
import { blockedBy } from "../../app/blocked.ts";
import { isFound, NoMatch, SearchBox, useListSearch } from "../../app/list-search.tsx";
import { go, hrefOf, setSearch, useLocation } from "../../app/router.ts";
import type { ScreenProps } from "../../app/screen.ts";
import { text } from "../../i18n/texts.ts";
import { Button } from "../../parts/button.tsx";
import { Card, Page } from "../../parts/page.tsx";
import { EmptyState } from "../../parts/states.tsx";
import { type Column, ReadTable } from "../../parts/table.tsx";
import { Instant } from "../../parts/values.tsx";
import { type Cluster, clustersOf } from "./cluster.ts";
import { ClusterPage } from "./cluster-page.tsx";
import { CreateCluster } from "./create-cluster.tsx";
import { ConditionBadges, HealthBadge } from "./health-badge.tsx";

/** Clusters of all projects: how each is doing, and what can be done with it. */
export function Clusters({ rest: [namespace, name] }: ScreenProps) {
  const { search } = useLocation();
  const query = useQuery({
    key: ["clusters.allShoots"],
    read: async (signal) => clustersOf(await api.clusters.allShoots({}, signal)),
    everyMs: 15_000,
  });
  if (namespace !== undefined && name !== undefined) return <ClusterPage {...{ namespace, name, query }} />;
  const create = (
    <Button
      tone="primary"
      icon="plus"
      blockedBy={blockedBy("clusters.createShoot")}
      onPress={() => setSearch({ create: "1" }, { replace: false })}
    >
      {text("clusters.create")}
    </Button>
  );
  return (
    <Page title={text("dashboard.clusters")} about={text("clusters.about")} actions={create}>
      <ClusterList {...{ query, create }} />
      {search.create !== undefined && <CreateCluster onClose={() => setSearch({ create: undefined })} />}
    </Page>
  );
}

interface ListProps {
  readonly query: Parameters<typeof ReadTable<Cluster>>[0]["query"];
  readonly create: preact.ComponentChildren;
}

function ClusterList({ query, create }: ListProps) {
  const wanted = useListSearch();
  const shown = query.value?.filter(({ name, project }) => isFound(wanted, [name, project]));
  return (
    <>
      <div class="row">
        <SearchBox />
        <a href={hrefOf("d/clusters")}>{text("console.all_operations")}</a>
      </div>
      <Card isFlush>
        <ReadTable
          label={text("dashboard.clusters")}
          query={{ ...query, value: shown }}
          columns={clusterColumns()}
          keyOf={({ namespace, name }) => `${namespace}/${name}`}
          onOpen={({ namespace, name }) => go(`clusters/${namespace}/${name}`)}
          empty={
            wanted === "" ? (
              <EmptyState icon="grid" title={text("clusters.none")} action={create}>
                {text("clusters.none_about")}
              </EmptyState>
            ) : (
              <NoMatch />
            )
          }
        />
      </Card>
    </>
  );
}

function clusterColumns(): readonly Column<Cluster>[] {
  const workers = ({ object }: Cluster) => object.spec?.provider?.workers ?? [];
  const sum = (all: readonly number[]) => all.reduce((total, one) => total + one, 0);
  return [
    {
      id: "name",
      name: text("label.name"),
      show: ({ name, namespace, project }) => (
        <a class="cell-main" href={hrefOf(`clusters/${namespace}/${name}`)}>
          {name}
          <span class="cell-sub">{project}</span>
        </a>
      ),
    },
    { id: "state", name: text("label.state"), show: ({ object }) => <HealthBadge cluster={object} /> },
    { id: "conditions", name: text("clusters.conditions"), show: ({ object }) => <ConditionBadges cluster={object} /> },
    { id: "version", name: "Kubernetes", show: ({ object }) => object.spec?.kubernetes?.version ?? "–" },
    {
      id: "workers",
      name: text("clusters.machines"),
      isNumber: true,
      show: (one) => {
        const groups = workers(one);
        return `${sum(groups.map(({ minimum }) => minimum))}–${sum(groups.map(({ maximum }) => maximum))}`;
      },
    },
    { id: "region", name: text("label.region"), show: ({ object }) => object.spec?.region ?? "–" },
    {
      id: "created",
      name: text("label.created_at"),
      show: ({ object }) => <Instant value={object.metadata.creationTimestamp} />,
    },
  ];
}
