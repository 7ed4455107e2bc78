import type { LimitUsage } from "../../engine/policy/limit-usage.ts";
import type { Records } from "../../engine/ports/records.ts";
import { type ScopedRecord, scopeOf } from "../tenancy/tenant-scope.ts";

/** The owner of a limit, as notifications name it. */
export interface AlertOwner {
  readonly kind: "key" | "project" | "customer";
  readonly id: string;
  readonly name: string;
  /** The path of the operation that reads it. */
  readonly link: string;
  readonly scope: ScopedRecord;
}

/** The paths of the operations that read owners of limits. Customers have a list only. */
const links: Readonly<Record<AlertOwner["kind"], (id: string) => string>> = {
  key: (id) => `/ai/keys/${id}`,
  project: (id) => `/ai/project/${id}`,
  customer: () => "/ai/customer",
};

/**
 * Returns the owner of a limit; undefined where there is none among the records. An entry of a key (`<key id>/<provider>`) belongs to
 * the key.
 */
export async function findOwner(
  records: Records,
  { level, owner }: Pick<LimitUsage, "level" | "owner">,
): Promise<AlertOwner | undefined> {
  const { kind, id } = ownerIdOf({ level, owner });
  const stored = await records.get(kind, id);
  if (!stored) return undefined;
  return { kind, id, link: links[kind](id), name: stored.record.name, scope: scopeOf(kind, stored.record) };
}

/** Returns the kind and the id of the owner of a limit. */
export function ownerIdOf({ level, owner }: Pick<LimitUsage, "level" | "owner">): Pick<AlertOwner, "kind" | "id"> {
  if (level !== "entry") return { kind: level, id: owner };
  return { kind: "key", id: owner.slice(0, owner.lastIndexOf("/")) };
}

/** Returns the path of the operation that reads an owner. */
export function linkOf({ kind, id }: Pick<AlertOwner, "kind" | "id">): string {
  return links[kind](id);
}
