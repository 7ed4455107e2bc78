import { text } from "../i18n/texts.ts";
import { Button } from "./button.tsx";
import { Icon } from "./icon.tsx";
import { toast } from "./toast.tsx";

/** Copies a text and says so. */
export async function copyText(value: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(value);
    toast(text("message.copied"));
  } catch {
    toast(text("message.copy_failed"));
  }
}

/** An id that a click copies. */
export function IdCopy({ value }: { readonly value: string }) {
  return (
    <button type="button" class="copy" title={text("action.copy")} onClick={() => void copyText(value)}>
      <code>{value}</code>
      <Icon name="copy" size={13} />
    </button>
  );
}

/** A value that is shown once. It lives in the component that shows it and nowhere else. */
export function SecretOnce({ value }: { readonly value: string }) {
  return (
    <div class="stack">
      <div class="alert alert-warn">
        <Icon name="alert" />
        <div class="alert-body">{text("message.shown_once")}</div>
      </div>
      <div class="secret">
        <code data-secret="">{value}</code>
        <Button isSmall icon="copy" onPress={() => void copyText(value)}>
          {text("action.copy")}
        </Button>
      </div>
    </div>
  );
}
