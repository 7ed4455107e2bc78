import type { KeyPermissions } from "../policy/access.ts";

/** Who shares answers: callers with the same key, or with the same project or customer. */
export type Sharing = "key" | "project" | "customer";

/** Who an answer belongs to. */
export type CacheScope = "trusted" | `${Sharing}:${string}`;

/**
 * The scope of a caller; the trusted caller has its own. A key without the project or customer that answers are shared by shares with
 * nobody: what is missing never widens a scope.
 */
export function scopeOf(access: KeyPermissions | undefined, sharing: Sharing): CacheScope {
  if (!access) return "trusted";
  if (sharing === "project" && access.projectId !== undefined) return `project:${access.projectId}`;
  if (sharing === "customer" && access.customerId !== undefined) return `customer:${access.customerId}`;
  return `key:${access.keyId}`;
}

/** The name of a kept answer outside the cache, e.g. in `cache_debug`: it says its scope, so that it is enough to delete by. */
export function nameAnswer(scope: CacheScope, id: string): string {
  return `${scope}/${id}`;
}

/** The scope and the id that {@link nameAnswer} was made of; `undefined` for what is no such name. */
export function readAnswerName(name: string): { readonly scope: string; readonly id: string } | undefined {
  const slash = name.lastIndexOf("/");
  return slash < 1 ? undefined : { scope: name.slice(0, slash), id: name.slice(slash + 1) };
}
