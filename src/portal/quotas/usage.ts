import { isGatewayError } from "../../errors.ts";
import type { RecordKind, Records } from "../../ports/records.ts";
import type { PortalCall } from "../call.ts";
import { covers, scopedRecords } from "../scope.ts";
import { readAll } from "../shelf.ts";
import { toPlace } from "../user.ts";
import type { QuotaPlace } from "./limits.ts";

/** Tells how much of its quotas a resource uses: what a region's back end knows and the portal does not. */
export interface QuotaUsage {
  /** By the quota's name, e.g. `{ "cores": 12 }`; a name that is left out is not used. Throws `not_found` for what is not there. */
  used(resourceId: string, call: PortalCall): Promise<Readonly<Record<string, number>>>;
}

/** Quotas of what the portal keeps itself: how many of a kind there may be. Infrastructure projects are counted by region, as their limits are. */
const counted: Readonly<Record<string, RecordKind>> = {
  users: "user",
  tokens: "token",
  profiles: "profile",
  ai_keys: "key",
  ai_projects: "project",
};

/** What usage is counted in. */
export interface Meter {
  /** All records. */
  readonly records: Records;
  readonly call: PortalCall;
  readonly source: QuotaUsage | undefined;
}

/** Counts what is used of quotas, asking the back end once per resource. */
export type UsedOf = (quota: string, place: QuotaPlace) => Promise<number>;

/** How much of a quota a place uses: of what the portal keeps, the records; of a resource, what the back end says; of a level, all its resources. */
export function createUsage({ records, call, source }: Meter): UsedOf {
  const asked = new Map<string, Promise<Readonly<Record<string, number>>>>();
  const ask = (resource: string) => {
    const known = asked.get(resource) ?? askFor(resource, source, call);
    asked.set(resource, known);
    return known;
  };
  return async (quota, place) => {
    const kind = Object.hasOwn(counted, quota) ? counted[quota] : undefined;
    if (kind) return place.resource_id === null ? countRecords(records, kind, place) : 0;
    if (quota === "projects") {
      return place.resource_id === null ? (await projectsOf(records, place, call.region)).length : 0;
    }
    const resources = place.resource_id === null ? await projectsOf(records, place, call.region) : [place.resource_id];
    const used = await Promise.all(resources.map(ask));
    return used.reduce((sum, one) => sum + (Object.hasOwn(one, quota) ? (one[quota] ?? 0) : 0), 0);
  };
}

async function askFor(resource: string, source: QuotaUsage | undefined, call: PortalCall) {
  if (!source) return {};
  try {
    return await source.used(resource, call);
  } catch (thrown) {
    if (isGatewayError(thrown) && thrown.code === "not_found") return {}; // a limit may be set before the resource is there
    throw thrown;
  }
}

async function countRecords(records: Records, kind: RecordKind, { reseller, client_id }: QuotaPlace): Promise<number> {
  return scopedRecords(records, toPlace({ reseller, client_id })).count(kind);
}

async function projectsOf(records: Records, { reseller, client_id }: QuotaPlace, region: string): Promise<string[]> {
  const place = toPlace({ reseller, client_id });
  const projects = await readAll(scopedRecords(records, place), "cloud_project");
  return projects.filter((one) => one.region === region && covers(place, one)).map(({ id }) => id);
}
