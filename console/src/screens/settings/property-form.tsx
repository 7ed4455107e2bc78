import { useState } from "preact/hooks";
import { api } from "../../api/client.ts";
import { useChange } from "../../api/query.ts";
import { text } from "../../i18n/texts.ts";
import { SelectField, TextField } from "../../parts/field.tsx";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { toast } from "../../parts/toast.tsx";
import { isValueValid, type PropertyRow } from "./property-rows.ts";

interface FormProps {
  /** The property that is set for the own level. */
  readonly row?: PropertyRow;
  readonly onClose: () => void;
}

/** Sets a property of the own level: a new one, or one that is set or inherited. */
export function PropertyForm({ row, onClose }: FormProps) {
  const [name, setName] = useState(row?.property ?? "");
  const [value, setValue] = useState(row?.value ?? "");
  const [description, setDescription] = useState(row?.description ?? "");
  const property = name.trim();
  const change = useChange(
    async () => (await api.properties.set({ property, value, description: description.trim() })) ?? null,
    ["properties", "themes", "i18n"],
  );
  const submit = async () => {
    if ((await change.run(undefined)) === undefined) return;
    toast(text("message.saved"));
    onClose();
  };
  const isWrong = !isValueValid(row?.type, value);
  const allowed = row?.type?.allowed;
  return (
    <FormDialog
      title={row ? `${text("action.edit")}: ${row.property}` : text("properties.create")}
      {...{ change, onClose }}
      blockedBy={property === "" ? text("problem.required") : isWrong ? text("problem.pattern") : undefined}
      onSubmit={() => void submit()}
    >
      {!row && <TextField label={text("label.name")} value={name} onInput={setName} isRequired isFocused />}
      {allowed ? (
        <SelectField
          label={text("label.value")}
          value={value}
          choices={allowed.map((one) => [one, one] as const)}
          onChange={setValue}
        />
      ) : (
        <TextField label={text("label.value")} lines={3} value={value} onInput={setValue} />
      )}
      <TextField label={text("label.description")} value={description} onInput={setDescription} />
      {row && row.source !== "own" && <p class="soft">{text("properties.overrides")}</p>}
    </FormDialog>
  );
}
