import { useState } from "preact/hooks";
import { toApiError } from "../../api/errors.ts";
import { send } from "../../api/request.ts";
import { text } from "../../i18n/texts.ts";
import { Button } from "../../parts/button.tsx";
import { TextField } from "../../parts/field.tsx";

interface PasswordFormProps {
  /** The secret of the link. */
  readonly secret: string;
  readonly onSet: () => void;
}

/** Sets the password of the user whose link opened the page. */
export function PasswordForm({ secret, onSet }: PasswordFormProps) {
  const [password, setPassword] = useState("");
  const [state, setState] = useState<{ isPending: boolean; error?: string }>({ isPending: false });
  const submit = async () => {
    setState({ isPending: true });
    try {
      await send({ method: "POST", path: "password/redeem", fields: { secret, password } });
      onSet();
    } catch (thrown) {
      const { status, message } = toApiError(thrown);
      setState({ isPending: false, error: status === 0 ? text("message.offline") : message });
    }
  };
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <h1>{text("login.set_title")}</h1>
      <TextField
        {...{ label: text("login.new_password"), type: "password", value: password, error: state.error }}
        autoComplete="new-password"
        onInput={setPassword}
        isRequired
        isFocused
      />
      <Button tone="primary" isSubmit isPending={state.isPending}>
        {text("login.set")}
      </Button>
    </form>
  );
}
