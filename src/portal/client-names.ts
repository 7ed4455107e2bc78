import type { PortalCall } from "./call.ts";
import { type Placed, placeOf } from "./scope.ts";
import { readAll } from "./shelf.ts";

/**
 * What the clients that the caller is, is of, or sees are called: the names of their customers. Undefined for a client that has none yet,
 * and for places above clients.
 */
export async function clientNames(
  call: Pick<PortalCall, "records" | "listAbove">,
): Promise<(placed: Placed) => string | undefined> {
  const customers = [...(await call.listAbove("customer")), ...(await readAll(call.records, "customer"))];
  const names = new Map<string, string>();
  for (const customer of customers) {
    const place = writePlace(placeOf("customer", customer));
    if (!names.has(place)) names.set(place, customer.name);
  }
  return (placed) => (placed.client_id ? names.get(writePlace(placed)) : undefined);
}

function writePlace({ reseller, client_id }: Placed): string {
  return JSON.stringify([reseller ?? null, client_id ?? null]);
}
