import { useState } from "preact/hooks";
import { api } from "../../api/client.ts";
import { useChange } from "../../api/query.ts";
import { blockedBy } from "../../app/blocked.ts";
import { text } from "../../i18n/texts.ts";
import { Button } from "../../parts/button.tsx";
import { ConfirmDialog } from "../../parts/form-dialog.tsx";
import { Card } from "../../parts/page.tsx";
import { EmptyState } from "../../parts/states.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import type { Cluster, WorkerSpec } from "./cluster.ts";
import { WorkerForm } from "./worker-form.tsx";

type Act = { readonly kind: "new" } | { readonly kind: "change" | "delete"; readonly group: WorkerSpec };

/** The groups of machines of a cluster: add one, change its size, delete it. */
export function WorkerGroups({ cluster }: { readonly cluster: Cluster }) {
  const [act, setAct] = useState<Act>();
  const groups = cluster.object.spec?.provider?.workers ?? [];
  const close = () => setAct(undefined);
  return (
    <Card
      title={text("clusters.workers")}
      isFlush
      actions={
        <Button
          isSmall
          icon="plus"
          blockedBy={blockedBy("clusters.createWorkerGroup")}
          onPress={() => setAct({ kind: "new" })}
        >
          {text("clusters.add_group")}
        </Button>
      }
    >
      {groups.length === 0 ? (
        <EmptyState icon="server" title={text("clusters.no_groups")} />
      ) : (
        <Table
          label={text("clusters.workers")}
          rows={groups}
          keyOf={({ name }) => name}
          columns={groupColumns(setAct, groups.length)}
        />
      )}
      {act?.kind === "new" && <WorkerForm cluster={cluster} onClose={close} />}
      {act?.kind === "change" && <WorkerForm {...{ cluster, group: act.group }} onClose={close} />}
      {act?.kind === "delete" && <DeleteGroup {...{ cluster, group: act.group }} onClose={close} />}
    </Card>
  );
}

interface DeleteProps {
  readonly cluster: Cluster;
  readonly group: WorkerSpec;
  readonly onClose: () => void;
}

function DeleteGroup({ cluster: { namespace, name: shoot_name }, group: { name }, onClose }: DeleteProps) {
  const input = { namespace, shoot_name, worker_group_name: name };
  const change = useChange(async () => (await api.clusters.deleteWorkerGroup(input)) ?? null, ["clusters"]);
  const action = text("action.delete");
  return (
    <ConfirmDialog title={`${action}: ${name}`} word={name} {...{ action, change, onClose }} onDone={onClose}>
      <p>{text("clusters.delete_group_about")}</p>
    </ConfirmDialog>
  );
}

function groupColumns(onAct: (act: Act) => void, count: number): readonly Column<WorkerSpec>[] {
  const last = count > 1 ? undefined : text("clusters.last_group");
  return [
    { id: "name", name: text("label.name"), show: ({ name }) => <span class="cell-main">{name}</span> },
    { id: "machine", name: text("clusters.machine"), show: ({ machine }) => machine?.type ?? "–" },
    {
      id: "image",
      name: text("clusters.image"),
      show: ({ machine }) => [machine?.image?.name, machine?.image?.version].filter(Boolean).join(" ") || "–",
    },
    { id: "zones", name: text("clusters.zones"), show: ({ zones = [] }) => zones.join(", ") || "–" },
    {
      id: "size",
      name: text("clusters.machines"),
      isNumber: true,
      show: ({ minimum, maximum }) => `${minimum}–${maximum}`,
    },
    {
      id: "actions",
      name: text("label.actions"),
      show: (group) => (
        <span class="row row-tight">
          <Button
            isSmall
            blockedBy={blockedBy("clusters.changeWorkerGroup")}
            onPress={() => onAct({ kind: "change", group })}
          >
            {text("action.edit")}
          </Button>
          <Button
            isSmall
            tone="danger"
            blockedBy={blockedBy("clusters.deleteWorkerGroup") ?? last}
            onPress={() => onAct({ kind: "delete", group })}
          >
            {text("action.delete")}
          </Button>
        </span>
      ),
    },
  ];
}
