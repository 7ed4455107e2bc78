import { rowOf } from "../api/client.ts";
import { connection } from "../api/connection.ts";
import { isPermitted } from "../api/session.ts";
import { text } from "../i18n/texts.ts";

/** Why the caller cannot call a row now: the permission that is missing, or a gateway that is not reached; undefined where it can. */
export function blockedBy(row: string): string | undefined {
  const [, , permission] = rowOf(row);
  if (!isPermitted(permission)) return `${text("message.permission_missing")} ${permission}`;
  return connection.get().isOnline ? undefined : text("message.offline");
}
