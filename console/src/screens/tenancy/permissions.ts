import type { AnswerOf } from "../../../../src/operations/calls.ts";
import type { Areas } from "../../../../src/operations/portal/table.ts";

/** A permission with the operation that asks for it. */
export type Permission = AnswerOf<Areas["users"]["permissions"]>[number];

/** A role as the list has it. */
export type Role = AnswerOf<Areas["users"]["roles"]>[number];

/** Stands for all permissions that the owner has. */
export const everything = "*";

/** The permissions of each area, in the order of the catalogue, as far as they match what is searched for. */
export function groupByArea(all: readonly Permission[], wanted = ""): ReadonlyMap<string, readonly Permission[]> {
  const groups = new Map<string, Permission[]>();
  for (const one of all) {
    const isWanted = [one.name, one.path, one.summary, one.area].some((value) => value.toLowerCase().includes(wanted));
    if (isWanted) groups.set(one.area, [...(groups.get(one.area) ?? []), one]);
  }
  return groups;
}

/** The names that a list of permissions stands for: `*` is every one of the catalogue. */
export function namesOf(permissions: readonly string[], all: readonly Permission[]): ReadonlySet<string> {
  return new Set(permissions.includes(everything) ? all.map(({ name }) => name) : permissions);
}

/** Where a permission comes from: the names of the roles that grant it. */
export type PermissionOrigins = ReadonlyMap<string, readonly string[]>;

/** The roles that grant each permission. */
export function originsOf(roles: readonly Role[], all: readonly Permission[]): PermissionOrigins {
  const origins = new Map<string, string[]>();
  for (const { name: role, permissions } of roles)
    for (const name of namesOf(permissions, all)) origins.set(name, [...(origins.get(name) ?? []), role]);
  return origins;
}

/** Sets that people start from. */
export const templates = {
  none: () => false,
  read: ({ method }: Permission) => method === "GET",
  keys: ({ name, path, method }: Permission) =>
    path.startsWith("/ai/keys") || (method === "GET" && (name.startsWith("ai_") || name === "context-get")),
  all: () => true,
} as const satisfies Record<string, (permission: Permission) => boolean>;

/** The names of a template, without what may not be granted. */
export function pickTemplate(
  name: keyof typeof templates,
  all: readonly Permission[],
  mayGrant: (name: string) => boolean,
): readonly string[] {
  return all.filter((one) => templates[name](one) && mayGrant(one.name)).map((one) => one.name);
}
