import { useState } from "preact/hooks";
import { api } from "../../api/client.ts";
import { useChange } from "../../api/query.ts";
import { blockedBy } from "../../app/blocked.ts";
import { text } from "../../i18n/texts.ts";
import { Button } from "../../parts/button.tsx";
import { SecretOnce } from "../../parts/copy.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { SelectField, TextField } from "../../parts/field.tsx";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { ErrorAlert } from "../../parts/states.tsx";
import { toast } from "../../parts/toast.tsx";
import type { AiKey } from "./key-state.tsx";
import { areToolsValid, readTools, toolsInWords, withLimits } from "./tool-patterns.ts";
import { ToolsField } from "./tools-field.tsx";

interface KeyProps {
  readonly row: AiKey;
}

/** What can be done to a key: disable, a new value, another end, delete. */
export function KeyActions({ row, onDeleted }: KeyProps & { readonly onDeleted: () => void }) {
  const { id: key_id, is_active } = row;
  const [open, setOpen] = useState<"rotate" | "expiry" | "tools" | "delete">();
  const toggle = useChange(() => api.ai.changeKey({ key_id, active: !is_active }), ["ai"]);
  const close = () => setOpen(undefined);
  return (
    <>
      <Button
        blockedBy={blockedBy("ai.changeKey")}
        isPending={toggle.isPending}
        onPress={() => void toggle.run(undefined)}
      >
        {text(is_active ? "action.disable" : "action.enable")}
      </Button>
      <Button blockedBy={blockedBy("ai.rotateKey")} onPress={() => setOpen("rotate")}>
        {text("keys.rotate")}
      </Button>
      <Button blockedBy={blockedBy("ai.changeKey")} onPress={() => setOpen("expiry")}>
        {text("keys.expiry")}
      </Button>
      <Button blockedBy={blockedBy("ai.changeKey")} onPress={() => setOpen("tools")}>
        {text("keys.tools")}
      </Button>
      <Button tone="danger" blockedBy={blockedBy("ai.deleteKey")} onPress={() => setOpen("delete")}>
        {text("action.delete")}
      </Button>
      {toggle.error && <ErrorAlert error={toggle.error} />}
      {open === "rotate" && <RotateDialog row={row} onClose={close} />}
      {open === "expiry" && <ExpiryDialog row={row} onClose={close} />}
      {open === "tools" && <KeyTools row={row} onClose={close} />}
      {open === "delete" && <DeleteDialog row={row} onClose={close} onDeleted={onDeleted} />}
    </>
  );
}

const hour = 3_600_000;

/** How long the value of before stays valid. */
const overlaps = () =>
  [
    ["0", text("keys.overlap_none")],
    [String(hour), text("keys.overlap_1h")],
    [String(24 * hour), text("keys.overlap_1d")],
    [String(168 * hour), text("keys.overlap_7d")],
  ] as const;

function RotateDialog({ row, onClose }: KeyProps & { readonly onClose: () => void }) {
  const [overlap, setOverlap] = useState(String(24 * hour));
  const [secret, setSecret] = useState<string>();
  const rotate = useChange(() => api.ai.rotateKey({ key_id: row.id, overlap: Number(overlap) }), ["ai"]);
  return (
    <Dialog title={`${text("keys.rotate")}: ${row.name}`} onClose={onClose}>
      {secret === undefined ? (
        <form
          class="form"
          onSubmit={(event) => {
            event.preventDefault();
            void rotate.run(undefined).then((answer) => setSecret(answer?.value));
          }}
        >
          <p>{text("keys.rotate_about")}</p>
          <SelectField label={text("keys.overlap")} value={overlap} choices={overlaps()} onChange={setOverlap} />
          {rotate.error && <ErrorAlert error={rotate.error} />}
          <div class="form-actions">
            <Button onPress={onClose}>{text("action.cancel")}</Button>
            <Button tone="primary" isSubmit isPending={rotate.isPending}>
              {text("keys.rotate")}
            </Button>
          </div>
        </form>
      ) : (
        <div class="stack">
          <SecretOnce value={secret} />
          <div class="form-actions">
            <Button tone="primary" onPress={onClose}>
              {text("action.close")}
            </Button>
          </div>
        </div>
      )}
    </Dialog>
  );
}

function ExpiryDialog({ row, onClose }: KeyProps & { readonly onClose: () => void }) {
  const [expires, setExpires] = useState(toLocal(row.expires_at));
  const change = useChange(
    () => api.ai.changeKey({ key_id: row.id, expires_at: expires === "" ? null : new Date(expires).toISOString() }),
    ["ai"],
  );
  return (
    <Dialog title={`${text("keys.expiry")}: ${row.name}`} onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void change.run(undefined).then((done) => {
            if (!done) return;
            toast(text("message.saved"));
            onClose();
          });
        }}
      >
        <TextField
          {...{ label: text("keys.expires"), hint: text("keys.expires_hint"), type: "datetime-local", value: expires }}
          onInput={setExpires}
        />
        {change.error && <ErrorAlert error={change.error} />}
        <div class="form-actions">
          <Button onPress={onClose}>{text("action.cancel")}</Button>
          <Button tone="primary" isSubmit isPending={change.isPending}>
            {text("action.save")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** An instant as a field of the browser has it: local, to the minute. */
function toLocal(instant: string | undefined): string {
  if (instant === undefined) return "";
  const at = new Date(instant);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

interface DeleteProps extends KeyProps {
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

function DeleteDialog({ row, onClose, onDeleted }: DeleteProps) {
  const remove = useChange(async () => (await api.ai.deleteKey({ key_id: row.id })) ?? null, ["ai"]);
  return (
    <Dialog title={`${text("action.delete")}: ${row.name}`} onClose={onClose}>
      <div class="form">
        <p>{text("message.confirm_delete")}</p>
        {remove.error && <ErrorAlert error={remove.error} />}
        <div class="form-actions">
          <Button onPress={onClose}>{text("action.cancel")}</Button>
          <Button
            tone="danger"
            isPending={remove.isPending}
            onPress={() => void remove.run(undefined).then((done) => done === null && onDeleted())}
          >
            {text("action.delete")}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

/** Changes the tools of MCP servers that a key may call. */
function KeyTools({ row, onClose }: { readonly row: AiKey; readonly onClose: () => void }) {
  const [typed, setTyped] = useState(toolsInWords(row.mcp_configs));
  const change = useChange(
    () => api.ai.changeKey({ key_id: row.id, mcp_configs: withLimits(readTools(typed, row.mcp_configs)) }),
    ["ai"],
  );
  const submit = async () => {
    if (!(await change.run(undefined))) return;
    toast(text("message.saved"));
    onClose();
  };
  return (
    <FormDialog
      title={`${text("keys.tools")}: ${row.name}`}
      {...{ change, onClose }}
      blockedBy={areToolsValid(typed) ? undefined : text("keys.tools_rule")}
      onSubmit={() => void submit()}
    >
      <ToolsField value={typed} onInput={setTyped} />
    </FormDialog>
  );
}
