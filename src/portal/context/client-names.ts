import type { PortalCall } from "../call/call.ts";
import { readAll } from "../tenancy/record-access.ts";
import { type ScopedRecord, scopeOf } from "../tenancy/tenant-scope.ts";

/**
 * Returns the names of the clients that the caller belongs to or sees, which are the names of their customers. Undefined for a client
 * without a customer, and for levels above clients.
 */
export async function clientNames(
  call: Pick<PortalCall, "records" | "listAbove">,
): Promise<(record: ScopedRecord) => string | undefined> {
  const customers = [...(await call.listAbove("customer")), ...(await readAll(call.records, "customer"))];
  const names = new Map<string, string>();
  for (const customer of customers) {
    const scope = writeScope(scopeOf("customer", customer));
    if (!names.has(scope)) names.set(scope, customer.name);
  }
  return (record) => (record.client_id ? names.get(writeScope(record)) : undefined);
}

function writeScope({ reseller, client_id }: ScopedRecord): string {
  return JSON.stringify([reseller ?? null, client_id ?? null]);
}
