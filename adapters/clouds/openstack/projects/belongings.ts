import { GatewayError } from "../../../../src/engine/errors.ts";
import { inParallel } from "../../../../src/portal/locks/in-parallel.ts";
import type { OperationDeadline } from "../../shared/deadline.ts";
import type { Cloud, ListRequest, Wire } from "../client/cloud.ts";
import { allProjects } from "../quotas/quota-names.ts";
import { width } from "../tenants.ts";

type Lister = Omit<ListRequest, "query"> & {
  readonly projectField: string;
  readonly query: Readonly<Record<string, string>>;
};

const everywhere = { all_tenants: "1" };
const network = (path: string, key = path): Lister => ({
  service: "network",
  path: [path],
  key,
  projectField: "project_id",
  query: {},
});
const volume = (key: string, projectField: string): Lister => ({
  service: "volume",
  path: [key, "detail"],
  key,
  projectField,
  query: everywhere,
});

/** What would be left without an owner: Keystone deletes a project whatever it has (portal-backends.md, section 2). */
const belongings: readonly Lister[] = [
  { service: "compute", path: ["servers", "detail"], key: "servers", projectField: "tenant_id", query: everywhere },
  volume("volumes", "os-vol-tenant-attr:tenant_id"),
  volume("snapshots", "os-extended-snapshot-attributes:project_id"),
  volume("backups", "os-backup-project-attr:project_id"),
  { service: "loadBalancer", path: ["loadbalancers"], key: "loadbalancers", projectField: "project_id", query: {} },
  network("floatingips"),
  network("routers"),
  network("ports"),
  network("networks"),
  network("security-groups", "security_groups"),
  { service: "image", path: ["images"], key: "images", projectField: "owner", query: { visibility: "all" } },
  { service: "dns", path: ["zones"], key: "zones", projectField: "project_id", query: {}, headers: allProjects },
];

/** Lists that do not know the field by which the others are narrowed. */
const queryFields: Readonly<Record<string, string | undefined>> = { image: "owner", dns: undefined };

/** Neutron makes this one by itself at a project's first call; it goes with the project. */
export function isDefaultGroup(key: string, { name }: Wire): boolean {
  return key === "security_groups" && name === "default";
}

/** A cloud, and until when it is asked. */
export interface CloudLook {
  readonly cloud: Cloud;
  readonly deadline: OperationDeadline;
}

/** The things of one list. */
export interface Belongings {
  readonly kind: string;
  readonly wires: readonly Wire[];
}

/** Everything that a project has, its default security groups too. Throws `backend_error` where our token does not see all of it. */
export async function readBelongings(projectId: string, looking: CloudLook): Promise<Belongings[]> {
  const { isAdmin } = await looking.cloud.session(looking.deadline);
  if (!isAdmin)
    throw new GatewayError("backend_error", "Our token is no administrator's: what the project has cannot be seen.");
  return inParallel(belongings, width, async (lister) => {
    return { kind: lister.key, wires: await readList(lister, projectId, looking) };
  });
}

async function readList(lister: Lister, projectId: string, { cloud, deadline }: CloudLook): Promise<Wire[]> {
  const { projectField, query, ...request } = lister;
  if (!(await cloud.has(lister.service, deadline))) return [];
  const field = lister.service in queryFields ? queryFields[lister.service] : "project_id";
  const scopedQuery = field === undefined ? query : { ...query, [field]: projectId };
  return (await cloud.list({ ...request, query: scopedQuery }, deadline)).filter(
    (wire) => wire[projectField] === projectId,
  );
}
