import { z } from "zod";
import { GatewayError } from "../../../src/engine/errors.ts";
import type { Records } from "../../../src/engine/ports/records.ts";
import { write } from "../../../src/portal/tenancy/record-access.ts";
import { newUuid, nowOf, type ServiceContext } from "./endpoint.ts";
import type { Resource } from "./inventory.ts";
import { coreApi, objectId } from "./kubernetes/kube-objects.ts";
import { allocateVolume, gigabyte, volumePath } from "./volume-files.ts";

const item = z.record(z.string(), z.unknown());

/** Kinds of things that a seed may hold, by the name of their list at the service. */
const kinds = [
  "domains",
  "availabilityZoneInfo",
  "volume_types",
  "flavors",
  "images",
  "servers",
  "volumes",
  "snapshots",
  "networks",
  "subnets",
  "ports",
  "routers",
  "floatingips",
  "security_groups",
  "security_group_rules",
  "loadbalancers",
  "listeners",
  "pools",
  "members",
  "healthmonitors",
  "l7policies",
  "l7rules",
  "zones",
] as const;

const items = z.strictObject(Object.fromEntries(kinds.map((kind) => [kind, z.array(item).optional()])));

const project = z.looseObject({
  id: z.string().min(1),
  name: z.string().min(1),
  reseller: z.string().optional(),
  client: z.string().optional(),
});

/** What an embedded cloud holds when it is opened for the first time. */
export const Seed = z.strictObject({
  ...items.shape,
  /** Projects, each with the reseller and the client that it belongs to; the provider's own without them. */
  projects: z.array(project).optional(),
  /** What clusters can be made of: names and specifications as Gardener writes them. */
  cloudprofiles: z.array(z.strictObject({ name: z.string().min(1), spec: item })).optional(),
});
export type Seed = { readonly [Kind in (typeof kinds)[number]]?: readonly Resource[] } & Partial<
  Pick<z.input<typeof Seed>, "projects" | "cloudprofiles">
>;

/** A seed of a file, checked. Throws `invalid_configuration` naming the field. */
export function readSeed(value: unknown): Seed {
  const parsed = Seed.safeParse(value);
  if (parsed.success) return parsed.data as Seed; // seam: the kinds are checked by name
  const [issue] = parsed.error.issues;
  const param = ["seed", ...(issue?.path ?? [])].join(".");
  throw new GatewayError("invalid_configuration", `\`${param}\`: ${issue?.message ?? "cannot be read"}.`, { param });
}

/** Where a seed is written. */
interface Bed extends ServiceContext {
  readonly records: Records;
  readonly region: string;
}

/** Writes a seed into an empty inventory, once, by one of its processes: what is changed or deleted later does not come back. */
export async function plantOnce(seed: Seed, bed: Bed): Promise<void> {
  const isPlanted = async () => (await bed.inventory.find("seeded", "once")) !== undefined;
  if (await isPlanted()) return;
  await bed.turn("seed")(async () => {
    if (!(await isPlanted())) await plant(seed, bed);
  });
}

async function plant(seed: Seed, serviceContext: Bed): Promise<void> {
  const { inventory } = serviceContext;
  const { projects = [], cloudprofiles = [], ...lists } = seed;
  for (const [kind, list] of Object.entries(lists)) {
    for (const one of list ?? [])
      await seedResource(kind, { created_at: nowOf(serviceContext), ...one }, serviceContext);
  }
  for (const { reseller, client, ...own } of projects) {
    await inventory.put("projects", own.id, { domain_id: "default", enabled: true, description: "", ...own });
    const created_at = nowOf(serviceContext);
    const context = { reseller: reseller ?? null, client_id: client ?? null, user_id: null };
    const record = { id: own.id, created_at, ...context, region: serviceContext.region, updated_at: created_at };
    await write(serviceContext.records, "cloud_project", { id: own.id, by: (present) => present ?? record });
  }
  for (const { name, spec } of cloudprofiles) {
    const metadata = {
      name,
      uid: newUuid(serviceContext),
      resourceVersion: "1",
      creationTimestamp: nowOf(serviceContext),
    };
    const object = { apiVersion: coreApi, kind: "CloudProfile", metadata, spec };
    await inventory.put("kube.cloudprofiles", objectId(undefined, name), object);
  }
  await inventory.put("seeded", "once", { at: nowOf(serviceContext) });
}

async function seedResource(kind: string, one: Resource, context: Bed): Promise<void> {
  const id = String(one.id ?? one.zoneName ?? newUuid(context));
  if (kind === "volumes") await allocateVolume(volumePath(context.folder, id), Number(one.size ?? 0) * gigabyte);
  await context.inventory.put(kind, id, kind === "availabilityZoneInfo" ? one : { ...one, id });
}

/** What a cloud holds for which no file was given: enough to make a project, a cluster and a volume. */
export const defaultSeed: Seed = {
  domains: [
    { id: "default", name: "Default", description: "The default domain", enabled: true, options: {}, tags: [] },
  ],
  availabilityZoneInfo: [{ zoneName: "nova", zoneState: { available: true }, hosts: null }],
  volume_types: [
    { name: "standard", description: "Disks in the gateway's own folder", is_public: true, extra_specs: {} },
  ],
  images: [
    { name: "ubuntu-24.04", status: "active", visibility: "public", disk_format: "qcow2", size: 629_145_600 },
    { name: "debian-13", status: "active", visibility: "public", disk_format: "qcow2", size: 440_401_920 },
  ],
  flavors: [
    { name: "m1.small", vcpus: 1, ram: 2_048, disk: 20 },
    { name: "m1.medium", vcpus: 2, ram: 4_096, disk: 40 },
    { name: "m1.large", vcpus: 4, ram: 8_192, disk: 80 },
  ],
  cloudprofiles: [
    {
      name: "local",
      spec: {
        type: "openstack",
        kubernetes: {
          versions: [{ version: "1.31.4" }, { version: "1.32.2" }, { version: "1.33.0", classification: "preview" }],
        },
        machineImages: [{ name: "ubuntu", versions: [{ version: "22.4.0" }, { version: "24.4.0" }] }],
        machineTypes: [
          { name: "m1.medium", architecture: "amd64", cpu: "2", gpu: "0", memory: "4Gi", usable: true },
          { name: "m1.large", architecture: "amd64", cpu: "4", gpu: "0", memory: "8Gi", usable: true },
        ],
        regions: [{ name: "local", zones: [{ name: "nova" }] }],
        providerConfig: {
          apiVersion: "openstack.provider.extensions.gardener.cloud/v1alpha1",
          kind: "CloudProfileConfig",
          constraints: { floatingPools: [{ name: "public" }], loadBalancerProviders: [{ name: "octavia" }] },
        },
      },
    },
  ],
};
