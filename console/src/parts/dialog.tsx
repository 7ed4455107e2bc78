import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { text } from "../i18n/texts.ts";
import { Button } from "./button.tsx";

interface DialogProps {
  readonly title: string;
  readonly children: ComponentChildren;
  readonly onClose: () => void;
  /** At the side of the page instead of in its middle. */
  readonly isPanel?: boolean;
  /** For tables and long forms. */
  readonly isWide?: boolean;
  /** False keeps it open on Escape: something has to be decided. */
  readonly canClose?: boolean;
}

/** A native modal dialog: focus stays inside, Escape and × close it, and focus returns to where it was. */
export function Dialog({ title, children, onClose, isPanel = false, isWide = false, canClose = true }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  // Before the page is painted: a second click on what opened it cannot go to the page behind.
  useLayoutEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  return (
    <dialog
      ref={ref}
      class={isPanel ? "panel" : isWide ? "wide" : ""}
      aria-label={title}
      onCancel={(event) => {
        event.preventDefault();
        if (canClose) onClose();
      }}
    >
      <div class="dialog-head">
        <h2>{title}</h2>
        {canClose && <Button tone="quiet" isSmall icon="close" label={text("action.close")} onPress={onClose} />}
      </div>
      <div class="dialog-body">{children}</div>
    </dialog>
  );
}
