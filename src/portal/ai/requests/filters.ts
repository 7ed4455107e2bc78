import type { UsageFilters } from "../../../engine/ports/ledger.ts";
import type { InputOf } from "../../../operations/calls.ts";
import type { Areas } from "../../../operations/portal/table.ts";
import type { VisibleRequests } from "./visible.ts";

type RequestInput = InputOf<Areas["ai"]["requests"]>;

/** The fields that filter requests. */
export type RequestFilterInput = Pick<
  RequestInput,
  | "key_id"
  | "project_id"
  | "customer_id"
  | "provider"
  | "model"
  | "request_type"
  | "user"
  | "status"
  | "reason"
  | "cache"
  | "metadata"
>;

/** With more keys than this the ledger is not asked for each: what it answers is filtered. */
const mostNamedKeys = 500;

/**
 * Returns the ledger's filters for those of a call, restricted to the keys that the caller sees where they are few. Undefined where no
 * request can match.
 */
export function toLedgerFilters(
  { key_id, cache, metadata = {}, ...fields }: RequestFilterInput,
  { keyIds }: VisibleRequests,
): UsageFilters | undefined {
  const named = key_id && keyIds ? key_id.filter((id) => keyIds.has(id)) : key_id;
  const keys = named ?? (keyIds && keyIds.size <= mostNamedKeys ? [...keyIds] : undefined);
  if (keys?.length === 0) return undefined;
  const tags = Object.entries(metadata).map(([name, value]) => [`metadata.${name}`, value]);
  return {
    ...Object.fromEntries(Object.entries(fields).filter(([, values]) => values !== undefined && values.length > 0)),
    ...(keys ? { key_id: keys } : {}),
    ...(cache && cache.length > 0 ? { cache: cache.map((how) => (how === "none" ? null : how)) } : {}),
    ...Object.fromEntries(tags),
  };
}
