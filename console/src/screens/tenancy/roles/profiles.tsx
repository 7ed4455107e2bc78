import { useState } from "preact/hooks";
import type { AnswerOf } from "../../../../../src/operations/calls.ts";
import type { Areas } from "../../../../../src/operations/portal/table.ts";
import { api, callRow } from "../../../api/client.ts";
import { useQuery } from "../../../api/query.ts";
import { isReachable } from "../../../app/nav.ts";
import { hrefOf } from "../../../app/router.ts";
import { text } from "../../../i18n/texts.ts";
import { Dialog } from "../../../parts/dialog.tsx";
import { Card } from "../../../parts/page.tsx";
import { EmptyState } from "../../../parts/states.tsx";
import { ReadTable } from "../../../parts/table.tsx";
import { Badge } from "../../../parts/values.tsx";

type TreeNode = AnswerOf<Areas["profiles"]["tree"]>[number];

interface ProfileLine {
  readonly node: TreeNode;
  readonly depth: number;
}

/** A tree of profiles as lines, each with how deep it lies. */
function linesOf(nodes: readonly TreeNode[], depth = 0): readonly ProfileLine[] {
  return nodes.flatMap((node) => [{ node, depth }, ...linesOf(node.children as readonly TreeNode[], depth + 1)]);
}

/** What of a profile can be read, by its type. */
const contents: Readonly<Record<string, string>> = {
  permission: "profiles.permissions",
  dashboard: "profiles.dashboards",
  profile: "profiles.profiles",
};

/** The profiles with those that inherit from them; one opens what it contains. */
export function ProfileTree() {
  const [open, setOpen] = useState<TreeNode>();
  const isAllowed = isReachable({ row: "profiles.tree" });
  const tree = useQuery({
    key: ["profiles.tree"],
    read: (signal) => api.profiles.tree({}, signal),
    isEnabled: isAllowed,
  });
  if (!isAllowed) return null;
  return (
    <Card
      title={text("dashboard.profiles")}
      actions={<a href={hrefOf("d/profiles")}>{text("profiles.manage")}</a>}
      isFlush
    >
      <ReadTable
        label={text("dashboard.profiles")}
        query={{ ...tree, value: tree.value && linesOf(tree.value) }}
        keyOf={({ node, depth }) => `${depth} ${node.id} ${node.parents_ids.join(" ")}`}
        onOpen={({ node }) => contents[node.type] && setOpen(node)}
        empty={<EmptyState icon="badge" title={text("profiles.none")} />}
        columns={[
          {
            id: "name",
            name: text("label.name"),
            show: ({ node, depth }) => (
              <span class={depth === 0 ? "cell-main" : "cell-main tree-child"}>
                {node.name}
                {node.description && <span class="cell-sub">{node.description}</span>}
              </span>
            ),
          },
          { id: "type", name: text("label.type"), show: ({ node }) => node.type },
          {
            id: "inherit",
            name: text("profiles.inheritable"),
            show: ({ node }) => text(node.inheritable ? "message.yes" : "message.no"),
          },
          {
            id: "place",
            name: text("console.tenant"),
            show: ({ node }) => [node.reseller, node.client].filter(Boolean).join(" / ") || text("label.provider"),
          },
        ]}
      />
      {open && <ProfileContents node={open} onClose={() => setOpen(undefined)} />}
    </Card>
  );
}

interface ProfileEntry {
  readonly name: string;
  readonly enabled: boolean;
  readonly description?: string;
}

function ProfileContents({ node, onClose }: { readonly node: TreeNode; readonly onClose: () => void }) {
  const row = contents[node.type] ?? "profiles.permissions";
  const query = useQuery({
    key: [row, node.name],
    read: async (signal) => (await callRow(row, { name: node.name }, signal)).value as readonly ProfileEntry[], // seam: the three rows answer entries with a name and a switch
  });
  return (
    <Dialog title={node.name} isPanel onClose={onClose}>
      <ReadTable
        label={node.name}
        query={query}
        keyOf={({ name }) => name}
        columns={[
          {
            id: "name",
            name: text("label.name"),
            show: ({ name, description }) => (
              <span class="cell-main">
                {description ?? name}
                {description && <span class="cell-sub mono">{name}</span>}
              </span>
            ),
          },
          {
            id: "state",
            name: text("label.state"),
            show: ({ enabled }) => (
              <Badge mood={enabled ? "good" : "bad"}>
                {text(enabled ? "permissions.granted" : "permissions.not_granted")}
              </Badge>
            ),
          },
        ]}
      />
    </Dialog>
  );
}
