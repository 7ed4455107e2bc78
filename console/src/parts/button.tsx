import type { ComponentChildren } from "preact";
import { Icon, type IconName } from "./icon.tsx";

/** How much a button asks for attention. */
export type Tone = "primary" | "plain" | "danger" | "quiet";

interface ButtonProps {
  readonly children?: ComponentChildren;
  readonly icon?: IconName;
  /** Read out in place of a word that is not there. */
  readonly label?: string;
  readonly tone?: Tone;
  readonly isSmall?: boolean;
  readonly isSubmit?: boolean;
  /** Why it cannot be used now; shown as its tooltip. */
  readonly blockedBy?: string | undefined;
  readonly isPending?: boolean;
  readonly onPress?: () => void;
}

function classOf({ tone = "plain", isSmall = false, children }: ButtonProps): string {
  return [
    "button",
    tone === "plain" ? "" : `button-${tone}`,
    isSmall ? "button-small" : "",
    children === undefined ? "button-icon" : "",
  ].join(" ");
}

/** A button. One that is blocked stays in the tab order, so that its reason can be read. */
export function Button(props: ButtonProps) {
  const { children, icon, label, isSubmit = false, blockedBy, isPending = false, onPress } = props;
  const isBlocked = blockedBy !== undefined || isPending;
  return (
    <button
      type={isSubmit ? "submit" : "button"}
      class={classOf(props)}
      aria-label={label}
      aria-disabled={isBlocked}
      aria-busy={isPending}
      title={blockedBy ?? (children === undefined ? label : undefined)}
      onClick={(event) => {
        if (isBlocked) event.preventDefault();
        else onPress?.();
      }}
    >
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}
/** A link that looks like a button. */
export function LinkButton(props: Omit<ButtonProps, "onPress"> & { readonly href: string }) {
  const { children, icon, label, href } = props;
  return (
    <a class={classOf(props)} href={href} aria-label={label}>
      {icon && <Icon name={icon} />}
      {children}
    </a>
  );
}
