import { isIdOf } from "../../../engine/policy/ids.ts";
import type { LedgerEntry } from "../../../engine/ports/ledger.ts";
import type { PortalCall } from "../../call/call.ts";
import { readAll } from "../../tenancy/record-access.ts";

/** The requests that a caller may see: all of them for the provider level, below it those of the keys in its scope, deleted ones included unless it is a user. */
export interface VisibleRequests {
  /** The ids of the keys; undefined where no request is hidden. */
  readonly keyIds: ReadonlySet<string> | undefined;
  isVisible(entry: Pick<LedgerEntry, "key_id">): boolean;
}

/** Returns which requests a caller may see. */
export async function visibleRequests({ caller: { scope }, records }: PortalCall): Promise<VisibleRequests> {
  if (scope.reseller === undefined) return { keyIds: undefined, isVisible: () => true };
  const where = scope.user_id === undefined ? undefined : { user: scope.user_id };
  const keyIds = new Set((await readAll(records, "key", where)).map(({ id }) => id));
  for (const { id } of await readAll(records, "deleted_name")) if (isIdOf("key", id)) keyIds.add(id);
  return { keyIds, isVisible: ({ key_id }) => key_id !== undefined && keyIds.has(key_id) };
}
