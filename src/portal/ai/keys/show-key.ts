import type { VirtualKey } from "../../../api/governance.ts";
import type { StoredUser } from "../../../api/portal/users.ts";
import type { AiKeyBrief } from "../../../operations/portal/tenancy/ai-resources.ts";
import type { PortalDeps } from "../../area.ts";

type Bound = Pick<VirtualKey, "active" | "user_bound">;

/** True for an enabled key. A key that is bound to its user also needs that user enabled. */
export function isActive({ active, user_bound }: Bound, user: Pick<StoredUser, "enabled"> | undefined): boolean {
  return active && (!user_bound || user?.enabled === true);
}

/** Returns a key as changes answer it. Looks up its user in all records, because it may belong to a level above the caller. */
export async function readBrief({ records }: Pick<PortalDeps, "records">, key: VirtualKey): Promise<AiKeyBrief> {
  const user = key.user_bound && key.user !== undefined ? await records.get("user", key.user) : undefined;
  return showBrief(key, user?.record);
}

/** Returns the fields that every view of a key has. */
export function showBrief(key: VirtualKey, user: Pick<StoredUser, "enabled"> | undefined): AiKeyBrief {
  const { id, name, description, provider_configs, budgets, rate_limits } = key;
  return {
    id,
    name,
    ...(description === undefined ? {} : { description }),
    is_active: isActive(key, user),
    budgets,
    rate_limits,
    provider_configs,
  };
}
