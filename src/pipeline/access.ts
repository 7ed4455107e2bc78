import { LRUCache } from "lru-cache";
import { type Access, compileAccess } from "../policy/access.ts";
import { hashKey, isSameHash } from "../policy/key.ts";
import { draftKey } from "../policy/record.ts";
import { hear } from "../ports/hear.ts";
import type { LedgerEntry } from "../ports/ledger.ts";
import type { Records, StoredKey } from "../ports/records.ts";
import type { Store } from "../ports/store.ts";
import type { AccessBook } from "./ports.ts";
import { createRecent } from "./recent.ts";

/** Keys that are kept ready; the rest are read from the store when they come. */
const keptReady = 10_000;

/** What a key's access is made of. */
const standing = ["key", "project", "customer", "user"] as const;

/**
 * An access book over the records of a store; what it keeps ready is forgotten whenever its keys or what stands above them change, in
 * this process or another, and the ledger draws a line then.
 */
export function createAccessBook({ records, ledger }: Store, prefix: string): AccessBook {
  const ready = new LRUCache<string, Access>({ max: keptReady });
  // By the values themselves, which are in memory as long as their requests anyway: a SHA-256 is 3 to 5 % of a request.
  const recent = createRecent<Access>(keptReady);
  let stamp = records.stamp(standing);
  const load = async (hash: string): Promise<Access | undefined> => {
    const begun = records.stamp(standing);
    const found = await records.findByHash("key", hash);
    if (!found || !isSameHash(found.record.hash, hash)) return undefined;
    const access = await compile(records, found.record);
    if (begun === records.stamp(standing)) ready.set(hash, access); // else it may be from before a change
    return access;
  };
  return {
    find(value, now) {
      const current = records.stamp(standing);
      if (current !== stamp) {
        ready.clear();
        recent.clear();
        stamp = current;
        hear(() => ledger.checkpoint()); // a line that is not drawn refuses no call
      }
      const known = recent.get(value, now);
      if (known) return known;
      const hash = hashKey(value, prefix);
      const access = ready.get(hash);
      if (!access) return load(hash);
      recent.set(value, access, now);
      return access;
    },
    async ofKey(id) {
      const found = await records.get("key", id);
      return found && compile(records, found.record);
    },
    async ofEntry({ key_id = "", ...owners }) {
      const found = await records.get("key", key_id);
      return compile(records, found?.record ?? { ...gone, id: key_id }, owners);
    },
  };
}

/** A key of which only its entries are left. */
const gone = draftKey({ name: "deleted", active: false }, { hash: "", last4: "" }, { id: "", now: 0 });

/** Whom a key belongs to. */
type Owners = Pick<LedgerEntry, "project_id" | "customer_id">;

/** What a key gives access to under the owners that it has, or under others. */
async function compile(records: Records, key: StoredKey, owners?: Owners): Promise<Access> {
  const projectId = owners ? owners.project_id : key.project_id;
  const project = projectId === undefined ? undefined : await records.get("project", projectId);
  const customerId = owners ? owners.customer_id : (project?.record.customer_id ?? key.customer_id);
  const customer = customerId === undefined ? undefined : await records.get("customer", customerId);
  const user = key.user_bound && key.user !== undefined ? await records.get("user", key.user) : undefined;
  return compileAccess({ key, project: project?.record, customer: customer?.record, user: user?.record });
}
