import type { VirtualKey } from "../../../api/governance.ts";
import type { StoredUser } from "../../../api/portal/users.ts";
import type { AiKeyBrief } from "../../../operations/portal/resources/ai.ts";
import type { AreaTools } from "../../area.ts";

type Bound = Pick<VirtualKey, "active" | "user_bound">;

/** A key is active while it is switched on and, where it is bound to its user, that one is enabled. */
export function isActive({ active, user_bound }: Bound, user: Pick<StoredUser, "enabled"> | undefined): boolean {
  return active && (!user_bound || user?.enabled === true);
}

/** A key as changes answer it; its user is looked up among all, since it may stand above the caller. */
export async function readBrief({ records }: Pick<AreaTools, "records">, key: VirtualKey): Promise<AiKeyBrief> {
  const user = key.user_bound && key.user !== undefined ? await records.get("user", key.user) : undefined;
  return showBrief(key, user?.record);
}

/** What every view of a key has in common. */
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
