import type { Clock } from "../../../src/engine/ports/clock.ts";
import type { Records } from "../../../src/engine/ports/records.ts";
import { retryOnConflict, versionConflict } from "../../../src/engine/runtime/version-conflict.ts";
import { portalKinds } from "../../../src/operations/record-kinds.ts";
import type { StoredLocalThing } from "../../../src/operations/records/local.ts";
import { readAll, write } from "../../../src/portal/tenancy/record-access.ts";

/** A thing as its service shows it. */
export type Resource = Record<string, unknown>;

/** What the embedded cloud of one region holds: things by kind and id. It is kept in the store, so that it outlives the process. */
export interface Inventory {
  find(kind: string, id: string): Promise<Resource | undefined>;
  /** In order of creation, then id. */
  list(kind: string): Promise<Resource[]>;
  /** Writes a thing, new or not. */
  put(kind: string, id: string, item: Resource): Promise<Resource>;
  /** Changes a thing by a function of what it is at that moment, which may throw; undefined where it is not there. */
  change(kind: string, id: string, by: (item: Resource) => Resource): Promise<Resource | undefined>;
  /** True when it was there. */
  remove(kind: string, id: string): Promise<boolean>;
}

/** The inventory of a region. `records` are all records: the cloud itself knows no tenants. */
export function openInventory(records: Records, region: string, clock: Pick<Clock, "now">): Inventory {
  records.define(portalKinds); // a cloud may be filled before there is a portal
  const collectionOf = (kind: string) => `${region}/${kind}`;
  const idOf = (kind: string, id: string) => `${collectionOf(kind)}/${id}`;
  const settled = (record: StoredLocalThing): Resource | undefined => settle(copyOf(record), clock.now());
  return {
    async find(kind, id) {
      const stored = await records.get("local_thing", idOf(kind, id));
      return stored && settled(stored.record);
    },
    async list(kind) {
      const all = await readAll(records, "local_thing", { collection: collectionOf(kind) });
      const gone = all.filter((record) => settled(record) === undefined);
      for (const { id } of gone) await records.remove("local_thing", id);
      return all.map(settled).filter((item) => item !== undefined);
    },
    async put(kind, id, body) {
      const created_at = new Date(clock.now()).toISOString();
      const fresh = {
        id: idOf(kind, id),
        created_at,
        reseller: null,
        client_id: null,
        collection: collectionOf(kind),
        body,
      };
      const by = (present: StoredLocalThing | undefined) => ({ ...(present ?? fresh), body });
      return copyOf(await write(records, "local_thing", { id: fresh.id, by }));
    },
    change: (kind, id, by) =>
      retryOnConflict(async () => {
        const stored = await records.get("local_thing", idOf(kind, id));
        const present = stored && settled(stored.record);
        if (!present) return undefined;
        const changed = { ...stored.record, body: by(present) };
        const outcome = await records.put("local_thing", changed, stored.version);
        return outcome.kind === "stored" ? copyOf(changed) : versionConflict;
      }),
    remove: async (kind, id) => (await records.remove("local_thing", idOf(kind, id))).kind === "removed",
  };
}

/** The field under which a thing on its way holds the state that it will have, and when; no service shows it. */
const pendingField = "tollgate:pending";

/**
 * Returns a thing on its way: its `field` (`status` unless given) shows `status` now, and `next` when `after` milliseconds are over;
 * without `next` it is gone then, and with `nextFields` it has these then.
 */
export function onItsWay(
  item: Resource,
  {
    now,
    after,
    field = "status",
    ...states
  }: {
    readonly field?: string;
    readonly status: string;
    readonly next?: string;
    readonly now: number;
    readonly after: number;
    readonly nextFields?: Resource | undefined;
  },
): Resource {
  return {
    ...item,
    [field]: states.status,
    [pendingField]: { field, status: states.next ?? null, at: now + after, fields: states.nextFields },
  };
}

interface Pending {
  readonly field?: string;
  readonly status: string | null;
  readonly at: number;
  readonly fields?: Resource;
}

/** A thing as it is at an instant; undefined when it is gone. */
function settle(item: Resource, now: number): Resource | undefined {
  const { [pendingField]: pending, ...shown } = item;
  if (pending === undefined) return item;
  const { field = "status", status, at, fields } = pending as Pending;
  if (now < at) return shown;
  return status === null ? undefined : { ...shown, ...fields, [field]: status };
}

/** Stores give the object that they hold. */
function copyOf({ body }: StoredLocalThing): Resource {
  return structuredClone(body) as Resource;
}
