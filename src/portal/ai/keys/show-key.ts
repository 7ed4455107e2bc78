import type { VirtualKey } from "../../../engine/api/governance.ts";
import { present } from "../../../engine/policy/drafts.ts";
import type { AiKeyExport } from "../../../operations/portal/tenancy/ai/keys.ts";
import type { AiKeyBrief } from "../../../operations/portal/tenancy/ai/resources.ts";
import type { StoredUser } from "../../../operations/records/users.ts";
import type { PortalDeps } from "../../area.ts";
import { ownTags } from "./own-tags.ts";

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

/** Returns the end of a key's value, and when it was made and last used; `used` is in milliseconds since the epoch. */
export function showKeyFacts({ last4, created_at }: VirtualKey, used: number | undefined) {
  return { last4, created_at, ...(used === undefined ? {} : { last_used_at: new Date(used).toISOString() }) };
}

/** Returns the fields that every view of a key has. */
export function showBrief(key: VirtualKey, user: Pick<StoredUser, "enabled"> | undefined): AiKeyBrief {
  const { id, name, description, provider_configs, budgets, rate_limits, starts_at, expires_at, timeouts } = key;
  const { mcp_configs } = key;
  return {
    id,
    name,
    ...present({ description, starts_at, expires_at, timeouts, metadata: ownTags(key), mcp_configs }),
    is_active: isActive(key, user),
    budgets,
    rate_limits,
    provider_configs,
  };
}

/** Returns a key as it is exported: another gateway's `POST /ai/keys` takes its settings. */
export function showExported(key: VirtualKey): AiKeyExport {
  const { id, name, description, active, user_bound = false, project_id, user, last4, created_at } = key;
  const { provider_configs, budgets, rate_limits, starts_at, expires_at, timeouts, metadata, mcp_configs } = key;
  const owner = { tier: metadata.tier, project_id, user };
  return {
    ...{ id, name, ...present({ description, ...owner }), active, user_bound, provider_configs, budgets, rate_limits },
    ...present({ starts_at, expires_at, timeouts, metadata: ownTags(key), mcp_configs }),
    ...{ last4, created_at },
  };
}
