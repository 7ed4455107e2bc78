import { isGatewayError } from "../../../../src/engine/errors.ts";
import type { PortalCall } from "../../../../src/portal/call/call.ts";
import type { OperationDeadline } from "../../shared/deadline.ts";
import type { Cloud, ListRequest, Wire } from "./cloud.ts";
import { idOf, objectsOf } from "./from-wire.ts";
import { nextQuery } from "./paging.ts";

/** A list that its service pages by the creation of its entries, each page behind the entry that `marker` names. */
interface MarkedList {
  readonly request: ListRequest;
  createdAt(item: Wire): unknown;
  /** Entries that the caller does not see are left out: the page is filled from behind them. */
  isShown(item: Wire): boolean;
}

/** The part of a call that says which page of a list is wanted. */
export interface Paging {
  readonly page?: PortalCall["page"];
  readonly showNext?: PortalCall["showNext"] | undefined;
}

interface WantedPage extends Paging {
  readonly deadline: OperationDeadline;
}

/** Where a page begins: behind this entry. */
type Marker = readonly [created: string, id: string];

/** The most that services send at a time. */
const most = 1_000;

/**
 * Reads one page of a list from its service. Undefined where the whole list has to be read for it: without a `limit`, with a text to search
 * for, in an order other than that of creation, behind a cursor of another kind, and where there is nothing, which is to be proved.
 */
export async function readOnePage(cloud: Cloud, list: MarkedList, wanted: WantedPage): Promise<Wire[] | undefined> {
  const { page: { limit, after, search, sort = "created" } = {}, showNext } = wanted;
  if (limit === undefined || search !== undefined || !/^-?created$/.test(sort)) return undefined;
  const marker = after === undefined ? undefined : readMarker(after);
  if (after !== undefined && marker === undefined) return undefined;
  const query = { ...list.request.query, sort_key: "created_at", sort_dir: sort === "created" ? "asc" : "desc" };
  const sorted = { ...list, request: { ...list.request, query } };
  const found = await readBehind(cloud, sorted, { marker, limit, deadline: wanted.deadline });
  if (found.length === 0 && marker === undefined) return undefined;
  const shown = found.slice(0, limit);
  showNext?.(found.length > limit ? writeMarker(keyOf(shown.at(-1) ?? {}, list)) : undefined);
  return shown;
}

interface Behind {
  readonly marker: Marker | undefined;
  readonly limit: number;
  readonly deadline: OperationDeadline;
}

/** The entries behind a marker, more than `limit` of them where there are. One whose entry is gone is looked for in the whole list. */
async function readBehind(cloud: Cloud, list: MarkedList, { marker, limit, deadline }: Behind): Promise<Wire[]> {
  const { request, isShown } = list;
  const found: Wire[] = [];
  let behind = marker?.[1];
  let size = Math.min(limit + 1, most);
  try {
    for (;;) {
      const query = { ...request.query, limit: String(size), ...(behind === undefined ? {} : { marker: behind }) };
      const answer = await cloud.ask({ ...request, query }, deadline);
      const wires = objectsOf(answer[request.key]);
      found.push(...wires.filter(isShown));
      if (wires.length === 0 || found.length > limit || nextQuery(answer, request.key) === undefined) return found;
      behind = idOf(wires.at(-1)?.id);
      size = most; // much of what comes is not shown
    }
  } catch (thrown) {
    if (marker === undefined || !isGatewayError(thrown) || thrown.code !== "invalid_request") throw thrown;
    const all = (await cloud.list(request, deadline)).filter(isShown);
    return all.filter((item) => isBehind(keyOf(item, list), marker, request.query?.sort_dir === "desc"));
  }
}

function isBehind([created, id]: Marker, [from, fromId]: Marker, isReverse: boolean): boolean {
  const [one, other] = isReverse ? [-1, 1] : [1, -1];
  const order = created === from ? (id > fromId ? one : other) : created > from ? one : other;
  return order > 0 && id !== fromId;
}

function keyOf(item: Wire, { createdAt }: MarkedList): Marker {
  return [String(createdAt(item) ?? ""), idOf(item.id)];
}

function writeMarker(marker: Marker): string {
  return Buffer.from(JSON.stringify(marker)).toString("base64url");
}

function readMarker(cursor: string): Marker | undefined {
  try {
    const read: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString());
    if (!Array.isArray(read) || read.length !== 2) return undefined;
    const [created, id] = read as unknown[];
    if (typeof created === "string" && typeof id === "string") return [created, id];
  } catch {} // a cursor of the whole list, or none of ours: who reads that list says so
  return undefined;
}
