import type { ServiceName } from "../../../adapters/clouds/openstack/client/apis.ts";
import type { Cloud, CloudRequest, Wire } from "../../../adapters/clouds/openstack/client/cloud.ts";
import type { OpenStackOptions } from "../../../adapters/clouds/openstack/client/options.ts";
import { type CloudContext, openCloudContext } from "../../../adapters/clouds/openstack/cloud-context.ts";
import type { OperationDeadline } from "../../../adapters/clouds/shared/deadline.ts";
import type { Furniture } from "./iaas-inventory.ts";

/** A minute and a half is enough for a server, a backup and a load balancer in seven steps. */
const patience = 90_000;

/** Fills and empties projects of a real cloud with what the suite needs, through the services themselves. */
export function openstackFurniture(options: OpenStackOptions, suffix: string): Furniture & { close(): Promise<void> } {
  const site = openCloudContext({ ...options, timeouts: { ...options.timeouts, whole: patience } });
  const made: Removal[] = [];
  const run = (act: (room: Room) => Promise<void>, projectId: string) =>
    site.run({ signal: new AbortController().signal }, (work) => act(roomOf(site, { work, projectId, suffix, made })));
  return {
    furnish: (projectId) => run(furnish, projectId),
    clear: () => site.run({ signal: new AbortController().signal }, (work) => clear(site.cloud, made, work)),
    close: () => site.close(),
  };
}

/** How something is removed, in the order opposite to its making. */
interface Removal {
  readonly request: CloudRequest;
  /** True for what takes its time to go, and is needed gone by what goes next. */
  readonly awaited: boolean;
}

interface Room {
  /** Makes a thing in the project; it is removed by its own path unless `removal` says otherwise. */
  make(service: ServiceName, path: string, body: Wire, removal?: Partial<Removal> | null): Promise<Wire>;
  settle(service: ServiceName, path: readonly string[], field?: string): Promise<void>;
  ask: Cloud["ask"];
  readonly work: OperationDeadline;
  readonly suffix: string;
  readonly projectId: string;
  readonly made: Removal[];
}

interface RoomParts {
  readonly work: OperationDeadline;
  readonly projectId: string;
  readonly suffix: string;
  readonly made: Removal[];
}

function roomOf({ cloud }: CloudContext, parts: RoomParts): Room {
  const { work, projectId, made } = parts;
  return {
    ...parts,
    ask: cloud.ask,
    // biome-ignore lint/complexity/useMaxParams: a thing reads as one line
    async make(service, path, body, removal = {}) {
      const scope = { projectId };
      const answer = await cloud.ask({ service, method: "POST", path: path.split("/"), body, scope }, work);
      const thing = service === "image" ? answer : (Object.values(answer)[0] as Wire);
      const request = { service, method: "DELETE", path: [...path.split("/"), String(thing.id)] } as const;
      if (removal !== null) made.push({ request, awaited: false, ...removal });
      return thing;
    },
    async settle(service, path, field = "status") {
      for (;;) {
        const thing = Object.values(await cloud.ask({ service, path }, work))[0] as Wire;
        if (/^(active|available)$/i.test(String(thing[field]))) return;
        if (/error/i.test(String(thing[field]))) throw new Error(`${path.join("/")}: ${JSON.stringify(thing)}`);
        await work.sleep(300);
      }
    },
  };
}

async function furnish(room: Room): Promise<void> {
  const [network, subnet] = await makeNetworks(room);
  await Promise.all([makeVolumes(room), makeBalancer(room, subnet), makeServer(room, network)]);
}

async function makeNetworks({ make, ask, work, suffix, made }: Room): Promise<[network: string, subnet: string]> {
  const network = String((await make("network", "networks", { network: { name: `network-${suffix}` } })).id);
  const plain = { network_id: network, cidr: "10.7.0.0/24", ip_version: 4 };
  const subnet = String((await make("network", "subnets", { subnet: plain }, null)).id);
  const flat = { "provider:network_type": "flat", "provider:physical_network": `phys-${suffix}` };
  const external = { name: `external-${suffix}`, "router:external": true, ...flat };
  const answer = await ask(
    { service: "network", method: "POST", path: ["networks"], body: { network: external } },
    work,
  );
  const outside = String((answer.network as Wire).id);
  made.push({ request: { service: "network", method: "DELETE", path: ["networks", outside] }, awaited: false });
  const range = { network_id: outside, cidr: "198.51.100.0/24", ip_version: 4, enable_dhcp: false };
  await ask({ service: "network", method: "POST", path: ["subnets"], body: { subnet: range } }, work);
  const gateway = { external_gateway_info: { network_id: outside } };
  const router = String((await make("network", "routers", { router: { name: `router-${suffix}`, ...gateway } })).id);
  const interfaceBody = { subnet_id: subnet };
  const path = ["routers", router, "add_router_interface"];
  await ask({ service: "network", method: "PUT", path, body: interfaceBody }, work);
  const leave = ["routers", router, "remove_router_interface"];
  made.push({ request: { service: "network", method: "PUT", path: leave, body: interfaceBody }, awaited: false });
  await make("network", "floatingips", { floatingip: { floating_network_id: outside } });
  await make("network", "security-groups", { security_group: { name: `group-${suffix}` } });
  return [network, subnet];
}

async function makeServer({ make, settle, ask, work, suffix, made }: Room, network: string): Promise<void> {
  const flavor = { name: `flavor-${suffix}`, ram: 512, vcpus: 1, disk: 1, id: `flavor-${suffix}` };
  await ask({ service: "compute", method: "POST", path: ["flavors"], body: { flavor } }, work);
  made.push({ request: { service: "compute", method: "DELETE", path: ["flavors", flavor.id] }, awaited: false });
  const image = { name: `image-${suffix}`, disk_format: "raw", container_format: "bare", min_disk: 0 };
  const imageId = String((await make("image", "images", image)).id);
  const file = { service: "image", method: "PUT", path: ["images", imageId, "file"] } as const;
  await ask({ ...file, headers: { "content-type": "application/octet-stream" }, body: "x".repeat(1_024) }, work);
  const server = { name: `server-${suffix}`, flavorRef: flavor.id, imageRef: imageId, metadata: { suite: "yes" } };
  const body = { server: { ...server, networks: [{ uuid: network }] } };
  const { id } = await make("compute", "servers", body, { awaited: true });
  await settle("compute", ["servers", String(id)]);
}

async function makeVolumes({ make, settle, ask, work, suffix, projectId, made }: Room): Promise<void> {
  const type = { name: `type-${suffix}`, "os-volume-type-access:is_public": false };
  const answer = await ask({ service: "volume", method: "POST", path: ["types"], body: { volume_type: type } }, work);
  const typeId = String((answer.volume_type as Wire).id);
  made.push({ request: { service: "volume", method: "DELETE", path: ["types", typeId] }, awaited: false });
  const access = { addProjectAccess: { project: projectId } };
  await ask({ service: "volume", method: "POST", path: ["types", typeId, "action"], body: access }, work);
  const volume = { size: 1, name: `volume-${suffix}`, volume_type: type.name };
  const volumeId = String((await make("volume", "volumes", { volume }, { awaited: true })).id);
  await settle("volume", ["volumes", volumeId]);
  const snapshot = await make(
    "volume",
    "snapshots",
    { snapshot: { volume_id: volumeId, name: `snapshot-${suffix}` } },
    { awaited: true },
  );
  await settle("volume", ["snapshots", String(snapshot.id)]);
  const backup = { volume_id: volumeId, name: `backup-${suffix}` };
  const { id } = await make("volume", "backups", { backup }, { awaited: true });
  await settle("volume", ["backups", String(id)]);
}

/** Octavia wants a role of its own from users: the administrator makes it for the project. */
async function makeBalancer({ settle, ask, suffix, projectId, made, work }: Room, subnet: string): Promise<void> {
  const post = async (path: string, name: string, wish: Wire) => {
    const request = { service: "loadBalancer", method: "POST", path: path.split("/"), body: { [name]: wish } } as const;
    return String(((await ask(request, work))[name] as Wire).id);
  };
  const id = await post("loadbalancers", "loadbalancer", {
    name: `balancer-${suffix}`,
    vip_subnet_id: subnet,
    project_id: projectId,
  });
  const balancer = ["loadbalancers", id];
  const remove = { service: "loadBalancer", method: "DELETE", path: balancer, query: { cascade: "true" } } as const;
  made.push({ request: remove, awaited: true });
  const part = async (path: string, name: string, wish: Wire) => {
    await settle("loadBalancer", balancer, "provisioning_status");
    return post(path, name, wish);
  };
  const onTop = { name: `listener-${suffix}`, protocol: "HTTP", protocol_port: 80, loadbalancer_id: id };
  const listener = await part("listeners", "listener", onTop);
  const below = { name: `pool-${suffix}`, protocol: "HTTP", lb_algorithm: "ROUND_ROBIN", listener_id: listener };
  const pool = await part("pools", "pool", below);
  await part(`pools/${pool}/members`, "member", { address: "10.7.0.9", protocol_port: 80, subnet_id: subnet });
  const monitor = { pool_id: pool, type: "HTTP", delay: 5, timeout: 3, max_retries: 2 };
  await part("healthmonitors", "healthmonitor", monitor);
  const policy = await part("l7policies", "l7policy", { listener_id: listener, action: "REJECT" });
  await part(`l7policies/${policy}/rules`, "rule", { type: "PATH", compare_type: "STARTS_WITH", value: "/x" });
  await settle("loadBalancer", balancer, "provisioning_status");
}

async function clear(cloud: Cloud, made: Removal[], work: OperationDeadline): Promise<void> {
  for (const { request, awaited } of made.splice(0).reverse()) {
    await cloud.find(request, work);
    const { service, path } = request;
    while (awaited && (await cloud.find({ service, path }, work)) !== undefined) await work.sleep(300);
  }
}
