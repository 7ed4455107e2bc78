import { ownedNameOf } from "../../../src/engine/ports/owned-names.ts";
import { engineKinds, type KindDefinitions, type NameOwner } from "../../../src/engine/ports/record-kinds.ts";

const { customer, project, key } = engineKinds;

/** The kinds that had names with their owners when stores began to find records by them. Not to be changed: migrations are made of it. */
const migratedKinds: KindDefinitions = {
  customer,
  project,
  key,
  role: {
    links: {},
    owner: ({ reseller, client_id }: { reseller?: string | null; client_id?: string | null }): NameOwner => [
      reseller,
      client_id,
    ],
  },
  token: { links: {}, owner: ({ user_id }: { user_id?: string | null }): NameOwner => [user_id] },
};

/** Their names. */
export const migratedNameKinds: readonly string[] = Object.keys(migratedKinds);

/** The link of the name of a record that an older version wrote; undefined where it has none, or cannot be read. */
export function linkName(kind: string, body: string) {
  try {
    const record = JSON.parse(body) as { readonly id: string; readonly created_at: string };
    const value = ownedNameOf(migratedKinds, kind, record);
    return value === undefined ? undefined : { id: record.id, created_at: record.created_at, value };
  } catch {
    return undefined;
  }
}

/** The fields that records were searched by when stores began to keep their texts. Not to be changed: migrations are made of it. */
export const migratedTexts = {
  customer: ["id", "name", "description"],
  project: ["id", "name", "description"],
  key: ["id", "name", "description", "last4", "user"],
  tenant: ["id", "name", "reseller", "client_id", "contact"],
  user: ["id", "username", "email", "first_name", "last_name"],
  role: ["id", "name", "description"],
} as const;

/** The names that stores made indexes of. Not to be changed: migrations are made of it. */
export const migratedNames = {
  customer: "name",
  project: "name",
  key: "name",
  tenant: "name",
  user: "username",
  role: "name",
} as const;
