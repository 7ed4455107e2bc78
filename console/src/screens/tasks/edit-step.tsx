import { useState } from "preact/hooks";
import { api } from "../../api/client.ts";
import { useChange } from "../../api/query.ts";
import { text } from "../../i18n/texts.ts";
import { SelectField, TextField } from "../../parts/field.tsx";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { toast } from "../../parts/toast.tsx";
import { readable, readObject, type TaskStep } from "./task.ts";

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
type Method = (typeof methods)[number];

/** A step as it is sent: its method, its path and its fields as JSON. */
export function EditStep({ step, onClose }: { readonly step: TaskStep; readonly onClose: () => void }) {
  const [description, setDescription] = useState(step.description);
  const [method, setMethod] = useState(methods.find((one) => one === step.method) ?? "GET");
  const [path, setPath] = useState(step.path);
  const [params, setParams] = useState(readable(step.params ?? "{}"));
  const fields = readObject(params);
  const change = useChange(
    () =>
      api.tasks.setStep({
        ...{ task_id: step.task_id, step_id: step.id, description: description.trim() },
        ...{ method, step_path: path.trim(), params: fields ?? {} },
      }),
    ["tasks"],
  );
  const submit = async () => {
    if (!(await change.run(undefined))) return;
    toast(text("message.saved"));
    onClose();
  };
  const wrong = path.startsWith("/") ? undefined : text("problem.pattern");
  return (
    <FormDialog
      title={`${text("action.edit")}: ${step.description || step.path}`}
      {...{ change, onClose }}
      blockedBy={wrong ?? (fields ? undefined : text("problem.json"))}
      onSubmit={() => void submit()}
    >
      <TextField label={text("tasks.description")} value={description} onInput={setDescription} isFocused />
      <div class="fields">
        <SelectField
          label={text("tasks.method")}
          value={method}
          choices={methods.map((one) => [one, one] as const)}
          onChange={(value) => setMethod(value as Method)} // one of the choices
        />
        <TextField label={text("tasks.path")} value={path} error={wrong} onInput={setPath} />
      </div>
      <TextField
        {...{ label: text("tasks.params"), hint: text("tasks.params_hint"), lines: 8, value: params }}
        error={fields ? undefined : text("problem.json")}
        onInput={setParams}
      />
    </FormDialog>
  );
}
