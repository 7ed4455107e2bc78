import { useState } from "preact/hooks";
import { api } from "../../../api/client.ts";
import { useChange } from "../../../api/query.ts";
import { text } from "../../../i18n/texts.ts";
import { type Choices, SelectField, TextField } from "../../../parts/field.tsx";
import { FormDialog } from "../../../parts/form-dialog.tsx";
import { toast } from "../../../parts/toast.tsx";
import { type Tenant, treeOf } from "../tenant-tree.ts";
import { type User, useRoles } from "../use-people.ts";
import { useTenants } from "../use-tenants.ts";
import { toUserInput } from "./user-draft.ts";

interface NewUserProps {
  readonly onClose: () => void;
  readonly onDone: (id: string) => void;
}

/** A new user at the caller's place in the tree of tenants or below. */
export function NewUser({ onClose, onDone }: NewUserProps) {
  const tenants = useTenants();
  const roles = useRoles();
  const [draft, setDraft] = useState({ username: "", email: "", first_name: "", last_name: "", place: "", role: "" });
  const set = (name: keyof typeof draft) => (value: string) => setDraft({ ...draft, [name]: value });
  const change = useChange(
    () =>
      api.users.create(
        toUserInput(
          draft,
          tenants.value?.find(({ id }) => id === draft.place),
        ),
      ),
    ["users", "tenants"],
  );
  const submit = async () => {
    const made = await change.run(undefined);
    if (made) onDone(made.id);
  };
  return (
    <FormDialog
      title={text("users.create")}
      action={text("action.create")}
      {...{ change, onClose }}
      blockedBy={draft.username.trim() === "" ? text("problem.required") : undefined}
      onSubmit={() => void submit()}
    >
      <TextField
        label={text("label.username")}
        {...{ value: draft.username, onInput: set("username"), isRequired: true, isFocused: true }}
      />
      <div class="fields">
        <TextField label={text("label.first_name")} value={draft.first_name} onInput={set("first_name")} />
        <TextField label={text("label.last_name")} value={draft.last_name} onInput={set("last_name")} />
      </div>
      <TextField label={text("label.email")} value={draft.email} onInput={set("email")} />
      <SelectField
        label={text("console.tenant")}
        value={draft.place}
        choices={placesOf(tenants.value ?? [])}
        onChange={set("place")}
      />
      <SelectField
        label={text("label.role")}
        hint={text("users.role_hint")}
        value={draft.role}
        choices={[["", text("users.no_role")], ...(roles.value ?? []).map(({ id, name }) => [id, name] as const)]}
        onChange={set("role")}
      />
    </FormDialog>
  );
}

/** The places that a user can be made at; clients are indented below their reseller. */
function placesOf(tenants: readonly Tenant[]): Choices {
  const listed = treeOf(tenants).map(
    ({ tenant: { id, name }, depth }) => [id, depth === 1 ? `· ${name}` : name] as const,
  );
  return [["", text("users.own_place")], ...listed];
}

interface EditProps {
  readonly user: User;
  readonly onClose: () => void;
}

/** A user's names and address. */
export function EditUser({ user, onClose }: EditProps) {
  const first = {
    username: user.username,
    email: user.email ?? "",
    first_name: user.first_name ?? "",
    last_name: user.last_name ?? "",
  };
  const [draft, setDraft] = useState(first);
  const names = Object.keys(first) as (keyof typeof first)[];
  const change = useChange(() => {
    const changed = names.filter((name) => draft[name] !== first[name] && draft[name].trim() !== "");
    return api.users.change({ user_id: user.id, ...Object.fromEntries(changed.map((name) => [name, draft[name]])) });
  }, ["users"]);
  const submit = async () => {
    if (!(await change.run(undefined))) return;
    toast(text("message.saved"));
    onClose();
  };
  return (
    <FormDialog
      title={`${text("action.edit")}: ${user.username}`}
      {...{ change, onClose }}
      onSubmit={() => void submit()}
    >
      {names.map((name) => (
        <TextField
          key={name}
          label={text(`label.${name}`)}
          value={draft[name]}
          onInput={(value) => setDraft({ ...draft, [name]: value })}
        />
      ))}
    </FormDialog>
  );
}

/** A user's new password; every session of the user ends. */
export function SetPassword({ user, onClose }: EditProps) {
  const [password, setPassword] = useState("");
  const change = useChange(
    async () => (await api.users.setPassword({ user_id: user.id, password })) ?? null,
    ["users"],
  );
  const submit = async () => {
    if ((await change.run(undefined)) === undefined) return;
    toast(text("message.saved"));
    onClose();
  };
  return (
    <FormDialog
      title={`${text("users.password")}: ${user.username}`}
      {...{ change, onClose }}
      blockedBy={password === "" ? text("problem.required") : undefined}
      onSubmit={() => void submit()}
    >
      <p>{text("users.password_about")}</p>
      <TextField
        label={text("console.password")}
        {...{ type: "password", value: password, onInput: setPassword, autoComplete: "new-password", isFocused: true }}
      />
    </FormDialog>
  );
}
