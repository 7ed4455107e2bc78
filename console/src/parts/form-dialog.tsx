import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { Change } from "../api/query.ts";
import { text } from "../i18n/texts.ts";
import { Button, type Tone } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { TextField } from "./field.tsx";
import { ErrorAlert } from "./states.tsx";
import { toast } from "./toast.tsx";

interface FormDialogProps {
  readonly title: string;
  readonly children?: ComponentChildren;
  /** What the button that sends says. */
  readonly action?: string;
  readonly tone?: Tone;
  /** For forms with a table in them. */
  readonly isWide?: boolean;
  /** Why the form cannot be sent as it is. */
  readonly blockedBy?: string | undefined;
  readonly change: Pick<Change<never, unknown>, "isPending" | "error">;
  readonly onSubmit: () => void;
  readonly onClose: () => void;
}

/** A form in a dialog: its fields, what went wrong, cancel and send. */
export function FormDialog(props: FormDialogProps) {
  const { title, children, action, tone = "primary", blockedBy, change, isWide = false, onSubmit, onClose } = props;
  return (
    <Dialog title={title} isWide={isWide} onClose={onClose}>
      <form
        class="form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (blockedBy === undefined && !change.isPending) onSubmit();
        }}
      >
        {children}
        {change.error && <ErrorAlert error={change.error} />}
        <div class="form-actions">
          <Button onPress={onClose}>{text("action.cancel")}</Button>
          <Button tone={tone} isSubmit isPending={change.isPending} blockedBy={blockedBy}>
            {action ?? text("action.save")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

interface ConfirmDialogProps {
  readonly title: string;
  readonly action: string;
  /** What will happen. */
  readonly children: ComponentChildren;
  /** A word that has to be typed first; a question is enough without one. */
  readonly word?: string;
  readonly tone?: Tone;
  readonly change: Change<void, unknown>;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Asks before something is done that cannot be undone, or that others will notice. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, action, children, word, tone = "danger", change, onDone, onClose } = props;
  const [typed, setTyped] = useState("");
  const label = word === undefined ? "" : text("message.confirm_type", { name: word });
  const submit = async () => {
    if ((await change.run()) === undefined) return;
    toast(text("message.done"));
    onDone();
  };
  return (
    <FormDialog
      {...{ title, action, tone, change, onClose }}
      blockedBy={word !== undefined && typed !== word ? label : undefined}
      onSubmit={() => void submit()}
    >
      <div class="stack">{children}</div>
      {word !== undefined && <TextField {...{ label, value: typed }} onInput={setTyped} isFocused />}
    </FormDialog>
  );
}
