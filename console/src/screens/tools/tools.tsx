import { api } from "../../api/client.ts";
import { useQuery } from "../../api/query.ts";
import { isFound, NoMatch, SearchBox, useListSearch } from "../../app/list-search.tsx";
import { go, hrefOf } from "../../app/router.ts";
import type { ScreenProps } from "../../app/screen.ts";
import { text } from "../../i18n/texts.ts";
import { Card, Page } from "../../parts/page.tsx";
import { EmptyState } from "../../parts/states.tsx";
import { type Column, ReadTable } from "../../parts/table.tsx";
import { Badge, Count } from "../../parts/values.tsx";
import { ServerPage } from "./server-page.tsx";
import { stateMoods, type ToolServer } from "./tool.ts";

/** MCP servers: how they are, their tools, who may call them, and what waits for approval. */
export function Tools({ rest: [server, tool] }: ScreenProps) {
  return server === undefined ? <ServerList /> : <ServerPage key={server} server={server} openTool={tool} />;
}

function ServerList() {
  const wanted = useListSearch();
  const query = useQuery({
    key: ["ai.toolServers"],
    read: (signal) => api.ai.toolServers({}, signal),
    everyMs: 30_000,
  });
  const shown = query.value?.filter(({ name, transport }) => isFound(wanted, [name, transport]));
  const empty = (
    <EmptyState icon="layers" title={text("tools.none")}>
      {text("tools.none_about")}
    </EmptyState>
  );
  return (
    <Page title={text("dashboard.ai-tools")} about={text("tools.about")}>
      <div class="row">
        <SearchBox />
      </div>
      <Card isFlush>
        <ReadTable
          label={text("dashboard.ai-tools")}
          query={{ ...query, value: shown }}
          columns={serverColumns()}
          keyOf={({ name }) => name}
          onOpen={({ name }) => go(`ai/tools/${name}`)}
          empty={wanted === "" ? empty : <NoMatch />}
        />
      </Card>
    </Page>
  );
}

function serverColumns(): readonly Column<ToolServer>[] {
  return [
    {
      id: "name",
      name: text("label.name"),
      show: ({ name, transport }) => (
        <a class="cell-main" href={hrefOf(`ai/tools/${name}`)}>
          {name}
          <span class="cell-sub">{text(`tools.transport_${transport}`)}</span>
        </a>
      ),
    },
    {
      id: "state",
      name: text("label.state"),
      show: ({ state, message }) => (
        <>
          <Badge mood={stateMoods[state]}>{text(`tools.state_${state}`)}</Badge>
          {message && <span class="cell-sub">{message}</span>}
        </>
      ),
    },
    { id: "tools", name: text("tools.tools"), isNumber: true, show: ({ tools }) => <Count value={tools} /> },
    {
      id: "held",
      name: text("tools.held"),
      isNumber: true,
      show: ({ held = 0 }) => (held > 0 ? <Badge mood="warn">{String(held)}</Badge> : "–"),
    },
    {
      id: "circuits",
      name: text("health.circuit"),
      show: ({ open_circuits }) => (open_circuits.length === 0 ? "–" : open_circuits.join(", ")),
    },
  ];
}
