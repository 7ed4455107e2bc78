import { text } from "../../../i18n/texts.ts";
import { Badge } from "../../../parts/values.tsx";
import type { Tenant } from "../tenant-tree.ts";

/** Active, disabled by itself, or disabled by what lies above it. */
export function TenantState({ tenant }: { readonly tenant: Tenant }) {
  if (tenant.status === "bin") return <Badge mood="bad">{text("tenants.in_bin")}</Badge>;
  if (!tenant.enabled) return <Badge mood="bad">{text("tenants.disabled")}</Badge>;
  if (!tenant.is_usable) return <Badge mood="warn">{text("tenants.disabled_above")}</Badge>;
  return <Badge mood="good">{text("label.active")}</Badge>;
}
