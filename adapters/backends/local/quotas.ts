import type { QuotaHolder } from "../openstack/quota-names.ts";
import type { Ground, WireAnswer, WireRequest } from "./endpoint.ts";
import type { Thing } from "./inventory.ts";

/** A quota's default, and what uses it: things of a kind, or what a field of theirs adds up to. */
interface Quota {
  readonly limit: number;
  readonly kind?: string;
  amount?(thing: Thing): number;
}

const flavor = (field: string) => (server: Thing) => Number((server.flavor as Thing | undefined)?.[field] ?? 0);
const size = (thing: Thing) => Number(thing.size ?? 0);
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
export function projectOf(thing: Thing): unknown {
  const cinder = thing["os-vol-tenant-attr:tenant_id"] ?? thing["os-extended-snapshot-attributes:project_id"];
  return cinder ?? thing["os-backup-project-attr:project_id"] ?? thing.project_id ?? thing.tenant_id ?? thing.owner;
}

/** How much of a quota a project uses. */
async function usedOf({ kind, amount = () => 1 }: Quota, project: string, { inventory }: Ground): Promise<number> {
  if (kind === undefined) return 0;
  const own = (await inventory.list(kind)).filter((thing) => projectOf(thing) === project);
  return own.reduce((sum, thing) => sum + amount(thing), 0);
}

const keys: Readonly<Record<QuotaHolder, string | undefined>> = {
  compute: "quota_set",
  volume: "quota_set",
  network: "quota",
  loadBalancer: "quota",
  dns: undefined,
};

function wrap(service: QuotaHolder, limits: Thing): Thing {
  const key = keys[service];
  return key === undefined ? limits : { [key]: limits };
}

/** The limits of a project at a service. */
async function limitsOf(service: QuotaHolder, project: string, { inventory }: Ground) {
  const defaults = Object.entries(quotas[service]).map(([name, { limit }]) => [name, limit] as const);
  const own = (await inventory.find(`quotas.${service}`, project)) ?? {};
  return { ...Object.fromEntries(defaults), ...own } as Record<string, number>;
}

/** The calls on a project's quotas, as each service has them (portal-backends.md, section 3). */
export async function serveQuotas(service: QuotaHolder, request: WireRequest, ground: Ground): Promise<WireAnswer> {
  const [, project = "", part] = request.path;
  if (request.method === "DELETE") {
    await ground.inventory.remove(`quotas.${service}`, project);
    return { status: 204 };
  }
  if (request.method !== "GET") return setLimits(service, { project, body: request.body }, ground);
  const limits = await limitsOf(service, project, ground);
  if (part === undefined && request.query.usage !== "true") return { status: 200, body: wrap(service, limits) };
  const details: Thing = {};
  for (const [name, limit] of Object.entries(limits)) {
    const used = await usedOf(quotas[service][name] ?? { limit }, project, ground);
    details[name] = { limit, reserved: 0, [service === "network" ? "used" : "in_use"]: used };
  }
  return { status: 200, body: wrap(service, details) };
}

interface Change {
  readonly project: string;
  readonly body: Thing;
}

async function setLimits(service: QuotaHolder, { project, body }: Change, ground: Ground): Promise<WireAnswer> {
  const key = keys[service];
  const wish = (key === undefined ? body : body[key]) as Readonly<Record<string, number>>;
  for (const [name, limit] of Object.entries(wish)) {
    const used = service === "compute" ? await usedOf(quotas.compute[name] ?? { limit }, project, ground) : 0;
    if (limit >= 0 && limit < used) {
      const message = `Quota limit ${limit} for ${name} must be greater than or equal to already used and reserved ${used}.`;
      return { status: 400, body: { badRequest: { code: 400, message } } };
    }
  }
  const own = (await ground.inventory.find(`quotas.${service}`, project)) ?? {};
  await ground.inventory.put(`quotas.${service}`, project, { ...own, ...wish });
  return { status: 200, body: wrap(service, await limitsOf(service, project, ground)) };
}

/** What is about to be made. */
export interface Addition {
  readonly project: string;
  readonly gigabytes: number;
}

/** The quota that one more volume or backup of this size would pass, in words; undefined when it fits. */
export async function findExceeded(kind: "volumes" | "backups", { project, gigabytes }: Addition, ground: Ground) {
  const limits = await limitsOf("volume", project, ground);
  const sizes = kind === "volumes" ? "gigabytes" : "backup_gigabytes";
  for (const [name, more] of [
    [kind, 1],
    [sizes, gigabytes],
  ] as const) {
    const limit = limits[name] ?? -1;
    const used = await usedOf(quotas.volume[name] ?? { limit }, project, ground);
    if (limit >= 0 && used + more > limit) return `${name}: ${used} of ${limit} are used`;
  }
  const most = limits.per_volume_gigabytes ?? -1;
  return kind === "volumes" && most >= 0 && gigabytes > most ? `per_volume_gigabytes: ${most}` : undefined;
}
