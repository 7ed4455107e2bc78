import { useState } from "preact/hooks";
import { api } from "../../api/client.ts";
import { useChange } from "../../api/query.ts";
import { text } from "../../i18n/texts.ts";
import { TextField } from "../../parts/field.tsx";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { toast } from "../../parts/toast.tsx";
import { isDraftValid, type Limits, toDraft, toLimits } from "./limit-draft.ts";
import { LimitFields } from "./limit-fields.tsx";

interface EditProps {
  readonly customer: Limits & { readonly id: string; readonly name: string };
  readonly onClose: () => void;
}

/** A customer's name and limits; the limits are those of a level above, which alone may change them. */
export function EditCustomer({ customer, onClose }: EditProps) {
  const [name, setName] = useState(customer.name);
  const [limits, setLimits] = useState(() => toDraft(customer));
  const change = useChange(
    async () =>
      (await api.ai.changeCustomer({
        customer_id: customer.id,
        ...(name.trim() !== customer.name && { name: name.trim() }),
        ...toLimits(limits, customer),
      })) ?? null,
    ["ai"],
  );
  const submit = async () => {
    if ((await change.run(undefined)) === undefined) return;
    toast(text("message.saved"));
    onClose();
  };
  return (
    <FormDialog
      title={`${text("action.edit")}: ${customer.name}`}
      {...{ change, onClose }}
      blockedBy={name.trim() !== "" && isDraftValid(limits) ? undefined : text("problem.number")}
      onSubmit={() => void submit()}
    >
      <p class="field-hint">{text("customers.edit_about")}</p>
      <TextField label={text("label.name")} value={name} onInput={setName} isFocused />
      <LimitFields draft={limits} onChange={setLimits} />
    </FormDialog>
  );
}
