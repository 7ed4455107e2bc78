import { randomBytes, randomUUID } from "node:crypto";
import { mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";
import type { LocalCloud } from "tollgate/backends/local";
import type { DemoTenant } from "./tenants.ts";

/** What the demo makes for a client in the region's cloud. */
export interface DemoProject {
  readonly project_id: string;
  readonly server_id: string;
  readonly volume_id: string;
  readonly namespace: string;
  readonly bucket: string;
}

/** A project with machines, disks, networks, a cluster, and a bucket with an object that is shared. */
export async function furnishClient(tenant: DemoTenant, cloud: LocalCloud, endpoint: string): Promise<DemoProject> {
  const { calls, client_id = "" } = tenant;
  const { project } = await calls.iaas.createProject({ name: `${client_id}-shop`, quota_profile: "default" });
  const project_id = String(project.id);
  const keys = { access_key: `AK${randomBytes(8).toString("hex")}`, secret_key: randomBytes(20).toString("hex") };
  const credential = { project_id, ...keys, roles: ["member"], description: "Object store", user_bound: false };
  await calls.iaas.createCredential(credential);
  await calls.keypair.set({ resource_id: project_id, ...keys });
  const scoped = await placeResources(cloud, { project_id, client_id });
  const namespace = await makeCluster(tenant, project_id);
  await cloud.settleCluster(namespace, "shop");
  const bucket = `${client_id}-pictures`;
  await cloud.objects.makeBucket({ name: bucket, project_id, isVersioned: true });
  await cloud.objects.put(bucket, "opening-hours.txt", Buffer.from("Monday to Friday, 8 to 18.\n"));
  await calls.objectstore.shareUrl({ bucket, key: "opening-hours.txt", expire: 604_800, url: endpoint });
  return { project_id, ...scoped, namespace, bucket };
}

interface DemoOwner {
  readonly project_id: string;
  readonly client_id: string;
}

/** A server with a disk on a network behind a load balancer. */
async function placeResources({ inventory, volumes }: LocalCloud, { project_id, client_id }: DemoOwner) {
  const [server_id, volume_id, pool_id, policy_id] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
  const loadbalancer_id = randomUUID();
  const mine = { project_id };
  const active = { ...mine, provisioning_status: "ACTIVE", operating_status: "ONLINE" };
  const resources: Readonly<Record<string, readonly Record<string, unknown>[]>> = {
    servers: [serverOf({ project_id, client_id }, { server_id, volume_id })],
    volumes: [volumeOf({ project_id, client_id }, { server_id, volume_id })],
    networks: [
      {
        ...mine,
        name: `${client_id}-net`,
        status: "ACTIVE",
        admin_state_up: true,
        shared: false,
        "router:external": false,
      },
    ],
    routers: [{ ...mine, name: `${client_id}-router`, status: "ACTIVE", admin_state_up: true }],
    ports: [{ ...mine, device_owner: "compute:nova", device_id: server_id, admin_state_up: true, status: "ACTIVE" }],
    floatingips: [{ ...mine, floating_ip_address: "198.51.100.7", status: "ACTIVE" }],
    loadbalancers: [
      { ...active, id: loadbalancer_id, name: `${client_id}-web`, vip_address: "10.0.0.10", admin_state_up: true },
    ],
    listeners: [{ ...active, loadbalancer_id, name: "http", protocol: "HTTP", protocol_port: 80 }],
    pools: [{ ...active, loadbalancer_id, id: pool_id, name: "web", protocol: "HTTP", lb_algorithm: "ROUND_ROBIN" }],
    members: [{ ...active, pool_id, address: "10.0.0.11", protocol_port: 8_080, weight: 1 }],
    healthmonitors: [{ ...active, type: "HTTP", delay: 5, timeout: 3, max_retries: 2 }],
    l7policies: [{ ...active, id: policy_id, action: "REJECT", position: 1 }],
    l7rules: [{ ...active, l7policy_id: policy_id, type: "PATH", compare_type: "STARTS_WITH", value: "/admin" }],
  };
  for (const [kind, list] of Object.entries(resources)) {
    for (const resource of list) {
      const id = String(resource.id ?? randomUUID());
      await inventory.put(kind, id, { created_at: new Date().toISOString(), ...resource, id });
    }
  }
  await fillVolume(volumes(volume_id));
  return { server_id, volume_id };
}

interface AttachedVolume {
  readonly server_id: string;
  readonly volume_id: string;
}

function serverOf({ project_id, client_id }: DemoOwner, { server_id, volume_id }: AttachedVolume) {
  return {
    id: server_id,
    name: `${client_id}-web-1`,
    status: "ACTIVE",
    tenant_id: project_id,
    created: new Date().toISOString(),
    metadata: { purpose: "shop" },
    flavor: { original_name: "m1.small", vcpus: 1, ram: 2_048, disk: 20 },
    addresses: { [`${client_id}-net`]: [{ addr: "10.0.0.11", version: 4 }] },
    image: "",
    "os-extended-volumes:volumes_attached": [{ id: volume_id }],
  };
}

function volumeOf({ project_id, client_id }: DemoOwner, { server_id, volume_id }: AttachedVolume) {
  return {
    id: volume_id,
    name: `${client_id}-data`,
    size: 1,
    status: "in-use",
    volume_type: "standard",
    availability_zone: "nova",
    bootable: "false",
    encrypted: false,
    attachments: [{ server_id, volume_id }],
    "os-vol-tenant-attr:tenant_id": project_id,
  };
}

/** A gigabyte, of which one megabyte is written: the rest takes no room. */
async function fillVolume(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const file = await open(path, "w", 0o600);
  const bytes = randomBytes(1_048_576);
  await file.write(bytes, 0, bytes.length, 4_096);
  await file.truncate(2 ** 30);
  await file.close();
}

async function makeCluster({ calls, reseller }: DemoTenant, project_id: string): Promise<string> {
  const { metadata, spec } = await calls.clusters.createProject({
    project_id,
    purpose: "production",
    description: "The shop's containers",
    reseller_prefix: reseller.slice(0, 2),
  });
  const namespace = String(spec?.namespace ?? `garden-${metadata.name}`);
  const credential = { app_credential_id: "demo", app_credential_name: "demo", app_credential_secret: randomUUID() };
  const scope = { domain_name: "Default", project_name: "shop" };
  await calls.clusters.createSecret({ namespace, secret_name: "cloud", ...credential, ...scope });
  await calls.clusters.createSecretBinding({ namespace, secret_name: "cloud", secretbinding_name: "cloud" });
  const shoot = { shoot_name: "shop", purpose: "production", secret_binding_name: "cloud", region: "local" };
  const machines = { image_name: "ubuntu", image_version: "24.4.0", iaas_flavor: "m1.medium", zones: ["nova"] };
  const versions = { cloud_profile_name: "local", kubernetes_version: "1.31.4" };
  await calls.clusters.createShoot({ namespace, ...shoot, ...machines, ...versions });
  return namespace;
}
