import { useState } from "preact/hooks";
import { blockedBy } from "../../app/blocked.ts";
import { isFound, NoMatch, SearchBox, useListSearch } from "../../app/list-search.tsx";
import { go, hrefOf, useLocation } from "../../app/router.ts";
import type { ScreenProps } from "../../app/screen.ts";
import { text } from "../../i18n/texts.ts";
import { Button } from "../../parts/button.tsx";
import { Card, Page } from "../../parts/page.tsx";
import { EmptyState } from "../../parts/states.tsx";
import { type Column, ReadTable } from "../../parts/table.tsx";
import { Instant } from "../../parts/values.tsx";
import { CreateVolume } from "./create-volume.tsx";
import { useProjects, useServers, useVolumes, type Volume } from "./read.ts";
import { AllOperations, StatusWord } from "./status.tsx";
import { VolumePanel } from "./volume-panel.tsx";

/** Volumes of all projects, and the servers that use them. */
export function Volumes({ rest: [openId] }: ScreenProps) {
  const { search } = useLocation();
  const wanted = useListSearch();
  const query = useVolumes();
  const [servers, projects] = [useServers(), useProjects()];
  const [isNew, setNew] = useState(false);
  const nameOfServer = (id = "") => servers.value?.find((one) => one.id === id)?.name ?? id;
  const nameOfProject = (id = "") => projects.value?.find((one) => one.id === id)?.name ?? id;
  const names = { server: nameOfServer, project: nameOfProject };
  const shown = query.value?.filter((one) =>
    isFound(wanted, [one.name, one.id, one.status, one.volume_type, nameOfProject(one.project_id)]),
  );
  const open = query.value?.find(({ id }) => id === openId);
  const create = (
    <Button tone="primary" icon="plus" blockedBy={blockedBy("iaas.createVolume")} onPress={() => setNew(true)}>
      {text("infra.create_volume")}
    </Button>
  );
  const empty = <EmptyState icon="disk" title={text("infra.no_volumes")} action={create} />;
  return (
    <Page title={text("dashboard.iaas-volumes")} actions={create}>
      <div class="row">
        <SearchBox />
        <AllOperations dashboard="iaas-volumes" />
      </div>
      <Card isFlush>
        <ReadTable
          label={text("dashboard.iaas-volumes")}
          query={{ ...query, value: shown }}
          columns={volumeColumns(names)}
          keyOf={({ id }) => id}
          selected={openId}
          onOpen={({ id }) => go(`volumes/${id}`, search)}
          empty={wanted === "" ? empty : <NoMatch />}
        />
      </Card>
      {open && <VolumePanel key={open.id} volume={open} names={names} onClose={() => go("volumes", search)} />}
      {isNew && <CreateVolume onClose={() => setNew(false)} />}
    </Page>
  );
}

/** The names of servers and projects by their ids. */
export interface Names {
  readonly server: (id?: string) => string;
  readonly project: (id?: string) => string;
}

function volumeColumns(names: Names): readonly Column<Volume>[] {
  return [
    {
      id: "name",
      name: text("label.name"),
      show: ({ id, name, project_id }) => (
        <a class="cell-main" href={hrefOf(`volumes/${id}`)}>
          {name || id}
          <span class="cell-sub">{names.project(project_id)}</span>
        </a>
      ),
    },
    { id: "status", name: text("label.state"), show: ({ status }) => <StatusWord status={status} /> },
    { id: "size", name: text("backups.size"), isNumber: true, show: ({ size }) => `${size ?? "?"} GiB` },
    { id: "type", name: text("label.type"), show: ({ volume_type }) => volume_type ?? "–" },
    {
      id: "servers",
      name: text("infra.attached_to"),
      show: ({ attachments = [] }) =>
        attachments.map(({ server_id }) => names.server(server_id)).join(", ") || <span class="faint">–</span>,
    },
    { id: "created", name: text("label.created_at"), show: ({ created_at }) => <Instant value={created_at} /> },
  ];
}
