import { text } from "../../i18n/texts.ts";
import { Badge, type Mood } from "../../parts/values.tsx";

const moods: Readonly<Record<string, Mood>> = {
  active: "good",
  online: "good",
  available: "good",
  "in-use": "good",
  error: "bad",
  down: "bad",
  offline: "bad",
  build: "primary",
  creating: "primary",
  shutoff: "warn",
};

/** The state of a thing in its service's own word. */
export function StatusWord({ status }: { readonly status: string | undefined }) {
  if (!status) return <span class="faint">–</span>;
  return <Badge mood={moods[status.toLowerCase()] ?? "plain"}>{status}</Badge>;
}

/** Where a screen's other operations are. */
export function AllOperations({ dashboard }: { readonly dashboard: string }) {
  return <a href={`d/${dashboard}`}>{text("console.all_operations")}</a>;
}
