import { useState } from "preact/hooks";
import type { LanguageCode } from "../../../../src/operations/records/users.ts";
import { api } from "../../api/client.ts";
import { useChange } from "../../api/query.ts";
import { languages, text } from "../../i18n/texts.ts";
import { Button } from "../../parts/button.tsx";
import { SecretOnce } from "../../parts/copy.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { SelectField, TextField } from "../../parts/field.tsx";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { toast } from "../../parts/toast.tsx";
import type { AlertChannel } from "./alert.ts";

interface FormProps {
  /** The channel that is changed; its kind stays. */
  readonly channel?: AlertChannel;
  readonly onClose: () => void;
}

/** Addresses of a mail, as they were typed: separated by commas or lines. */
function readAddresses(typed: string): string[] {
  return typed
    .split(/[\s,;]+/)
    .map((one) => one.trim())
    .filter(Boolean);
}

/** A new channel, or another form of one. The signing secret of a new webhook is shown once. */
export function ChannelForm({ channel, onClose }: FormProps) {
  const [name, setName] = useState(channel?.name ?? "");
  const [kind, setKind] = useState(channel?.kind ?? "webhook");
  const [address, setAddress] = useState(channel?.url ?? channel?.to?.join(", ") ?? "");
  const [language, setLanguage] = useState(channel?.language ?? "");
  const [secret, setSecret] = useState<string>();
  const change = useChange(() => {
    const reach = kind === "webhook" ? { url: address.trim() } : { to: readAddresses(address) };
    const fields = { name: name.trim(), ...reach, ...(language === "" ? {} : { language: language as LanguageCode }) }; // seam: a choice of the list that the gateway sent
    if (channel) return api.alerts.changeChannel({ alert_channel_id: channel.id, ...fields });
    return api.alerts.createChannel({ kind, ...fields });
  }, ["alerts"]);
  const submit = async () => {
    const made = await change.run(undefined);
    if (!made) return;
    if (made.secret !== undefined) return setSecret(made.secret);
    toast(text("message.saved"));
    onClose();
  };
  if (secret !== undefined) return <SigningSecret {...{ secret, onClose }} />;
  const isMissing = name.trim() === "" || address.trim() === "";
  return (
    <FormDialog
      title={channel ? `${text("action.edit")}: ${channel.name}` : text("alerts.create_channel")}
      action={text(channel ? "action.save" : "action.create")}
      {...{ change, onClose }}
      blockedBy={isMissing ? text("problem.required") : undefined}
      onSubmit={() => void submit()}
    >
      <TextField label={text("label.name")} value={name} onInput={setName} isRequired isFocused />
      {!channel && (
        <SelectField
          label={text("label.type")}
          value={kind}
          choices={[
            ["webhook", text("alerts.way_webhook")],
            ["mail", text("alerts.way_mail")],
          ]}
          onChange={(value) => setKind(value === "mail" ? "mail" : "webhook")}
        />
      )}
      <TextField
        label={text(kind === "webhook" ? "alerts.url" : "alerts.to")}
        hint={text(kind === "webhook" ? "alerts.url_hint" : "alerts.to_hint")}
        {...{ value: address, onInput: setAddress, isRequired: true }}
      />
      <LanguageField value={language} canInherit={channel?.language === undefined} onChange={setLanguage} />
    </FormDialog>
  );
}

interface LanguageProps {
  readonly value: string;
  /** False where a language was chosen before: there is no way back to that of the tenant. */
  readonly canInherit: boolean;
  readonly onChange: (language: string) => void;
}

function LanguageField({ value, canInherit, onChange }: LanguageProps) {
  const inherited = canInherit ? [["", text("alerts.language_of_tenant")] as const] : [];
  return (
    <SelectField
      label={text("label.language")}
      {...{ value, onChange }}
      choices={[...inherited, ...Object.entries(languages)]}
    />
  );
}

/** The secret by which a webhook's receiver checks who sent a message. */
export function SigningSecret({ secret, onClose }: { readonly secret: string; readonly onClose: () => void }) {
  return (
    <Dialog title={text("alerts.secret")} onClose={onClose}>
      <div class="stack">
        <p>{text("alerts.secret_about")}</p>
        <SecretOnce value={secret} />
        <div class="form-actions">
          <Button tone="primary" onPress={onClose}>
            {text("action.close")}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
