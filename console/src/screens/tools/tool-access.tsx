import { api } from "../../api/client.ts";
import { useQuery } from "../../api/query.ts";
import { hrefOf } from "../../app/router.ts";
import { text } from "../../i18n/texts.ts";
import { EmptyState } from "../../parts/states.tsx";
import { ReadTable } from "../../parts/table.tsx";
import { Badge } from "../../parts/values.tsx";

const pages = { key: "ai/keys", project: "ai/projects", customer: "ai/customers" } as const;

/** Who may call a tool, or any tool of a server: keys, and the projects and customers that bound them. */
export function ToolAccess({ server, tool }: { readonly server: string; readonly tool?: string }) {
  const asked = { server, ...(tool === undefined ? {} : { tool }) };
  const query = useQuery({ key: ["ai.toolAccess", asked], read: (signal) => api.ai.toolAccess(asked, signal) });
  return (
    <ReadTable
      label={text("tools.who")}
      query={query}
      keyOf={({ level, id }) => `${level} ${id}`}
      empty={
        <EmptyState icon="key" title={text("tools.no_access")}>
          {text("tools.no_access_about")}
        </EmptyState>
      }
      columns={[
        {
          id: "name",
          name: text("label.name"),
          show: ({ level, id, name }) => (
            <a class="cell-main" href={hrefOf(`${pages[level]}/${id}`)}>
              {name}
              <span class="cell-sub">{text(`label.${level}`)}</span>
            </a>
          ),
        },
        {
          id: "state",
          name: text("label.state"),
          show: ({ is_active }) => (
            <Badge mood={is_active ? "good" : "plain"}>{text(is_active ? "label.active" : "keys.disabled")}</Badge>
          ),
        },
        { id: "allowed", name: text("tools.allowed"), show: ({ allowed_tools }) => allowed_tools.join(", ") || "–" },
        { id: "blocked", name: text("tools.blocked"), show: ({ blocked_tools }) => blocked_tools.join(", ") || "–" },
      ]}
    />
  );
}
