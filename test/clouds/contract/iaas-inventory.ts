import { expect } from "vitest";
import type { PortalCall } from "../../../src/portal/call/call.ts";
import type { Transcript } from "../../adapters/contract/transcript.ts";

/** Who looks. */
interface Lookers {
  readonly suffix: string;
  readonly owner: PortalCall;
  readonly reseller: PortalCall;
  readonly stranger: PortalCall;
}

/**
 * What the suite needs to be in a project before it looks, all named `<kind>-<suffix>`: a server with the metadata `{ suite: "yes" }`
 * of a flavor with 1 CPU, 512 MB and 1 GB, on a network with a subnet, a router to an external network and a floating address; a
 * security group; a volume of 1 GB of a private type, its snapshot and its backup; a load balancer with a listener, a pool with a
 * member 10.7.0.9:80 and an HTTP monitor, and a policy that rejects paths beginning with /x.
 */
export interface Furniture {
  furnish(projectId: string): Promise<void>;
  /** Removes all of it again. */
  clear(projectId: string): Promise<void>;
}

/** The fields of each kind that every back end answers alike; services add many of their own. */
const promised: Readonly<Record<string, readonly string[]>> = {
  servers: ["name", "status", "client", "reseller", "project_id", "project_name", "metadata", "flavor"],
  floating_ips: ["project_id", "status"],
  networks: ["name", "project_id", "status", "admin_state_up", "shared", "router:external"],
  ports: ["project_id", "device_owner", "admin_state_up"],
  routers: ["name", "project_id", "status", "admin_state_up"],
  security_groups: ["name", "project_id"],
  security_groups_rules: ["project_id", "direction", "ethertype", "protocol"],
  loadbalancers: ["name", "project_id", "provisioning_status", "admin_state_up"],
  listeners: ["name", "project_id", "provisioning_status", "protocol", "protocol_port"],
  pools: ["name", "project_id", "provisioning_status", "protocol", "lb_algorithm"],
  members: ["project_id", "provisioning_status", "address", "protocol_port", "weight"],
  healthmonitors: ["project_id", "provisioning_status", "type", "delay", "timeout", "max_retries"],
  l7policies: ["project_id", "provisioning_status", "action", "position"],
  l7rules: ["project_id", "provisioning_status", "type", "compare_type", "value"],
  volumes: ["name", "size", "status", "volume_type", "bootable", "encrypted", "os-vol-tenant-attr:tenant_id"],
  snapshots: ["name", "size", "status", "os-extended-snapshot-attributes:project_id"],
  backups: ["name", "size", "status", "is_incremental", "os-backup-project-attr:project_id"],
  volume_types: ["name", "is_public", "description", "qos_specs_id"],
};

type Thing = Readonly<Record<string, unknown>>;

/** Of a thing what is promised; of a flavor what a server is made of. */
function keepPromised(kind: string, things: unknown): Thing[] {
  const fields = promised[kind] ?? [];
  const kept = (things as readonly Thing[]).map((thing) => {
    return Object.fromEntries(fields.map((field) => [field, field === "flavor" ? sizeOf(thing[field]) : thing[field]]));
  });
  const texts = kept.map((thing) => JSON.stringify(thing)).toSorted();
  return texts.map((text) => JSON.parse(text));
}

function sizeOf(flavor: unknown): unknown {
  const { original_name, vcpus, ram, disk } = (flavor ?? {}) as Thing;
  return { original_name, vcpus, ram, disk };
}

/** What the suite made of a list; the load balancer's own port is there as well. */
export function keepOfInventory(operation: string, answer: unknown): unknown {
  if (operation === "servers") return keepPromised("servers", answer);
  if (operation === "setProjectQuota") return withoutTypes(answer as Thing);
  if (operation === "volumeTypes") return keepPromised("volume_types", answer);
  if (!["networks", "loadBalancers", "volumes"].includes(operation)) return answer;
  const lists = Object.entries(answer as Thing).map(([kind, things]) => [kind, keepPromised(kind, things)] as const);
  return Object.fromEntries(lists);
}

/** Without the quotas of volume types, which every cloud has its own of. */
function withoutTypes(answer: Thing): unknown {
  const { quota_set, ...rest } = answer;
  if (quota_set === undefined) return rest;
  const names = Object.entries(quota_set as Thing).filter(([name]) => !/^(?:volumes|snapshots|gigabytes)_/.test(name));
  return { ...rest, quota_set: Object.fromEntries(names) };
}

const kinds = ["servers", "networks", "loadBalancers", "volumes"] as const;

/** The inventory as the client of a project, its reseller and a stranger see it; a project that has something stays. */
export async function tellInventory(
  { tell }: Transcript,
  { subject, furniture, project_id }: { subject: Lookers; furniture: Furniture; project_id: string },
): Promise<void> {
  const { owner, reseller, stranger } = subject;
  for (const kind of kinds) await tell(`an empty project: ${kind}`, kind, {}, owner);
  await furniture.furnish(project_id);
  for (const kind of kinds) await tell(`the project's ${kind}`, kind, {}, owner);
  for (const kind of kinds) await tell(`a stranger's ${kind}`, kind, {}, stranger);
  await tell("its reseller sees the server", "servers", {}, reseller);
  const all = (await tell("so does the provider", "servers")) as readonly Thing[];
  expect(all.some((server) => server.project_id === project_id)).toBe(true);
  const zones = await tell("availability zones", "availabilityZones");
  expect(zones).toContainEqual({ zoneName: expect.any(String), zoneState: { available: true } });
  await tell("volume types, the private ones included", "volumeTypes");
  await tell("a project that has something stays", "deleteProject", { project_id }, owner);
  await tell("and is still enabled", "projects", {}, owner);
  await furniture.clear(project_id);
}

/** Quotas: one name goes to the one service that has it. */
export async function tellQuotas(
  { tell }: Transcript,
  { subject, project_id }: { subject: Lookers; project_id: string },
): Promise<void> {
  const { owner, stranger, suffix } = subject;
  const whose = { client: `client-${suffix}`, reseller: `reseller-${suffix}` };
  const input = { project_id, ...whose };
  const one = (title: string, quota: string, limit: number) =>
    tell(title, "setProjectQuota", { ...input, quota, limit }, owner);
  await one("a quota of compute", "cores", 12);
  await one("a quota of volumes", "gigabytes", 500);
  await one("a quota of networks", "floatingip", 7);
  await one("a quota of load balancers", "load_balancer", 3);
  await one("a quota of names", "zones", 4);
  await one("a quota that there is not", "nosuch", 1);
  await tell("a quota without a limit", "setProjectQuota", { ...input, quota: "cores" }, owner);
  await tell("a limit without a quota", "setProjectQuota", { ...input, limit: 1 }, owner);
  await tell("neither a quota nor a profile", "setProjectQuota", input, owner);
  await tell("both", "setProjectQuota", { ...input, quota: "cores", limit: 1, quota_profile: "suite" }, owner);
  await tell("a profile", "setProjectQuota", { ...input, quota_profile: "suite" }, owner);
  await tell("a profile that there is not", "setProjectQuota", { ...input, quota_profile: "nosuch" }, owner);
  const unknown = { ...whose, project_id: `nosuch-${suffix}` };
  for (const quota of ["cores", "volumes", "network", "pool", "zones"]) {
    await tell(`no ${quota} for a project that is not there`, "setProjectQuota", { ...unknown, quota, limit: 5 });
  }
  await tell("another client changes nothing", "setProjectQuota", { ...input, quota: "cores", limit: 1 }, stranger);
  await tell(
    "of another client it is not",
    "setProjectQuota",
    { ...input, client: "x", quota: "ram", limit: 1 },
    owner,
  );
}

/** The limits of the quota profile `suite`. */
export const suiteLimits = { cores: 8, volumes: 6, network: 5, pool: 4, zones: 3 } as const;
