import { useState } from "preact/hooks";
import { api } from "../../../api/client.ts";
import { useChange } from "../../../api/query.ts";
import { isPermitted } from "../../../api/session.ts";
import { text } from "../../../i18n/texts.ts";
import { Button } from "../../../parts/button.tsx";
import { SecretOnce } from "../../../parts/copy.tsx";
import { Dialog } from "../../../parts/dialog.tsx";
import { CheckField, TextField } from "../../../parts/field.tsx";
import { FormDialog } from "../../../parts/form-dialog.tsx";
import { ErrorAlert, Skeleton } from "../../../parts/states.tsx";
import { toast } from "../../../parts/toast.tsx";
import { PermissionMatrix } from "../permission-matrix.tsx";
import { everything, namesOf } from "../permissions.ts";
import { type User, useGrants } from "../use-people.ts";

interface Choice {
  /** True for `*`: whatever the owner has, now and later. */
  readonly isAll: boolean;
  readonly names: ReadonlySet<string>;
}

interface ChoiceProps {
  readonly user: TokenOwner;
  readonly choice: Choice;
  readonly onChange: (choice: Choice) => void;
}

/** Whose token it is; of an own one, what the caller has is what can be granted. */
export type TokenOwner = Pick<User, "id" | "username" | "roles"> & { readonly isSelf?: boolean };

/** What a token may do: all of its owner's, or some of it. What the owner or the caller does not have is greyed, with why. */
function TokenChoice({ user, choice, onChange }: ChoiceProps) {
  const { all, granted, isLoading, error } = useGrants(user);
  const refusedBy = (name: string) => {
    if (!isPermitted(name)) return text("permissions.not_yours");
    return user.isSelf || granted.has(name) ? undefined : text("permissions.not_owner", { name: user.username });
  };
  if (isLoading) return <Skeleton />;
  return (
    <>
      {error && <ErrorAlert error={error} />}
      <CheckField
        label={text("permissions.all_of_owner")}
        isChecked={choice.isAll}
        onChange={(isAll) => onChange({ ...choice, isAll })}
      />
      {!choice.isAll && (
        <PermissionMatrix
          {...{ all, refusedBy }}
          chosen={choice.names}
          onChange={(names) => onChange({ ...choice, names })}
        />
      )}
    </>
  );
}

function permissionsOf({ isAll, names }: Choice): string[] {
  return isAll ? [everything] : [...names];
}

interface FormProps {
  readonly user: TokenOwner;
  readonly onClose: () => void;
}

/** A new access token with its permissions; the value is shown once. */
export function NewToken({ user, onClose }: FormProps) {
  const [name, setName] = useState("");
  const [ends, setEnds] = useState("");
  const [choice, setChoice] = useState<Choice>({ isAll: false, names: new Set() });
  const [secret, setSecret] = useState<string>();
  const change = useChange(() => {
    const end = ends === "" ? {} : { ends_at: new Date(ends).toISOString() };
    const input = { name: name.trim(), permissions: permissionsOf(choice), ...end };
    return user.isSelf ? api.me.createToken(input) : api.users.createToken({ user_id: user.id, ...input });
  }, ["users", "me"]);
  if (secret !== undefined)
    return (
      <Dialog title={text("tokens.create")} onClose={onClose}>
        <div class="stack">
          <SecretOnce value={secret} />
          <div class="form-actions">
            <Button tone="primary" onPress={onClose}>
              {text("action.close")}
            </Button>
          </div>
        </div>
      </Dialog>
    );
  const isEmpty = name.trim() === "" || permissionsOf(choice).length === 0;
  return (
    <FormDialog
      title={`${text("tokens.create")}: ${user.username}`}
      action={text("action.create")}
      {...{ change, onClose }}
      isWide
      blockedBy={isEmpty ? text("tokens.needs") : undefined}
      onSubmit={() => void change.run(undefined).then((made) => setSecret(made?.value))}
    >
      <div class="fields">
        <TextField label={text("label.name")} value={name} onInput={setName} isRequired isFocused />
        <TextField
          label={text("label.end")}
          hint={text("tokens.end_hint")}
          {...{ type: "datetime-local", value: ends, onInput: setEnds }}
        />
      </div>
      <TokenChoice user={user} choice={choice} onChange={setChoice} />
    </FormDialog>
  );
}

interface EditProps extends FormProps {
  readonly token: { readonly id: string; readonly name: string; readonly permissions: readonly string[] };
}

/** Changes what an access token may do. */
export function TokenPermissions({ user, token, onClose }: EditProps) {
  const [choice, setChoice] = useState<Choice>({
    isAll: token.permissions.includes(everything),
    names: namesOf(
      token.permissions.filter((name) => name !== everything),
      [],
    ),
  });
  const change = useChange(
    () => api.users.setPermissions({ user_id: user.id, token_id: token.id, permissions: permissionsOf(choice) }),
    ["users"],
  );
  const submit = async () => {
    if (!(await change.run(undefined))) return;
    toast(text("message.saved"));
    onClose();
  };
  return (
    <FormDialog
      title={`${text("label.permissions")}: ${token.name}`}
      {...{ change, onClose }}
      isWide
      onSubmit={() => void submit()}
    >
      <TokenChoice user={user} choice={choice} onChange={setChoice} />
    </FormDialog>
  );
}
