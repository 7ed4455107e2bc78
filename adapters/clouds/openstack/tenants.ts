import { GatewayError } from "../../../src/engine/errors.ts";
import { inParallel } from "../../../src/portal/locks/in-parallel.ts";
import type { OperationDeadline } from "../shared/deadline.ts";
import type { Visibility } from "../shared/visibility.ts";
import type { Cloud, ListRequest, Wire } from "./client/cloud.ts";
import { idOf, inOrder } from "./client/from-wire.ts";
import { type Paging, readOnePage } from "./client/one-page.ts";

/** Up to this many projects are asked for one by one; above, the whole list is read and narrowed here. */
const fewProjects = 20;

/** Requests under way at a time for one operation. */
export const width = 8;

/**
 * The queries that list what a caller may see. A token that is no administrator's is given its own project's things without a word
 * by Cinder and Neutron, which would pass for the whole: only a caller who sees no more than that project may be served by it.
 */
async function queriesOf(
  cloud: Cloud,
  visibility: Visibility,
  deadline: OperationDeadline,
): Promise<readonly Readonly<Record<string, string>>[]> {
  const { isAdmin, project } = await cloud.session(deadline);
  const seen = [...visibility.projects.keys()];
  if (!isAdmin) {
    if (!visibility.isWhole && seen.every((id) => id === project?.id)) return seen.length === 0 ? [] : [{}];
    throw new GatewayError(
      "backend_error",
      "Our token is no administrator's: OpenStack would list one project and hide the others.",
    );
  }
  if (visibility.isWhole || seen.length > fewProjects) return [{ all_tenants: "1" }];
  return seen.map((id) => ({ all_tenants: "1", project_id: id }));
}

/** A list of things that belong to projects. */
export interface TenantList extends Omit<ListRequest, "query"> {
  /** The project that a thing belongs to, read from the thing itself: filters of services are not relied on. */
  projectOf(item: Wire): unknown;
  /** When it was made; `created_at` unless given. */
  createdAt?(item: Wire): unknown;
  /** What every project may use, whosever it is, and the queries that find it. */
  readonly open?: OpenThings;
}

/** Things that their project, or the provider, opens to all. */
interface OpenThings {
  isOpen(item: Wire): boolean;
  readonly queries: readonly Readonly<Record<string, string>>[];
}

/** Everything of one kind that the caller may see, in order of creation. */
export async function listOfTenants(
  cloud: Cloud,
  list: TenantList,
  { visibility, deadline }: ListContext,
): Promise<Wire[]> {
  const { projectOf, createdAt = (item) => item.created_at, open, ...request } = list;
  const own = await queriesOf(cloud, visibility, deadline);
  const isNarrow = own.some(({ project_id }) => project_id !== undefined);
  const queries = isNarrow && open !== undefined ? [...own, ...open.queries] : own;
  const withoutAll = request.service === "network" || request.service === "loadBalancer";
  const pages = await inParallel(queries, width, async ({ all_tenants, ...query }) => {
    const scopedQuery = withoutAll || all_tenants === undefined ? query : { all_tenants, ...query };
    const items = await cloud.list({ ...request, query: scopedQuery }, deadline);
    return items.filter((item) => isRequested(idOf(projectOf(item)), query));
  });
  const isShown = (item: Wire) => visibility.shows(idOf(projectOf(item))) || open?.isOpen(item) === true;
  return inOrder(onceEach(pages.flat().filter(isShown)), createdAt);
}

/** A network of one's own that is shared is found by two queries. */
function onceEach(items: readonly Wire[]): Wire[] {
  return [...new Map(items.map((item) => [item.id, item] as const)).values()];
}

/**
 * The same of one page, where one question lists what the caller sees and its service pages it; undefined where the whole list has to be
 * read.
 */
export async function pageOfTenants(
  cloud: Cloud,
  list: TenantList,
  { visibility, deadline, page, showNext }: ListContext,
): Promise<Wire[] | undefined> {
  const { projectOf, createdAt = (item) => item.created_at, ...request } = list;
  if (page?.limit === undefined) return undefined;
  const [query, ...others] = await queriesOf(cloud, visibility, deadline);
  if (query === undefined || others.length > 0) return undefined;
  const isShown = (item: Wire) => visibility.shows(idOf(projectOf(item))) && isRequested(idOf(projectOf(item)), query);
  return readOnePage(cloud, { request: { ...request, query }, createdAt, isShown }, { page, showNext, deadline });
}

/** A service that ignores the filter gives every project's things to every question. */
function isRequested(projectId: string, { project_id }: Readonly<Record<string, string>>): boolean {
  return project_id === undefined || project_id === projectId;
}

/** Who looks, in which operation, and at which part of the list. */
export interface ListContext extends Paging {
  readonly visibility: Visibility;
  readonly deadline: OperationDeadline;
}
