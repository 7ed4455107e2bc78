import type { ListOrder, RecordKind, RecordKinds, Where } from "../../engine/ports/records.ts";
import { recordKinds } from "../../operations/record-kinds.ts";
import { readAll } from "../tenancy/record-access.ts";
import type { PortalCall } from "./call.ts";

/** What a list of records needs of its call. */
type ListCall = Pick<PortalCall, "records" | "page" | "showNext">;

/**
 * Returns the page of a list that the caller asked for, from the store; or all records, of which the page is cut out, where the call has no page or it is sorted by a field that the store has no order of.
 */
export async function readListed<Kind extends RecordKind>(
  { records, page = {}, showNext }: ListCall,
  kind: Kind,
  where?: Where<Kind>,
): Promise<RecordKinds[Kind][]> {
  const { limit, after, search, sort = "created_at" } = page;
  const order = orderOf(kind, sort);
  const isInStore = order !== undefined && (search === undefined || recordKinds[kind].texts !== undefined);
  if (limit === undefined || !isInStore) return readAll(records, kind, where);
  const { records: found, next } = await records.list(kind, { where, limit, after, search, order });
  showNext?.(next);
  return found.map(({ record }) => record);
}

/** The order of the store that a sort asks for: by creation, or by the name of the kind. */
function orderOf(kind: RecordKind, sort: string): ListOrder | undefined {
  const { name } = recordKinds[kind];
  const field = sort.replace(/^-/, "");
  if (field === "created_at") return sort === field ? "oldest" : "newest";
  if (field === name) return sort === field ? "name" : "name_reversed";
  return undefined;
}
