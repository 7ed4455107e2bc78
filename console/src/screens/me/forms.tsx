import { useState } from "preact/hooks";
import { api } from "../../api/client.ts";
import { useChange } from "../../api/query.ts";
import { text } from "../../i18n/texts.ts";
import { TextField } from "../../parts/field.tsx";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { toast } from "../../parts/toast.tsx";
import { changedFields, type ProfileFields } from "./profile-draft.ts";

interface ProfileProps {
  readonly profile: { readonly has_password: boolean } & {
    readonly [Name in keyof ProfileFields]?: string | undefined;
  };
  readonly onClose: () => void;
}

/** The own names and address. */
export function EditProfile({ profile, onClose }: ProfileProps) {
  const { first_name = "", last_name = "", email = "" } = profile;
  const before: ProfileFields = { first_name, last_name, email };
  const [draft, setDraft] = useState(before);
  const change = useChange(() => api.me.change(changedFields(before, draft)), ["me", "users"]);
  const submit = async () => {
    if (!(await change.run(undefined))) return;
    toast(text("message.saved"));
    onClose();
  };
  return (
    <FormDialog title={text("dashboard.me")} {...{ change, onClose }} onSubmit={() => void submit()}>
      {(["first_name", "last_name", "email"] as const).map((name) => (
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

/** The own password; the old one is asked for where there is one, and the other sessions end. */
export function SetOwnPassword({ profile, onClose }: ProfileProps) {
  const [old, setOld] = useState("");
  const [password, setPassword] = useState("");
  const [again, setAgain] = useState("");
  const change = useChange(
    async () => (await api.me.setPassword({ password, ...(profile.has_password && { old_password: old }) })) ?? null,
    ["me"],
  );
  const submit = async () => {
    if ((await change.run(undefined)) === undefined) return;
    toast(text("message.saved"));
    onClose();
  };
  const isDifferent = again !== "" && again !== password;
  const isReady = password !== "" && again === password && (!profile.has_password || old !== "");
  const hidden = { type: "password" as const };
  return (
    <FormDialog
      title={text("users.password")}
      {...{ change, onClose }}
      blockedBy={isReady ? undefined : text("problem.required")}
      onSubmit={() => void submit()}
    >
      <p>{text("me.password_about")}</p>
      {profile.has_password && (
        <TextField
          label={text("me.old_password")}
          {...{ ...hidden, value: old, onInput: setOld }}
          autoComplete="current-password"
        />
      )}
      <TextField
        label={text("me.new_password")}
        {...{ ...hidden, value: password, onInput: setPassword }}
        autoComplete="new-password"
      />
      <TextField
        label={text("me.again")}
        error={isDifferent ? text("me.different") : undefined}
        {...{ ...hidden, value: again, onInput: setAgain }}
        autoComplete="new-password"
      />
    </FormDialog>
  );
}
