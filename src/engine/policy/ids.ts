import { hash } from "node:crypto";

/** What the ids of the records begin with that calls are made and billed by. */
const prefixes = { key: "vk", project: "prj", customer: "cus" } as const;

/** The records that have such ids. */
export type BilledKind = keyof typeof prefixes;

/** Bytes of chance that an id is made of. */
export const idEntropy = 10;

/** The id of a new record. */
export function makeId(kind: BilledKind, chance: Uint8Array): string {
  return `${prefixes[kind]}_${Buffer.from(chance).toString("hex")}`;
}

/** True for what {@link makeId} could have made: the ledger remembers ids of records that are gone. */
export function isIdOf(kind: BilledKind, text: string): boolean {
  return new RegExp(`^${prefixes[kind]}_[0-9a-f]+$`).test(text);
}

/** The place of a tenant: a reseller, or a client of one. */
interface TenantPlace {
  readonly reseller?: string | null | undefined;
  readonly client_id?: string | null | undefined;
}

/** Returns the id of the tenant at a place: one place has one tenant. */
export function tenantIdOf(reseller: string, client_id?: string | null): string {
  return `ten_${hash("sha256", JSON.stringify([reseller, client_id ?? null]), "hex").slice(0, 24)}`;
}

/** Returns the ids of the tenants that a place lies in: of its reseller, then of its client. Empty for the provider. */
export function tenantIdsAt({ reseller, client_id }: TenantPlace): readonly string[] {
  if (typeof reseller !== "string") return [];
  const own = tenantIdOf(reseller);
  return typeof client_id === "string" ? [own, tenantIdOf(reseller, client_id)] : [own];
}
