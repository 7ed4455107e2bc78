import { text } from "../../i18n/texts.ts";
import { Badge } from "../../parts/values.tsx";
import type { Credential } from "./credential.ts";

/** Whether a credential is used. */
export function CredentialState({ credential: { enabled, is_readable } }: { readonly credential: Credential }) {
  if (!is_readable) return <Badge mood="bad">{text("credentials.unreadable")}</Badge>;
  return <Badge mood={enabled ? "good" : "plain"}>{text(enabled ? "label.active" : "keys.disabled")}</Badge>;
}
