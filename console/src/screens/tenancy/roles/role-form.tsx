import { useState } from "preact/hooks";
import { api } from "../../../api/client.ts";
import { useChange } from "../../../api/query.ts";
import { isPermitted } from "../../../api/session.ts";
import { blockedBy } from "../../../app/blocked.ts";
import { text } from "../../../i18n/texts.ts";
import { Button } from "../../../parts/button.tsx";
import { TextField } from "../../../parts/field.tsx";
import { FormDialog } from "../../../parts/form-dialog.tsx";
import { Skeleton } from "../../../parts/states.tsx";
import { toast } from "../../../parts/toast.tsx";
import { PermissionMatrix } from "../permission-matrix.tsx";
import { everything, namesOf, type Role } from "../permissions.ts";
import { usePermissions } from "../use-people.ts";

interface RoleFormProps {
  /** Absent for a new one. */
  readonly role?: Role;
  readonly onDelete?: () => void;
  readonly onClose: () => void;
}

/** A role's name and its permissions, for a new one and for one that is changed. */
export function RoleForm({ role, onDelete, onClose }: RoleFormProps) {
  const permissions = usePermissions();
  const all = permissions.value ?? [];
  const [name, setName] = useState(role?.name ?? "");
  const [description, setDescription] = useState(role?.description ?? "");
  const [chosen, setChosen] = useState<ReadonlySet<string>>();
  const now = chosen ?? namesOf(role?.permissions ?? [], all);
  const change = useChange(() => {
    const fields = { name: name.trim(), ...(description.trim() !== "" && { description: description.trim() }) };
    const list = chosen ? [...chosen] : [...(role?.permissions ?? [])];
    return role === undefined
      ? api.users.createRole({ ...fields, permissions: list })
      : api.users.changeRole({ role_id: role.id, ...fields, ...(chosen && { permissions: list }) });
  }, ["users"]);
  const submit = async () => {
    if (!(await change.run(undefined))) return;
    toast(text("message.saved"));
    onClose();
  };
  const blocked =
    blockedBy(role === undefined ? "users.createRole" : "users.changeRole") ??
    (name.trim() === "" ? text("problem.required") : undefined);
  return (
    <FormDialog
      title={role === undefined ? text("roles.create") : role.name}
      action={text(role === undefined ? "action.create" : "action.save")}
      {...{ change, onClose }}
      isWide
      blockedBy={blocked}
      onSubmit={() => void submit()}
    >
      <div class="fields">
        <TextField label={text("label.name")} value={name} onInput={setName} isRequired isFocused />
        <TextField label={text("label.description")} value={description} onInput={setDescription} />
      </div>
      {role?.permissions.includes(everything) && !chosen && <p class="soft">{text("roles.has_all")}</p>}
      {permissions.isLoading ? (
        <Skeleton />
      ) : (
        <PermissionMatrix
          all={all}
          chosen={now}
          onChange={setChosen}
          refusedBy={(one) => (isPermitted(one) ? undefined : text("permissions.not_yours"))}
        />
      )}
      {onDelete && (
        <div class="row">
          <Button isSmall tone="danger" blockedBy={blockedBy("users.deleteRole")} onPress={onDelete}>
            {text("roles.delete")}
          </Button>
        </div>
      )}
    </FormDialog>
  );
}
