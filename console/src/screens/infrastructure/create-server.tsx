import { useState } from "preact/hooks";
import { api } from "../../api/client.ts";
import { freshFor, useChange, useQuery } from "../../api/query.ts";
import { text } from "../../i18n/texts.ts";
import { SelectField, TextField } from "../../parts/field.tsx";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { ErrorAlert } from "../../parts/states.tsx";
import { toast } from "../../parts/toast.tsx";
import { usableProjects, useNetworks, useProjects } from "./read.ts";

const none = [["", "–"]] as const;

interface Draft {
  readonly project_id: string;
  readonly name: string;
  readonly flavor: string;
  readonly image: string;
  readonly network_id: string;
}

/** A new server: its project, its size, what it is made from, and the network it is on. */
export function CreateServer({ onClose }: { readonly onClose: () => void }) {
  const [draft, setDraft] = useState<Draft>({ project_id: "", name: "", flavor: "", image: "", network_id: "" });
  const { network_id, ...needed } = draft;
  const input = { ...needed, name: draft.name.trim(), ...(network_id === "" ? {} : { network_id }) };
  const change = useChange(() => api.iaas.createServer(input), ["iaas"]);
  const isReady = Object.values(needed).every((value) => value.trim() !== "");
  const submit = async () => {
    if ((await change.run(undefined)) === undefined) return;
    toast(text("infra.creating"));
    onClose();
  };
  return (
    <FormDialog
      title={text("infra.create_server")}
      action={text("action.create")}
      {...{ change, onClose }}
      blockedBy={isReady ? undefined : text("problem.required")}
      onSubmit={() => void submit()}
    >
      <TextField
        label={text("label.name")}
        value={draft.name}
        onInput={(name) => setDraft({ ...draft, name })}
        isRequired
        isFocused
      />
      <Choices draft={draft} onChange={(part) => setDraft({ ...draft, ...part })} />
    </FormDialog>
  );
}

interface ChoicesProps {
  readonly draft: Draft;
  readonly onChange: (part: Partial<Draft>) => void;
}

function Choices({ draft, onChange }: ChoicesProps) {
  const projects = useProjects();
  const networks = useNetworks();
  const staleMs = freshFor.catalogue;
  const flavors = useQuery({ key: ["iaas.flavors"], read: (signal) => api.iaas.flavors({}, signal), staleMs });
  const images = useQuery({ key: ["iaas.images"], read: (signal) => api.iaas.images({}, signal), staleMs });
  const failed = [projects, flavors, images, networks].find(({ error }) => error);
  const own = (networks.value?.networks ?? []).filter(({ project_id }) => project_id === draft.project_id);
  const sizes = (flavors.value ?? []).map(
    ({ name, vcpus, ram, disk }) => [name, `${name} · ${vcpus} vCPU · ${ram} MiB · ${disk} GiB`] as const,
  );
  return (
    <>
      {failed?.error && <ErrorAlert error={failed.error} onRetry={failed.reload} />}
      <SelectField
        label={text("label.project")}
        value={draft.project_id}
        choices={[...none, ...usableProjects(projects.value)]}
        onChange={(project_id) => onChange({ project_id, network_id: "" })}
      />
      <SelectField
        label={text("infra.flavor")}
        value={draft.flavor}
        choices={[...none, ...sizes]}
        onChange={(flavor) => onChange({ flavor })}
      />
      <SelectField
        label={text("clusters.image")}
        value={draft.image}
        choices={[...none, ...(images.value ?? []).map(({ name }) => [name, name] as const)]}
        onChange={(image) => onChange({ image })}
      />
      <SelectField
        label={text("clusters.network")}
        value={draft.network_id}
        choices={[["", text("infra.default_network")], ...own.map(({ id, name }) => [id, name ?? id] as const)]}
        onChange={(network_id) => onChange({ network_id })}
      />
    </>
  );
}
