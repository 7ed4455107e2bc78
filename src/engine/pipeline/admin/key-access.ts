import { compileAccess, type KeyPermissions } from "../../policy/access.ts";
import { draftKey } from "../../policy/drafts.ts";
import { tenantIdsAt } from "../../policy/ids.ts";
import { hashKey, isSameHash } from "../../policy/key.ts";
import type { LedgerEntry } from "../../ports/ledger.ts";
import type { Records, StoredKey } from "../../ports/records.ts";
import type { Store } from "../../ports/store.ts";
import type { Identify } from "../../routing/model-identity.ts";
import { createBoundedCache } from "../../runtime/bounded-cache.ts";
import { notifySafely } from "../../runtime/notify.ts";
import { createGenerationalCache } from "../runtime/generational-cache.ts";
import type { KeyAccess } from "../runtime/ports.ts";
import { createKnownKeys, type KnownKeysRule } from "./known-keys.ts";

/** Keys that are cached; the rest are read from the store on demand. */
const cachedCount = 10_000;

/** What keys are read by. */
export interface KeyAccessSettings {
  /** Of the keys' values. */
  readonly prefix: string;
  /** How the names of models in their lists are understood. */
  readonly identify: Identify;
  /** How long keys are good while their store is away; absent where they are not. */
  readonly whileAway?: KnownKeysRule | undefined;
}

/** What a key's access is made of. */
const accessKinds = ["key", "retired_key", "project", "customer", "user", "tenant"] as const;

/**
 * Access to the keys in a store's records; its caches are cleared whenever keys or the records above them change, in this process
 * or another, and the ledger takes a checkpoint then.
 */
export function createKeyAccess({ records, ledger }: Store, settings: KeyAccessSettings): KeyAccess {
  const { prefix, identify } = settings;
  const knownKeys = createKnownKeys(settings.whileAway);
  let confirmedAt = 0;
  const ready = createBoundedCache<KeyPermissions>(cachedCount);
  // By the values themselves, which are in memory as long as their requests anyway: a SHA-256 is 3 to 5 % of a request.
  const recent = createGenerationalCache<KeyPermissions>(cachedCount);
  let stamp = records.stamp(accessKinds);
  const load = async (hash: string): Promise<KeyPermissions | undefined> => {
    const begun = records.stamp(accessKinds);
    const found = await findKeyRecord(records, hash);
    if (!found) return undefined;
    const compiled = await compile({ records, identify }, found.key);
    const access = { ...compiled, closesAt: Math.min(compiled.closesAt, found.endsAt) };
    if (begun === records.stamp(accessKinds)) ready.set(hash, access); // else it may be from before a change
    return access;
  };
  return {
    find(value, now) {
      const current = records.stamp(accessKinds);
      if (current !== stamp) {
        for (const [hash, access] of ready.entries()) knownKeys.confirm(hash, access, confirmedAt);
        ready.clear();
        recent.clear();
        stamp = current;
        notifySafely(() => ledger.checkpoint()); // a line that is not drawn refuses no call
      }
      confirmedAt = now;
      const known = recent.get(value, now);
      if (known) return known;
      const hash = hashKey(value, prefix);
      const access = ready.get(hash);
      if (!access) return knownKeys.readOrKnown(hash, now, () => load(hash));
      recent.set(value, access, now);
      return access;
    },
    async ofKey(id) {
      const found = await records.get("key", id);
      return found && compile({ records, identify }, found.record);
    },
    async ofEntry({ key_id = "", ...owners }) {
      const found = await records.get("key", key_id);
      return compile({ records, identify }, found?.record ?? { ...gone, id: key_id }, owners);
    },
  };
}

/** A key, and when the value that it was found by ends. */
interface FoundKey {
  readonly key: StoredKey;
  readonly endsAt: number;
}

/** The key that has a value with this hash, or had one before it was rotated. */
async function findKeyRecord(records: Records, hash: string): Promise<FoundKey | undefined> {
  const present = await records.findByHash("key", hash);
  if (present) return isSameHash(present.record.hash, hash) ? { key: present.record, endsAt: Infinity } : undefined;
  const retired = await records.findByHash("retired_key", hash);
  if (!retired || !isSameHash(retired.record.hash, hash)) return undefined;
  const key = await records.get("key", retired.record.key_id);
  return key && { key: key.record, endsAt: Date.parse(retired.record.expires_at) };
}

/** A key of which only its entries are left. */
const gone = draftKey({ name: "deleted", active: false }, { hash: "", last4: "" }, { id: "", now: 0 });

/** The owners of a key. */
type Owners = Pick<LedgerEntry, "project_id" | "customer_id">;

/** What a key gives access to under the owners that it has, or under others. */
async function compile(
  { records, identify }: { readonly records: Records; readonly identify: Identify },
  key: StoredKey,
  owners?: Owners,
): Promise<KeyPermissions> {
  const projectId = owners ? owners.project_id : key.project_id;
  const project = projectId === undefined ? undefined : await records.get("project", projectId);
  const customerId = owners ? owners.customer_id : (project?.record.customer_id ?? key.customer_id);
  const customer = customerId === undefined ? undefined : await records.get("customer", customerId);
  const user = key.user_bound && key.user !== undefined ? await records.get("user", key.user) : undefined;
  const found = await Promise.all(tenantIdsAt(key.metadata).map((id) => records.get("tenant", id)));
  const tenants = found.flatMap((tenant) => (tenant ? [tenant.record] : []));
  const above = { project: project?.record, customer: customer?.record, user: user?.record, tenants };
  return compileAccess({ key, ...above }, identify);
}
