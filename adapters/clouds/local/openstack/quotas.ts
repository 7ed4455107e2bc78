import type { QuotaHolder } from "../../openstack/quotas/quota-names.ts";
import type { ServiceAnswer, ServiceContext, ServiceRequest } from "../endpoint.ts";
import type { Resource } from "../inventory.ts";

/** A quota's default, and what uses it: things of a kind, or what a field of theirs adds up to. */
interface Quota {
  readonly limit: number;
  readonly kind?: string;
  amount?(item: Resource): number;
}

const flavor = (field: string) => (server: Resource) => Number((server.flavor as Resource | undefined)?.[field] ?? 0);
const size = (item: Resource) => Number(item.size ?? 0);
const plain = (limit: number, kind?: string): Quota => ({ limit, ...(kind === undefined ? {} : { kind }) });

/** The limits of a new project are those of OpenStack as it is installed. */
const quotas: Readonly<Record<QuotaHolder, Readonly<Record<string, Quota>>>> = {
  compute: {
    cores: { limit: 20, kind: "servers", amount: flavor("vcpus") },
    injected_file_content_bytes: plain(10_240),
    injected_file_path_bytes: plain(255),
    injected_files: plain(5),
    instances: plain(10, "servers"),
    key_pairs: plain(100),
    metadata_items: plain(128),
    ram: { limit: 51_200, kind: "servers", amount: flavor("ram") },
    server_group_members: plain(10),
    server_groups: plain(10),
  },
  volume: {
    backup_gigabytes: { limit: 1_000, kind: "backups", amount: size },
    backups: plain(10, "backups"),
    gigabytes: { limit: 1_000, kind: "volumes", amount: size },
    groups: plain(10),
    per_volume_gigabytes: plain(-1),
    snapshots: plain(10, "snapshots"),
    volumes: plain(10, "volumes"),
  },
  network: {
    floatingip: plain(50, "floatingips"),
    network: plain(100, "networks"),
    port: plain(500, "ports"),
    rbac_policy: plain(10),
    router: plain(10, "routers"),
    security_group: plain(10, "security_groups"),
    security_group_rule: plain(100, "security_group_rules"),
    subnet: plain(100, "subnets"),
    subnetpool: plain(-1),
  },
  loadBalancer: {
    health_monitor: plain(-1),
    l7policy: plain(-1),
    l7rule: plain(-1),
    listener: plain(-1),
    load_balancer: plain(-1),
    member: plain(-1),
    pool: plain(-1),
  },
  dns: {
    api_export_size: plain(1_000),
    recordset_records: plain(20),
    zone_records: plain(500),
    zone_recordsets: plain(500),
    zones: plain(10, "zones"),
  },
};

/** The project that a thing belongs to, under the name that its service has for it. */
export function projectOf(item: Resource): unknown {
  const cinder = item["os-vol-tenant-attr:tenant_id"] ?? item["os-extended-snapshot-attributes:project_id"];
  return cinder ?? item["os-backup-project-attr:project_id"] ?? item.project_id ?? item.tenant_id ?? item.owner;
}

/** How much of a quota a project uses. */
async function usedOf(
  { kind, amount = () => 1 }: Quota,
  project: string,
  { inventory }: ServiceContext,
): Promise<number> {
  if (kind === undefined) return 0;
  const own = (await inventory.list(kind)).filter((item) => projectOf(item) === project);
  return own.reduce((sum, item) => sum + amount(item), 0);
}

const keys: Readonly<Record<QuotaHolder, string | undefined>> = {
  compute: "quota_set",
  volume: "quota_set",
  network: "quota",
  loadBalancer: "quota",
  dns: undefined,
};

function wrap(service: QuotaHolder, limits: Resource): Resource {
  const key = keys[service];
  return key === undefined ? limits : { [key]: limits };
}

/** The limits of a project at a service. */
async function limitsOf(service: QuotaHolder, project: string, { inventory }: ServiceContext) {
  const defaults = Object.entries(quotas[service]).map(([name, { limit }]) => [name, limit] as const);
  const own = (await inventory.find(`quotas.${service}`, project)) ?? {};
  return { ...Object.fromEntries(defaults), ...own } as Record<string, number>;
}

/** The calls on a project's quotas, as each service has them (portal-backends.md, section 3). */
export async function serveQuotas(
  service: QuotaHolder,
  request: ServiceRequest,
  context: ServiceContext,
): Promise<ServiceAnswer> {
  const [, project = "", part] = request.path;
  if (request.method === "DELETE") {
    await context.inventory.remove(`quotas.${service}`, project);
    return { status: 204 };
  }
  if (request.method !== "GET") return setLimits(service, { project, body: request.body }, context);
  const limits = await limitsOf(service, project, context);
  if (part === undefined && request.query.usage !== "true") return { status: 200, body: wrap(service, limits) };
  const details: Resource = {};
  for (const [name, limit] of Object.entries(limits)) {
    const used = await usedOf(quotas[service][name] ?? { limit }, project, context);
    details[name] = { limit, reserved: 0, [service === "network" ? "used" : "in_use"]: used };
  }
  return { status: 200, body: wrap(service, details) };
}

interface QuotaUpdate {
  readonly project: string;
  readonly body: Resource;
}

async function setLimits(
  service: QuotaHolder,
  { project, body }: QuotaUpdate,
  context: ServiceContext,
): Promise<ServiceAnswer> {
  const key = keys[service];
  const request = (key === undefined ? body : body[key]) as Readonly<Record<string, number>>;
  for (const [name, limit] of Object.entries(request)) {
    const used = service === "compute" ? await usedOf(quotas.compute[name] ?? { limit }, project, context) : 0;
    if (limit >= 0 && limit < used) {
      const message = `Quota limit ${limit} for ${name} must be greater than or equal to already used and reserved ${used}.`;
      return { status: 400, body: { badRequest: { code: 400, message } } };
    }
  }
  const own = (await context.inventory.find(`quotas.${service}`, project)) ?? {};
  await context.inventory.put(`quotas.${service}`, project, { ...own, ...request });
  return { status: 200, body: wrap(service, await limitsOf(service, project, context)) };
}

/** What is about to be made. */
export interface Addition {
  readonly project: string;
  readonly gigabytes: number;
}

/** The quota that one more volume or backup of this size would pass, in words; undefined when it fits. */
export async function findExceeded(
  kind: "volumes" | "backups",
  { project, gigabytes }: Addition,
  context: ServiceContext,
) {
  const limits = await limitsOf("volume", project, context);
  const sizes = kind === "volumes" ? "gigabytes" : "backup_gigabytes";
  for (const [name, more] of [
    [kind, 1],
    [sizes, gigabytes],
  ] as const) {
    const limit = limits[name] ?? -1;
    const used = await usedOf(quotas.volume[name] ?? { limit }, project, context);
    if (limit >= 0 && used + more > limit) return `${name}: ${used} of ${limit} are used`;
  }
  const most = limits.per_volume_gigabytes ?? -1;
  return kind === "volumes" && most >= 0 && gigabytes > most ? `per_volume_gigabytes: ${most}` : undefined;
}

/** The quota that one more load balancer would pass, in words; undefined when it fits. */
export async function findBalancerExceeded(project: string, context: ServiceContext): Promise<string | undefined> {
  const limit = (await limitsOf("loadBalancer", project, context)).load_balancer ?? -1;
  const used = (await context.inventory.list("loadbalancers")).filter(
    ({ project_id }) => project_id === project,
  ).length;
  return limit >= 0 && used >= limit ? `load_balancer: ${used} of ${limit} are used` : undefined;
}

/** A server that is about to be made. */
export interface ServerAddition {
  readonly project: string;
  readonly vcpus: number;
  /** Megabytes. */
  readonly ram: number;
}

/** The quota that one more server would pass, in words; undefined when it fits. */
export async function findServerExceeded({ project, vcpus, ram }: ServerAddition, context: ServiceContext) {
  const limits = await limitsOf("compute", project, context);
  for (const [name, more] of Object.entries({ instances: 1, cores: vcpus, ram })) {
    const limit = limits[name] ?? -1;
    const used = await usedOf(quotas.compute[name] ?? { limit }, project, context);
    if (limit >= 0 && used + more > limit) return `${name}: ${used} of ${limit} are used`;
  }
  return undefined;
}
