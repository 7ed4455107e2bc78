import { useState } from "preact/hooks";
import { api } from "../../../api/client.ts";
import { useChange } from "../../../api/query.ts";
import { text } from "../../../i18n/texts.ts";
import { SelectField, TextField } from "../../../parts/field.tsx";
import { FormDialog } from "../../../parts/form-dialog.tsx";
import { toast } from "../../../parts/toast.tsx";
import type { Tenant } from "../tenant-tree.ts";

interface NewTenantProps {
  readonly tenants: readonly Tenant[];
  readonly onClose: () => void;
}

/** A new reseller, or a new client of one. Its place in the tree never changes. */
export function NewTenant({ tenants, onClose }: NewTenantProps) {
  const resellers = tenants.filter(({ level }) => level === "reseller");
  const [parent, setParent] = useState(resellers[0]?.reseller ?? "");
  const [place, setPlace] = useState("");
  const [name, setName] = useState("");
  const [contact, setContact] = useState("");
  const change = useChange(
    () =>
      api.tenants.create({
        ...(parent === "" ? { reseller: place.trim() } : { reseller: parent, client_id: place.trim() }),
        ...(name.trim() && { name: name.trim() }),
        ...(contact.trim() && { contact: contact.trim() }),
      }),
    ["tenants", "ai.customers"],
  );
  const submit = async () => {
    if (!(await change.run(undefined))) return;
    toast(text("message.saved"));
    onClose();
  };
  return (
    <FormDialog
      title={text("tenants.create")}
      action={text("action.create")}
      {...{ change, onClose }}
      blockedBy={place.trim() === "" ? text("problem.required") : undefined}
      onSubmit={() => void submit()}
    >
      <SelectField
        label={text("tenants.kind")}
        value={parent}
        choices={[
          ["", text("tenants.new_reseller")],
          ...resellers.map(({ reseller, name: own }) => [reseller, text("tenants.client_of", { name: own })] as const),
        ]}
        onChange={setParent}
      />
      <TextField
        label={text("tenants.place")}
        hint={text("tenants.place_hint")}
        {...{ value: place, onInput: setPlace, isRequired: true, isFocused: true }}
      />
      <TextField label={text("label.name")} value={name} onInput={setName} />
      <TextField label={text("tenants.contact")} value={contact} onInput={setContact} placeholder="name@example.com" />
    </FormDialog>
  );
}

/** A tenant's name and the address of who answers for it. */
export function EditTenant({ tenant, onClose }: { readonly tenant: Tenant; readonly onClose: () => void }) {
  const [name, setName] = useState(tenant.name);
  const [contact, setContact] = useState(tenant.contact ?? "");
  const change = useChange(
    () =>
      api.tenants.change({
        tenant_id: tenant.id,
        ...(name.trim() !== tenant.name && { name: name.trim() }),
        ...(contact.trim() !== (tenant.contact ?? "") && { contact: contact.trim() || null }),
      }),
    ["tenants"],
  );
  const submit = async () => {
    if (!(await change.run(undefined))) return;
    toast(text("message.saved"));
    onClose();
  };
  return (
    <FormDialog
      title={`${text("action.edit")}: ${tenant.name}`}
      {...{ change, onClose }}
      blockedBy={name.trim() === "" ? text("problem.required") : undefined}
      onSubmit={() => void submit()}
    >
      <p class="soft">{text("tenants.no_move")}</p>
      <TextField label={text("label.name")} value={name} onInput={setName} isFocused />
      <TextField label={text("tenants.contact")} value={contact} onInput={setContact} />
    </FormDialog>
  );
}
