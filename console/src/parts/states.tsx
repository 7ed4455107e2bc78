import type { ComponentChildren } from "preact";
import type { ApiError } from "../api/errors.ts";
import { hasText, text, textOf } from "../i18n/texts.ts";
import { Button } from "./button.tsx";
import { IdCopy } from "./copy.tsx";
import { Icon, type IconName } from "./icon.tsx";

interface EmptyProps {
  readonly icon?: IconName;
  readonly title: string;
  readonly children?: ComponentChildren;
  readonly action?: ComponentChildren;
}

/** What a place says that holds nothing: what the thing is, and what can be done. */
export function EmptyState({ icon = "archive", title, children, action }: EmptyProps) {
  return (
    <div class="state">
      <Icon name={icon} size={26} />
      <h2>{title}</h2>
      {children && <p>{children}</p>}
      {action}
    </div>
  );
}

/** What went wrong, with the code and the id that the gateway's log has. */
export function ErrorAlert({ error, onRetry }: { readonly error: ApiError; readonly onRetry?: () => void }) {
  return (
    <div class="alert" role="alert">
      <Icon name="alert" />
      <div class="alert-body">
        <strong>{error.status === 0 ? text("message.offline") : error.message}</strong>
        <div>
          {hasText(`error.${error.code}`) && <span>{textOf(`error.${error.code}`)} </span>}
          <code>{error.code}</code>
          {error.eventId && (
            <>
              {" · "}
              <IdCopy value={error.eventId} />
            </>
          )}
        </div>
      </div>
      {onRetry && (
        <Button isSmall onPress={onRetry}>
          {text("action.retry")}
        </Button>
      )}
    </div>
  );
}

/** Lines in the shape of what is coming. */
export function Skeleton({ lines = 6 }: { readonly lines?: number }) {
  return (
    <div class="card-body stack" role="status" aria-label={text("message.loading")}>
      {Array.from({ length: lines }, (_unused, position) => (
        <svg key={position} class="skeleton" width={`${90 - ((position * 17) % 40)}%`} aria-hidden="true" />
      ))}
    </div>
  );
}
