import { LRUCache } from "lru-cache";
import { GatewayError } from "../errors.ts";
import { type Access, compileAccess } from "../policy/access.ts";
import { refuseCaller } from "../policy/decide.ts";
import { hashKey, isSameHash } from "../policy/key.ts";
import { draftKey } from "../policy/record.ts";
import { toRefusalError } from "../policy/refusal.ts";
import type { LedgerEntry } from "../ports/ledger.ts";
import type { MaybePromise } from "../ports/maybe-promise.ts";
import type { Records, StoredKey } from "../ports/records.ts";
import type { Store } from "../ports/store.ts";
import { type Call, takeTimeouts } from "./call.ts";
import type { AccessBook, Ports } from "./ports.ts";

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
    find(value) {
      const current = records.stamp(standing);
      if (current !== stamp) {
        ready.clear();
        stamp = current;
        ledger.checkpoint();
      }
      const hash = hashKey(value, prefix);
      return ready.get(hash) ?? load(hash);
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

/** Makes out who calls: throws the refusal of an unknown, missing, inactive or expired key, else sets the call's access. */
export function identify(call: Call, key: string | undefined): MaybePromise<void> {
  const { isKeyRequired } = call.ports.books;
  const admit = (access: Access | undefined): void => {
    const refusal = refuseCaller({ hasKey: key !== undefined, access, isKeyRequired, now: call.startedAt });
    call.access = access; // of a blocked key too: the row of its refusal names it
    if (refusal) throw toRefusalError(refusal);
    if (access?.timeouts) takeTimeouts(call, access.timeouts);
  };
  if (key === undefined) return admit(undefined);
  const found = bookOf(call.ports).find(key);
  const { recovered } = call.ports.books;
  if (recovered) return recovered.then(() => found).then(admit);
  return found instanceof Promise ? found.then(admit) : admit(found);
}

/** What a key gives access to now, `undefined` for the trusted caller; throws as {@link identify} does. */
export async function accessOf(ports: Ports, key: string | undefined): Promise<Access | undefined> {
  const { isKeyRequired } = ports.books;
  const access = key === undefined ? undefined : await bookOf(ports).find(key);
  const refusal = refuseCaller({ hasKey: key !== undefined, access, isKeyRequired, now: ports.clock.now() });
  if (refusal) throw toRefusalError(refusal);
  return access;
}

function bookOf({ books }: Ports): AccessBook {
  if (books.access) return books.access;
  throw new GatewayError("virtual_key_not_found", "The virtual key is unknown: this engine has no `store` of keys.");
}
