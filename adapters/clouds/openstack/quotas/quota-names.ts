import { GatewayError } from "../../../../src/engine/errors.ts";
import type { ProfileSources, QuotaLimits } from "../../shared/quota-profile.ts";
import type { CloudRequest } from "../client/cloud.ts";
import type { OpenStackOptions } from "../client/options.ts";

/** The services that have quotas. */
export type QuotaHolder = "compute" | "volume" | "network" | "loadBalancer" | "dns";

/** A service's quota calls (portal-backends.md, section 3). */
interface HolderRow {
  readonly names: readonly string[];
  /** Names that hold a part of the cloud's own, such as a volume type. */
  readonly pattern?: RegExp;
  readonly path: string;
  readonly method: "PUT" | "PATCH";
  /** The key of the body and the answer; none where the names stand by themselves. */
  readonly key?: "quota_set" | "quota";
  readonly headers?: Readonly<Record<string, string>>;
}

/** Makes Designate answer for a project that is not our own. */
export const allProjects = { "x-auth-all-projects": "true" } as const;

const holders: Readonly<Record<QuotaHolder, HolderRow>> = {
  compute: {
    names: [
      "cores",
      "instances",
      "ram",
      "key_pairs",
      "metadata_items",
      "server_groups",
      "server_group_members",
      "injected_files",
      "injected_file_content_bytes",
      "injected_file_path_bytes",
    ],
    path: "os-quota-sets",
    method: "PUT",
    key: "quota_set",
    headers: { "openstack-api-version": "compute 2.56" }, // the last that knows injected_*
  },
  volume: {
    names: ["volumes", "snapshots", "gigabytes", "per_volume_gigabytes", "backups", "backup_gigabytes", "groups"],
    pattern: /^(?:volumes|snapshots|gigabytes)_./,
    path: "os-quota-sets",
    method: "PUT",
    key: "quota_set",
  },
  network: {
    names: [
      "network",
      "subnet",
      "subnetpool",
      "port",
      "router",
      "floatingip",
      "rbac_policy",
      "security_group",
      "security_group_rule",
    ],
    path: "quotas",
    method: "PUT",
    key: "quota",
  },
  loadBalancer: {
    names: ["load_balancer", "listener", "member", "pool", "health_monitor", "l7policy", "l7rule"],
    path: "quotas",
    method: "PUT",
    key: "quota",
  },
  dns: {
    names: ["zones", "zone_recordsets", "zone_records", "recordset_records", "api_export_size"],
    path: "quotas",
    method: "PATCH",
    headers: allProjects,
  },
};

/** The services that have quotas, in the order in which they are changed. */
export const quotaHolders = Object.keys(holders) as QuotaHolder[];

/** The service whose quota this is. */
function holderOf(name: string): QuotaHolder | undefined {
  return quotaHolders.find((holder) => isQuotaOf(holder, name));
}

/** True for a quota that this service keeps. */
export function isQuotaOf(holder: QuotaHolder, name: string): boolean {
  return holders[holder].names.includes(name) || holders[holder].pattern?.test(name) === true;
}

/** Where the quota profiles of a cloud come from. */
export function profileSources({ quotaProfiles }: OpenStackOptions): ProfileSources {
  return { profiles: quotaProfiles, isKnown: (name) => holderOf(name) !== undefined };
}

/** Limits sorted by the service that keeps each; a name that no service has is refused, naming `param`. */
export function sortLimits(limits: QuotaLimits, param: string): ReadonlyMap<QuotaHolder, QuotaLimits> {
  const sorted = new Map<QuotaHolder, Record<string, number>>();
  for (const [name, limit] of Object.entries(limits)) {
    const holder = holderOf(name);
    if (holder === undefined) throw new GatewayError("invalid_request", unknownName(name), { param });
    const own = sorted.get(holder) ?? {};
    own[name] = limit;
    sorted.set(holder, own);
  }
  return new Map(
    quotaHolders.flatMap((holder) => (sorted.has(holder) ? [[holder, sorted.get(holder) as QuotaLimits]] : [])),
  );
}

function unknownName(name: string): string {
  const known = Object.values(holders).flatMap(({ names }) => names);
  return `There is no quota \`${name}\`; there are ${known.join(", ")}, and volumes_, snapshots_ and gigabytes_ with a volume type.`;
}

/** The request that reads a project's quotas of one service. */
export function readRequest(holder: QuotaHolder, projectId: string): CloudRequest {
  const { path, headers } = holders[holder];
  return { service: holder, path: [path, projectId], headers };
}

/** The request that sets some of them. */
export function setRequest(holder: QuotaHolder, projectId: string, limits: QuotaLimits): CloudRequest {
  const { method, key } = holders[holder];
  return { ...readRequest(holder, projectId), method, body: key === undefined ? limits : { [key]: limits } };
}

/** The request that puts them back to the cloud's defaults. */
export function resetRequest(holder: QuotaHolder, projectId: string): CloudRequest {
  return { ...readRequest(holder, projectId), method: "DELETE" };
}

/** The limits that an answer holds, by name. */
export function limitsIn(
  holder: QuotaHolder,
  answer: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const { key } = holders[holder];
  const inner = key === undefined ? answer : answer[key];
  return typeof inner === "object" && inner !== null ? (inner as Record<string, unknown>) : {};
}
