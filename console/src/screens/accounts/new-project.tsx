import { useState } from "preact/hooks";
import { api, rowOf } from "../../api/client.ts";
import { freshFor, useChange, useQuery } from "../../api/query.ts";
import { isPermitted } from "../../api/session.ts";
import { text } from "../../i18n/texts.ts";
import { CheckField, SelectField, TextField } from "../../parts/field.tsx";
import { FormDialog } from "../../parts/form-dialog.tsx";

interface NewProjectProps {
  readonly onClose: () => void;
  readonly onDone: (id: string) => void;
}

/** A new project with the limits of a tier. */
export function NewProject({ onClose, onDone }: NewProjectProps) {
  const [name, setName] = useState("");
  const [description, setDescription] = useState("");
  const [typed, setTier] = useState("");
  const [isApplied, setApplied] = useState(false);
  const tiers = useQuery({
    key: ["ai.tiers"],
    read: (signal) => api.ai.tiers({}, signal),
    staleMs: freshFor.catalogue,
    isEnabled: isPermitted(rowOf("ai.tiers")[2]),
  });
  const names = (tiers.value ?? []).map((tier) => [tier.name, tier.name] as const);
  const tier = typed || (names[0]?.[0] ?? "standard");
  const change = useChange(
    () => api.ai.createProject({ name: name.trim(), description, tier, ...(isApplied && { apply_keys: true }) }),
    ["ai"],
  );
  const submit = async () => {
    const [made] = (await change.run(undefined)) ?? [];
    if (made) onDone(made.id);
  };
  return (
    <FormDialog
      title={text("projects.create")}
      action={text("action.create")}
      {...{ change, onClose }}
      blockedBy={name.trim() === "" ? text("problem.required") : undefined}
      onSubmit={() => void submit()}
    >
      <TextField label={text("label.name")} value={name} onInput={setName} isRequired isFocused />
      <TextField label={text("label.description")} value={description} onInput={setDescription} />
      <SelectField
        label={text("keys.tier")}
        value={tier}
        choices={names.length === 0 ? [[tier, tier]] : names}
        onChange={setTier}
      />
      <CheckField label={text("projects.apply_keys")} isChecked={isApplied} onChange={setApplied} />
      <p class="field-hint">{text("projects.apply_about")}</p>
    </FormDialog>
  );
}
