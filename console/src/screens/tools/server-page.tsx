import { api } from "../../api/client.ts";
import { useQuery } from "../../api/query.ts";
import { isReachable } from "../../app/nav.ts";
import { go, hrefOf } from "../../app/router.ts";
import { text } from "../../i18n/texts.ts";
import { Card, Page } from "../../parts/page.tsx";
import { EmptyState } from "../../parts/states.tsx";
import { type Column, ReadTable } from "../../parts/table.tsx";
import { Badge, Money } from "../../parts/values.tsx";
import { requestColumns } from "../requests/columns.tsx";
import { approvalMoods, type Tool } from "./tool.ts";
import { ToolAccess } from "./tool-access.tsx";
import { ToolPanel } from "./tool-panel.tsx";

interface ServerProps {
  readonly server: string;
}

/** One MCP server: its tools, who may call any of them, and the last calls. */
export function ServerPage({ server, openTool }: ServerProps & { readonly openTool: string | undefined }) {
  const query = useQuery({ key: ["ai.tools", server], read: (signal) => api.ai.tools({ server }, signal) });
  const open = query.value?.find(({ tool }) => tool === openTool);
  return (
    <Page title={server} crumb={<a href={hrefOf("ai/tools")}>{text("dashboard.ai-tools")}</a>}>
      <Card title={text("tools.tools")} isFlush>
        <ReadTable
          label={text("tools.tools")}
          query={query}
          columns={toolColumns(server)}
          keyOf={({ name }) => name}
          selected={open?.name}
          onOpen={({ tool }) => go(`ai/tools/${server}/${encodeURIComponent(tool)}`)}
          empty={<EmptyState icon="layers" title={text("tools.no_tools")} />}
        />
      </Card>
      {isReachable({ row: "ai.toolAccess" }) && (
        <Card title={text("tools.who")} isFlush>
          <ToolAccess server={server} />
        </Card>
      )}
      {isReachable({ row: "ai.requests" }) && <LastCalls server={server} />}
      {open && <ToolPanel key={open.name} tool={open} onClose={() => go(`ai/tools/${server}`)} />}
    </Page>
  );
}

function toolColumns(server: string): readonly Column<Tool>[] {
  return [
    {
      id: "tool",
      name: text("tools.tool"),
      show: ({ tool, title }) => (
        <a class="cell-main" href={hrefOf(`ai/tools/${server}/${encodeURIComponent(tool)}`)}>
          {tool}
          {title && <span class="cell-sub">{title}</span>}
        </a>
      ),
    },
    {
      id: "description",
      name: text("label.description"),
      show: ({ description = "–" }) => (description.length > 120 ? `${description.slice(0, 120)}…` : description),
    },
    {
      id: "approval",
      name: text("tools.approval"),
      show: ({ approval = "none" }) => (
        <Badge mood={approvalMoods[approval]}>{text(`tools.approval_${approval}`)}</Badge>
      ),
    },
    { id: "price", name: text("tools.price"), isNumber: true, show: ({ price }) => <Money value={price} /> },
  ];
}

/** The last calls of a server's tools, and the way to all of them. */
function LastCalls({ server }: ServerProps) {
  const provider = `mcp.${server}`;
  const query = useQuery({
    key: ["ai.requests", "of tools", server],
    read: (signal) => api.ai.requests({ provider: [provider], limit: 20 }, signal),
  });
  const all = <a href={hrefOf("ai/requests", { provider, from: "-30d" })}>{text("keys.all_requests")}</a>;
  return (
    <Card title={text("tools.calls")} actions={all} isFlush>
      <ReadTable
        label={text("tools.calls")}
        query={query}
        columns={requestColumns()}
        keyOf={({ event_id }) => event_id}
        onOpen={({ event_id }) => go(`ai/requests/${event_id}`)}
        empty={<EmptyState icon="list" title={text("tools.no_calls")} />}
      />
    </Card>
  );
}
