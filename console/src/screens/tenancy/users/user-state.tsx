import { text } from "../../../i18n/texts.ts";
import { Badge } from "../../../parts/values.tsx";

/** May sign in, or is disabled. */
export function UserState({ isEnabled }: { readonly isEnabled: boolean }) {
  return <Badge mood={isEnabled ? "good" : "bad"}>{text(isEnabled ? "label.active" : "tenants.disabled")}</Badge>;
}
