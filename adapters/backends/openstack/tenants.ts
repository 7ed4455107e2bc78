import { GatewayError } from "../../../src/errors.ts";
import { inParallel } from "../shared/parallel.ts";
import type { Sight } from "../shared/sight.ts";
import type { Work } from "../shared/work.ts";
import type { Cloud, ListRequest, Wire } from "./cloud.ts";
import { idOf, inOrder } from "./from-wire.ts";

/** Up to this many projects are asked for one by one; above, the whole list is read and narrowed here. */
const fewProjects = 20;

/** Requests under way at a time for one operation. */
export const width = 8;

/**
 * The queries that list what a caller may see. A token that is no administrator's is given its own project's things without a word
 * by Cinder and Neutron, which would pass for the whole: only a caller who sees no more than that project may be served by it.
 */
async function queriesOf(cloud: Cloud, sight: Sight, work: Work): Promise<readonly Readonly<Record<string, string>>[]> {
  const { isAdmin, project } = await cloud.session(work);
  const seen = [...sight.projects.keys()];
  if (!isAdmin) {
    if (!sight.isWhole && seen.every((id) => id === project?.id)) return seen.length === 0 ? [] : [{}];
    throw new GatewayError(
      "backend_error",
      "Our token is no administrator's: OpenStack would list one project and hide the others.",
    );
  }
  if (sight.isWhole || seen.length > fewProjects) return [{ all_tenants: "1" }];
  return seen.map((id) => ({ all_tenants: "1", project_id: id }));
}

/** A list of things that belong to projects. */
export interface TenantList extends Omit<ListRequest, "query"> {
  /** The project that a thing belongs to, read from the thing itself: filters of services are not relied on. */
  projectOf(thing: Wire): unknown;
  /** When it was made; `created_at` unless given. */
  createdAt?(thing: Wire): unknown;
}

/** Everything of one kind that the caller may see, in order of creation. */
export async function listOfTenants(cloud: Cloud, list: TenantList, { sight, work }: Looking): Promise<Wire[]> {
  const { projectOf, createdAt = (thing) => thing.created_at, ...request } = list;
  const queries = await queriesOf(cloud, sight, work);
  const withoutAll = request.service === "network" || request.service === "loadBalancer";
  const pages = await inParallel(queries, width, async ({ all_tenants, ...query }) => {
    const asked = withoutAll || all_tenants === undefined ? query : { all_tenants, ...query };
    const things = await cloud.list({ ...request, query: asked }, work);
    return things.filter((thing) => isAskedFor(idOf(projectOf(thing)), query));
  });
  return inOrder(
    pages.flat().filter((thing) => sight.shows(idOf(projectOf(thing)))),
    createdAt,
  );
}

/** A service that ignores the filter gives every project's things to every question. */
function isAskedFor(projectId: string, { project_id }: Readonly<Record<string, string>>): boolean {
  return project_id === undefined || project_id === projectId;
}

/** Who looks, and in which operation. */
export interface Looking {
  readonly sight: Sight;
  readonly work: Work;
}
