import { useState } from "preact/hooks";
import { api } from "../../api/client.ts";
import { useChange } from "../../api/query.ts";
import { text } from "../../i18n/texts.ts";
import { TextField } from "../../parts/field.tsx";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { ErrorAlert } from "../../parts/states.tsx";
import { toast } from "../../parts/toast.tsx";
import type { Cluster, WorkerSpec } from "./cluster.ts";
import { type MachineDraft, MachineFields, machineProblem, toMachineInput } from "./machine-fields.tsx";
import { useProfiles } from "./profile.ts";

interface FormProps {
  readonly cluster: Cluster;
  /** The group that is changed; absent for a new one. */
  readonly group?: WorkerSpec;
  readonly onClose: () => void;
}

/** Adds a group of machines to a cluster, or changes one. */
export function WorkerForm({ cluster, group, onClose }: FormProps) {
  const { namespace, name: shoot_name, object } = cluster;
  const profiles = useProfiles();
  const profile = profiles.value?.find((one) => one.name === object.spec?.cloudProfileName);
  const [name, setName] = useState(group?.name ?? "");
  const [draft, setDraft] = useState<MachineDraft>(() => draftOf(group));
  const region = profile?.regions.find((one) => one.name === object.spec?.region);
  const path = { namespace, shoot_name };
  const change = useChange(
    async () =>
      (await (group
        ? api.clusters.changeWorkerGroup({ ...path, worker_group_name: group.name, ...toMachineInput(draft) })
        : api.clusters.createWorkerGroup({ ...path, worker_name: name.trim(), ...toMachineInput(draft) }))) ?? null,
    ["clusters"],
  );
  const submit = async () => {
    if ((await change.run(undefined)) === undefined) return;
    toast(text("message.saved"));
    onClose();
  };
  return (
    <FormDialog
      title={group ? `${text("action.edit")}: ${group.name}` : text("clusters.add_group")}
      {...{ change, onClose }}
      blockedBy={/^[a-z][a-z0-9-]{0,14}$/.test(name.trim()) ? machineProblem(draft) : text("clusters.group_name_rule")}
      onSubmit={() => void submit()}
    >
      {profiles.error && <ErrorAlert error={profiles.error} onRetry={profiles.reload} />}
      {!group && (
        <TextField
          label={text("label.name")}
          hint={text("clusters.group_name_rule")}
          value={name}
          onInput={setName}
          isRequired
          isFocused
        />
      )}
      <MachineFields {...{ draft, profile, zones: region?.zones ?? [] }} onChange={setDraft} />
    </FormDialog>
  );
}

function draftOf(group: WorkerSpec | undefined): MachineDraft {
  const { type = "", image } = group?.machine ?? {};
  return {
    machine: type,
    image: [image?.name, image?.version].filter(Boolean).join(" "),
    zones: group?.zones ?? [],
    minimum: String(group?.minimum ?? 1),
    maximum: String(group?.maximum ?? 3),
  };
}
