import { useState } from "preact/hooks";
import { api } from "../../api/client.ts";
import { freshFor, useChange, useQuery } from "../../api/query.ts";
import { text } from "../../i18n/texts.ts";
import { SelectField, TextField } from "../../parts/field.tsx";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { ErrorAlert } from "../../parts/states.tsx";
import { toast } from "../../parts/toast.tsx";
import { usableProjects, useProjects } from "./read.ts";

interface Draft {
  readonly project_id: string;
  readonly name: string;
  readonly size: string;
  readonly volume_type: string;
}

/** A new, empty volume. */
export function CreateVolume({ onClose }: { readonly onClose: () => void }) {
  const [draft, setDraft] = useState<Draft>({ project_id: "", name: "", size: "10", volume_type: "" });
  const { project_id, name, size, volume_type } = draft;
  const set = (part: Partial<Draft>) => setDraft({ ...draft, ...part });
  const input = { project_id, name: name.trim(), size: Number(size), ...(volume_type === "" ? {} : { volume_type }) };
  const change = useChange(() => api.iaas.createVolume(input), ["iaas"]);
  const isNamed = project_id !== "" && name.trim() !== "";
  const submit = async () => {
    if ((await change.run(undefined)) === undefined) return;
    toast(text("infra.creating"));
    onClose();
  };
  return (
    <FormDialog
      title={text("infra.create_volume")}
      action={text("action.create")}
      {...{ change, onClose }}
      blockedBy={!isNamed ? text("problem.required") : /^[1-9]\d{0,4}$/.test(size) ? undefined : text("problem.number")}
      onSubmit={() => void submit()}
    >
      <TextField
        label={text("label.name")}
        value={name}
        onInput={(value) => set({ name: value })}
        isRequired
        isFocused
      />
      <VolumeChoices draft={draft} onChange={set} />
    </FormDialog>
  );
}

interface ChoicesProps {
  readonly draft: Draft;
  readonly onChange: (part: Partial<Draft>) => void;
}

/** The project, the size and the type of a volume. */
function VolumeChoices({ draft: { project_id, size, volume_type }, onChange }: ChoicesProps) {
  const projects = useProjects();
  const types = useQuery({
    key: ["iaas.volumeTypes"],
    read: (signal) => api.iaas.volumeTypes({}, signal),
    staleMs: freshFor.catalogue,
  });
  const failed = [projects, types].find(({ error }) => error);
  return (
    <>
      {failed?.error && <ErrorAlert error={failed.error} onRetry={failed.reload} />}
      <SelectField
        label={text("label.project")}
        value={project_id}
        choices={[["", "–"], ...usableProjects(projects.value)]}
        onChange={(value) => onChange({ project_id: value })}
      />
      <div class="fields">
        <TextField
          {...{ label: text("infra.gigabytes"), type: "number", value: size }}
          onInput={(value) => onChange({ size: value })}
        />
        <SelectField
          label={text("label.type")}
          value={volume_type}
          choices={[
            ["", text("infra.default_type")],
            ...(types.value ?? []).map((one) => [one.name, one.name] as const),
          ]}
          onChange={(value) => onChange({ volume_type: value })}
        />
      </div>
    </>
  );
}
