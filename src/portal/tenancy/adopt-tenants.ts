import { tenantIdOf } from "../../engine/policy/ids.ts";
import type { RecordKind, Records } from "../../engine/ports/records.ts";
import type { StoredTenant } from "../../operations/records/tenants.ts";
import { readAll } from "./record-access.ts";
import { type ScopedRecord, scopeOf } from "./tenant-scope.ts";

/** What names tenants in the stores of older versions, which had no tenants of their own. */
const namingKinds = ["customer", "user", "project", "key"] as const satisfies readonly RecordKind[];

/**
 * Makes the tenants that the records of an older version name, once, where the store has none: clients have the names of their customers.
 * All of them are written at once; of several processes that do so at once, one does it.
 */
export async function adoptTenants(records: Records, now: number): Promise<void> {
  if ((await records.count("tenant")) > 0) return;
  const found = new Map<string, StoredTenant>();
  const created_at = new Date(now).toISOString();
  const add = ({ reseller, client_id }: ScopedRecord, name?: string) => {
    if (typeof reseller !== "string") return;
    const client = typeof client_id === "string" ? client_id : null;
    const id = tenantIdOf(reseller, client);
    if (found.has(id)) return;
    const tenant = { id, created_at, reseller, client_id: client, name: name ?? client ?? reseller };
    found.set(id, { ...tenant, enabled: true, status: "active" });
  };
  for (const kind of namingKinds)
    for (const record of await readAll(records, kind)) {
      const place = scopeOf(kind, record);
      add({ reseller: place.reseller });
      add(place, kind === "customer" && "name" in record ? record.name : undefined);
    }
  if (found.size === 0) return;
  await records.batch([...found.values()].map((put) => ({ kind: "tenant", put, expected: 0 })));
}
