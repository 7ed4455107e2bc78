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
import { CreateServer } from "./create-server.tsx";
import { addressesOf, useServers } from "./read.ts";
import { type Server, ServerPanel } from "./server-panel.tsx";
import { AllOperations, StatusWord } from "./status.tsx";

/** Servers of all projects. */
export function Servers({ rest: [openId] }: ScreenProps) {
  const { search } = useLocation();
  const wanted = useListSearch();
  const query = useServers();
  const [isNew, setNew] = useState(false);
  const shown = query.value?.filter((one) =>
    isFound(wanted, [one.name, one.id, one.project_name, one.status, addressesOf(one)]),
  );
  const open = query.value?.find(({ id }) => id === openId);
  const create = (
    <Button tone="primary" icon="plus" blockedBy={blockedBy("iaas.createServer")} onPress={() => setNew(true)}>
      {text("infra.create_server")}
    </Button>
  );
  const empty = (
    <EmptyState icon="server" title={text("infra.no_servers")} action={create}>
      {text("infra.no_servers_about")}
    </EmptyState>
  );
  return (
    <Page title={text("dashboard.iaas-servers")} actions={create}>
      <div class="row">
        <SearchBox />
        <AllOperations dashboard="iaas-servers" />
      </div>
      <Card isFlush>
        <ReadTable
          label={text("dashboard.iaas-servers")}
          query={{ ...query, value: shown }}
          columns={serverColumns()}
          keyOf={({ id }) => id}
          selected={openId}
          onOpen={({ id }) => go(`servers/${id}`, search)}
          empty={wanted === "" ? empty : <NoMatch />}
        />
      </Card>
      {open && <ServerPanel key={open.id} server={open} onClose={() => go("servers", search)} />}
      {isNew && <CreateServer onClose={() => setNew(false)} />}
    </Page>
  );
}

function serverColumns(): readonly Column<Server>[] {
  return [
    {
      id: "name",
      name: text("label.name"),
      show: ({ id, name, project_name }) => (
        <a class="cell-main" href={hrefOf(`servers/${id}`)}>
          {name}
          <span class="cell-sub">{project_name}</span>
        </a>
      ),
    },
    { id: "status", name: text("label.state"), show: ({ status }) => <StatusWord status={status} /> },
    { id: "flavor", name: text("infra.flavor"), show: ({ flavor }) => String(flavor?.original_name ?? "–") },
    { id: "addresses", name: text("infra.addresses"), show: (server) => addressesOf(server) || "–" },
    { id: "created", name: text("label.created_at"), show: ({ created }) => <Instant value={created} /> },
  ];
}
