import { useState } from "preact/hooks";
import { api } from "../../api/client.ts";
import { useChange } from "../../api/query.ts";
import { blockedBy } from "../../app/blocked.ts";
import { text } from "../../i18n/texts.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { TextField } from "../../parts/field.tsx";
import { ConfirmDialog, FormDialog } from "../../parts/form-dialog.tsx";
import { ErrorAlert } from "../../parts/states.tsx";
import { toast } from "../../parts/toast.tsx";
import { Facts, Instant } from "../../parts/values.tsx";
import { type Credential, changedUse, isWeightValid, type OwnCredential, toUse } from "./credential.ts";
import { CredentialState } from "./credential-state.tsx";
import { UseFields } from "./use-fields.tsx";

type Act = "value" | "edit" | "delete";

/** One credential at the side: what it is used for, and what can be done with it. */
export function CredentialPanel({
  credential,
  onClose,
}: {
  readonly credential: Credential;
  readonly onClose: () => void;
}) {
  const [act, setAct] = useState<Act>();
  const { id } = credential;
  const own = id === undefined ? undefined : { ...credential, id };
  const close = () => setAct(undefined);
  return (
    <>
      <Dialog title={`${credential.provider} · ${credential.name}`} isPanel onClose={onClose}>
        <div class="stack">
          {own ? <Actions credential={own} onAct={setAct} /> : <p class="soft">{text("credentials.configured")}</p>}
          <CredentialFacts credential={credential} />
        </div>
      </Dialog>
      {own && act === "value" && <NewValue credential={own} onClose={close} />}
      {own && act === "edit" && <EditUse credential={own} onClose={close} />}
      {own && act === "delete" && <RemoveDialog credential={own} onClose={close} onDone={onClose} />}
    </>
  );
}

interface OwnProps {
  readonly credential: OwnCredential;
}

const outcomes = { valid: "alert-good", refused: "", failed: "", untestable: "alert-warn" } as const;

function Actions({ credential, onAct }: OwnProps & { readonly onAct: (act: Act) => void }) {
  const { id: credential_id, enabled } = credential;
  const test = useChange(() => api.ai.testCredential({ credential_id }));
  const toggle = useChange(() => api.ai.changeCredential({ credential_id, enabled: !enabled }), ["ai"]);
  const [result, setResult] = useState<Awaited<ReturnType<typeof api.ai.testCredential>>>();
  const mayChange = blockedBy("ai.changeCredential");
  const error = test.error ?? toggle.error;
  return (
    <>
      <div class="row">
        <Button
          isSmall
          icon="play"
          blockedBy={blockedBy("ai.testCredential")}
          isPending={test.isPending}
          onPress={() => void test.run(undefined).then(setResult)}
        >
          {text("credentials.test")}
        </Button>
        <Button isSmall blockedBy={mayChange} onPress={() => onAct("value")}>
          {text("keys.rotate")}
        </Button>
        <Button isSmall blockedBy={mayChange} onPress={() => onAct("edit")}>
          {text("action.edit")}
        </Button>
        <Button isSmall blockedBy={mayChange} isPending={toggle.isPending} onPress={() => void toggle.run(undefined)}>
          {text(enabled ? "action.disable" : "action.enable")}
        </Button>
        <Button isSmall tone="danger" blockedBy={blockedBy("ai.removeCredential")} onPress={() => onAct("delete")}>
          {text("action.delete")}
        </Button>
      </div>
      {error && <ErrorAlert error={error} />}
      {result && (
        <div class={`alert ${outcomes[result.outcome]}`} role="status">
          <div class="alert-body">
            <strong>{text(`credentials.test_${result.outcome}`, { count: result.models ?? 0 })}</strong>
            {result.message && <div>{result.message}</div>}
          </div>
        </div>
      )}
    </>
  );
}

function CredentialFacts({ credential }: { readonly credential: Credential }) {
  const { source, kind, base_url, key_end, weight, models, blocked_models, created_at, set_at, set_by } = credential;
  return (
    <Facts
      rows={[
        [text("label.state"), <CredentialState key="state" credential={credential} />],
        [text("credentials.source"), text(`credentials.source_${source}`)],
        [text("credentials.kind"), kind ?? "–"],
        [text("credentials.address"), base_url ?? "–"],
        [text("label.value"), key_end === undefined ? "–" : <code key="end">{`…${key_end}`}</code>],
        [text("credentials.weight"), String(weight ?? 1)],
        [text("keys.models"), models?.join(", ") ?? text("credentials.all_models")],
        [text("credentials.blocked"), blocked_models?.join(", ") ?? "–"],
        [text("label.created_at"), <Instant key="created" value={created_at} isExact />],
        [text("credentials.set_at"), <Instant key="set" value={set_at} isExact />],
        [text("credentials.set_by"), set_by ?? "–"],
      ]}
    />
  );
}

function useSaved(close: () => void) {
  return (saved: unknown) => {
    if (saved === undefined) return;
    toast(text("message.saved"));
    close();
  };
}

function NewValue({ credential, onClose }: OwnProps & { readonly onClose: () => void }) {
  const [value, setValue] = useState("");
  const change = useChange(() => api.ai.changeCredential({ credential_id: credential.id, value }), ["ai"]);
  const saved = useSaved(onClose);
  return (
    <FormDialog
      title={`${text("keys.rotate")}: ${credential.name}`}
      {...{ change, onClose }}
      blockedBy={value.trim() === "" ? text("problem.required") : undefined}
      onSubmit={() => void change.run(undefined).then(saved)}
    >
      <TextField
        {...{ label: text("label.value"), hint: text("credentials.value_hint"), type: "password", value }}
        autoComplete="new-password"
        isFocused
        onInput={setValue}
      />
    </FormDialog>
  );
}

function EditUse({ credential, onClose }: OwnProps & { readonly onClose: () => void }) {
  const [draft, setDraft] = useState(toUse(credential));
  const changed = changedUse(draft, credential);
  const change = useChange(() => api.ai.changeCredential({ credential_id: credential.id, ...changed }), ["ai"]);
  const saved = useSaved(onClose);
  const isSame = Object.keys(changed).length === 0;
  return (
    <FormDialog
      title={`${text("action.edit")}: ${credential.name}`}
      {...{ change, onClose }}
      blockedBy={!isWeightValid(draft.weight) ? text("problem.number") : isSame ? text("theme.unchanged") : undefined}
      onSubmit={() => void change.run(undefined).then(saved)}
    >
      <UseFields draft={draft} onChange={(part) => setDraft({ ...draft, ...part })} />
    </FormDialog>
  );
}

interface RemoveProps extends OwnProps {
  readonly onClose: () => void;
  readonly onDone: () => void;
}

function RemoveDialog({ credential, onClose, onDone }: RemoveProps) {
  const change = useChange(
    async () => (await api.ai.removeCredential({ credential_id: credential.id })) ?? null,
    ["ai"],
  );
  const action = text("action.delete");
  return (
    <ConfirmDialog title={`${action}: ${credential.name}`} {...{ action, change, onClose, onDone }}>
      <p>{text("credentials.delete_about")}</p>
    </ConfirmDialog>
  );
}
