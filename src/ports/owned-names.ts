import type { RecordKind, RecordKinds } from "./records.ts";

/** The parts that make the owner of a record's name; absent ones count too. */
type NameOwner = readonly (string | null | undefined)[];

const tenantOf = ({ metadata }: RecordKinds["customer"]): NameOwner => [metadata.reseller, metadata.client_id];

/**
 * A key belongs to its project. Without one it belongs to its tenant, which in an engine without tenants is its customer, and there to
 * its user: users do not see each other's keys.
 */
function ownerOfKey({ project_id, customer_id, user, metadata }: RecordKinds["key"]): NameOwner {
  if (project_id !== undefined) return [project_id];
  const { reseller, client_id } = metadata;
  const isTenants = reseller !== undefined || client_id !== undefined;
  return [reseller, client_id, isTenants ? undefined : customer_id, user];
}

/** The kinds whose names are looked at, and to whom a name belongs. A new kind is a row here, a link of the kind, and a migration. */
const owners: { readonly [Kind in RecordKind]?: (record: RecordKinds[Kind]) => NameOwner } = {
  customer: tenantOf,
  project: (project) => [...tenantOf(project), tenantOf(project).some(Boolean) ? undefined : project.customer_id],
  key: ownerOfKey,
  role: ({ reseller, client_id }) => [reseller, client_id],
  token: ({ user_id }) => [user_id],
};

/** The kinds whose names are looked at. */
export const namedKinds = Object.keys(owners) as readonly (keyof typeof owners)[];

/**
 * Returns a text that two records of a kind share when they have the same name with the same owner; undefined for a kind without names.
 * Names are compared in Unicode's composed form (NFC), and differ in letter case.
 */
export function ownedNameOf<Kind extends RecordKind>(kind: Kind, record: RecordKinds[Kind]): string | undefined {
  const ownerOf = owners[kind] as ((one: RecordKinds[Kind]) => NameOwner) | undefined;
  if (!ownerOf || !("name" in record) || typeof record.name !== "string") return undefined;
  const owner = ownerOf(record).map((part) => part ?? null);
  return JSON.stringify([...owner, record.name.normalize("NFC")]);
}
