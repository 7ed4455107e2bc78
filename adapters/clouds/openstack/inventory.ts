import type {
  AvailabilityZone,
  Server,
  VolumeType,
} from "../../../src/operations/portal/infrastructure/iaas-resources.ts";
import { inParallel } from "../../../src/portal/locks/in-parallel.ts";
import type { Cloud, Wire } from "./client/cloud.ts";
import {
  idOf,
  inOrder,
  instantOf,
  objectOf,
  objectsOf,
  textOf,
  withInstants,
  withoutNothing,
} from "./client/from-wire.ts";
import { projectNames } from "./identity.ts";
import { balancerFields, networkFields, serverFields, volumeFields, volumeTypeSpecs } from "./shown/fields.ts";
import { type FieldList, narrow } from "./shown/narrow.ts";
import { type ListContext, listOfTenants, pageOfTenants, type TenantList, width } from "./tenants.ts";

/** Nova's zones, without the hosts in them. */
export async function listZones(cloud: Cloud, { deadline }: ListContext): Promise<AvailabilityZone[]> {
  const { availabilityZoneInfo } = await cloud.ask({ service: "compute", path: ["os-availability-zone"] }, deadline);
  const zones = objectsOf(availabilityZoneInfo).map(({ zoneName, zoneState }) => {
    return { zoneName: idOf(zoneName), zoneState: objectOf(zoneState) ?? {} };
  });
  return zones.sort((one, other) => (one.zoneName < other.zoneName ? -1 : 1));
}

const serverList: TenantList = {
  service: "compute",
  path: ["servers", "detail"],
  key: "servers",
  projectOf: ({ tenant_id }) => tenant_id,
  createdAt: ({ created }) => created,
};

/** The servers of the projects that the caller sees: one page of Nova's where a page is asked for in its order. */
export async function listServers(cloud: Cloud, looking: ListContext): Promise<Server[]> {
  const read = async () =>
    (await pageOfTenants(cloud, serverList, looking)) ?? (await listOfTenants(cloud, serverList, looking));
  const [found, names] = await Promise.all([read(), projectNames(cloud, looking)]);
  return found.map((wire) => {
    const project = looking.visibility.projects.get(idOf(wire.tenant_id));
    const ours = { client: project?.client_id ?? undefined, reseller: project?.reseller ?? undefined };
    return toServer(wire, { ...ours, project_name: names.get(idOf(wire.tenant_id)) }, looking);
  });
}

/** What of a server is not Nova's: the tenant's names. */
type TenantNames = { readonly [Name in "client" | "reseller" | "project_name"]: string | undefined };

/** A server in the portal's words; a server that boots from a volume has no image. */
function toServer(wire: Wire, names: TenantNames, { visibility }: ListContext): Server {
  const part = (value: unknown, fields: FieldList) => {
    const object = objectOf(value);
    return object && narrow(object, fields, visibility);
  };
  const addresses = Object.entries(objectOf(wire.addresses) ?? {}).map(
    ([network, list]) => [network, objectsOf(list).map((one) => part(one, serverFields.address))] as const,
  );
  return withoutNothing({
    addresses: objectOf(wire.addresses) && Object.fromEntries(addresses),
    client: names.client,
    created: instantOf(wire.created),
    fault: faultOf(wire.fault),
    flavor: part(wire.flavor, serverFields.flavor),
    host_id: textOf(wire.hostId),
    id: idOf(wire.id),
    image: part(wire.image, serverFields.image),
    key_name: textOf(wire.key_name),
    metadata: objectOf(wire.metadata),
    name: idOf(wire.name),
    project_id: textOf(wire.tenant_id),
    project_name: names.project_name,
    reseller: names.reseller,
    status: textOf(wire.status),
    updated: instantOf(wire.updated),
    user_id: textOf(wire.user_id),
  });
}

/** Why a server failed, in our words: Nova's name hosts and ids. */
function faultOf(fault: unknown): Server["fault"] {
  const wire = objectOf(fault);
  if (wire === undefined) return undefined;
  if (/no valid host/i.test(textOf(wire.message) ?? ""))
    return { code: "no_capacity", message: "No host has room for a server of this flavor at the moment." };
  return { code: "failed", message: "The cloud could not carry out the last change of the server." };
}

/** Our key of a list of Neutron's → its path and its key. Paths use `-`, keys `_`. */
const networkLists = {
  floating_ips: ["floatingips", "floatingips"],
  networks: ["networks", "networks"],
  ports: ["ports", "ports"],
  routers: ["routers", "routers"],
  security_groups: ["security-groups", "security_groups"],
  security_groups_rules: ["security-group-rules", "security_group_rules"],
} as const;

/** Networks that all may use: shared ones, and those that lead outside. */
const openNetworks = {
  isOpen: (network: Wire) => network.shared === true || network["router:external"] === true,
  queries: [{ shared: "true" }, { "router:external": "true" }],
};

/** Neutron's things of the projects that the caller sees, and the networks that are open to all. */
export async function listNetworks(cloud: Cloud, looking: ListContext) {
  const lists = await listEach(networkLists, ([path, key]) => {
    const open = key === "networks" ? { open: openNetworks } : {};
    const list = { service: "network", path: [path], key, projectOf: ({ project_id }: Wire) => project_id, ...open };
    return listOfTenants(cloud, { ...list, service: "network" }, looking);
  });
  return narrowEach(lists, networkFields, looking);
}

const balancerLists = {
  healthmonitors: "healthmonitors",
  l7policies: "l7policies",
  listeners: "listeners",
  loadbalancers: "loadbalancers",
  pools: "pools",
} as const;

/** Octavia's things of the projects that the caller sees; members and rules are only listed by their pool and policy. */
export async function listLoadBalancers(cloud: Cloud, looking: ListContext) {
  const tops = await listEach(balancerLists, (key) =>
    listOfTenants(
      cloud,
      { service: "loadBalancer", path: [key], key, projectOf: ({ project_id }) => project_id },
      looking,
    ),
  );
  const nested = async (parents: readonly Wire[], path: string, key: string) => {
    const lists = await inParallel(parents, width, ({ id }) => listNested(cloud, [path, idOf(id), key], looking));
    return inOrder(lists.flat(), ({ created_at }) => created_at);
  };
  const members = await nested(tops.pools, "pools", "members");
  const l7rules = await nested(tops.l7policies, "l7policies", "rules");
  return narrowEach({ ...tops, members, l7rules }, balancerFields, looking);
}

/** What hangs on a pool or a policy; nothing when that has gone since it was listed. */
async function listNested(
  cloud: Cloud,
  path: readonly [string, string, string],
  { deadline }: ListContext,
): Promise<Wire[]> {
  const page = await cloud.find({ service: "loadBalancer", path }, deadline);
  return objectsOf(page?.[path[2]]).map(withInstants);
}

const volumeLists = {
  volumes: ({ "os-vol-tenant-attr:tenant_id": id }: Wire) => id,
  snapshots: ({ "os-extended-snapshot-attributes:project_id": id }: Wire) => id,
  backups: ({ "os-backup-project-attr:project_id": id }: Wire) => id,
} as const;

/** Cinder's volumes, snapshots and backups of the projects that the caller sees. */
export async function listVolumes(cloud: Cloud, looking: ListContext) {
  const list = async (key: keyof typeof volumeLists) => {
    const request = { service: "volume", path: [key, "detail"], key, projectOf: volumeLists[key] } as const;
    return (await listOfTenants(cloud, request, looking)).map(withInstants);
  };
  const [volumes, snapshots, backups] = await Promise.all([list("volumes"), list("snapshots"), list("backups")]);
  return narrowEach({ volumes, snapshots, backups }, volumeFields, looking);
}

/** Cinder's volume types, the private ones included; of these a customer sees those that one of its projects may use. */
export async function listVolumeTypes(cloud: Cloud, looking: ListContext): Promise<VolumeType[]> {
  const request = { service: "volume", path: ["types"], key: "volume_types", query: { is_public: "None" } } as const;
  const all = await cloud.list(request, looking.deadline);
  const mayUse = await inParallel(all, width, (type) => mayUseType(cloud, type, looking));
  const types = all.filter((_, at) => mayUse[at]).map((wire) => toVolumeType(wire, looking));
  return types.sort((one, other) => (one.name < other.name ? -1 : 1));
}

async function mayUseType(cloud: Cloud, { id, is_public }: Wire, looking: ListContext): Promise<boolean> {
  const { visibility, deadline } = looking;
  if (is_public !== false || visibility.isWhole) return true;
  const path = ["types", idOf(id), "os-volume-type-access"];
  const answer = await cloud.find({ service: "volume", path }, deadline);
  return objectsOf(answer?.volume_type_access).some(({ project_id }) => visibility.shows(idOf(project_id)));
}

/** A volume type in the portal's words. */
function toVolumeType(wire: Wire, { visibility }: ListContext): VolumeType {
  const specs = objectOf(wire.extra_specs);
  return withoutNothing({
    description: textOf(wire.description),
    extra_specs: specs && narrow(specs, volumeTypeSpecs, visibility),
    id: idOf(wire.id),
    is_public: wire.is_public !== false,
    name: idOf(wire.name),
    qos_specs_id: visibility.isWhole ? (textOf(wire.qos_specs_id) ?? null) : null,
  });
}

/** Lists as the caller sees them, each thing by the field list of its kind. */
function narrowEach<Key extends string>(
  lists: Readonly<Record<Key, readonly Wire[]>>,
  fields: Readonly<Record<NoInfer<Key>, FieldList>>,
  { visibility }: ListContext,
): Record<Key, Wire[]> {
  const entries = Object.entries(lists) as [Key, readonly Wire[]][];
  const narrowed = entries.map(([key, list]) => [key, list.map((wire) => narrow(wire, fields[key], visibility))]);
  return Object.fromEntries(narrowed) as Record<Key, Wire[]>;
}

/** Several lists at once, under our keys. */
async function listEach<Key extends string, Row>(
  rows: Readonly<Record<Key, Row>>,
  list: (row: Row) => Promise<Wire[]>,
): Promise<Record<Key, Wire[]>> {
  const entries = Object.entries(rows) as [Key, Row][];
  const lists = await Promise.all(
    entries.map(async ([key, row]) => [key, (await list(row)).map(withInstants)] as const),
  );
  return Object.fromEntries(lists) as Record<Key, Wire[]>;
}
