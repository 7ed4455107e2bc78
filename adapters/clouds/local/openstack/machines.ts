import { rm } from "node:fs/promises";
import {
  newUuid,
  nowOf,
  requestOf,
  type ServiceAnswer,
  type ServiceContext,
  type ServiceRequest,
} from "../endpoint.ts";
import { drawFault } from "../faults.ts";
import { onItsWay, type Resource } from "../inventory.ts";
import { allocateVolume, gigabyte, volumePath } from "../volume-files.ts";
import { findExceeded, findServerExceeded } from "./quotas.ts";

/** Milliseconds that changes take on the portal's clock. */
const durations = { build: 8_000, power: 4_000, remove: 4_000, volume: 3_000, attach: 2_000 };

/** Why a server of a cloud that fails now and then was not built, as Nova says it. */
const noHost = { code: 500, message: "No valid host was found. There are not enough hosts available." };

/** Nova's and Cinder's calls that make and change servers and volumes; undefined for any other call. */
export async function serveMachines(
  request: ServiceRequest,
  context: ServiceContext,
): Promise<ServiceAnswer | undefined> {
  const { method, path } = request;
  const [kind, id = "", part, volumeId = ""] = path;
  if (method === "GET") return undefined;
  if (kind === "volumes" && part === undefined)
    return method === "POST" ? createVolume(request, context) : deleteVolume(id, context);
  if (kind !== "servers") return undefined;
  if (id === "") return createServer(request, context);
  const server = await context.inventory.find("servers", id);
  if (server === undefined) return fault(404, `Instance ${id} could not be found.`);
  if (part === undefined) return deleteServer(server, context);
  if (part === "action") return switchServer(server, "os-start" in request.body, context);
  if (part !== "os-volume_attachments") return undefined;
  if (method === "DELETE") return detachVolume(server, volumeId, context);
  return attachVolume(server, String(requestOf(request.body, "volumeAttachment").volumeId), context);
}

function fault(code: number, message: string): ServiceAnswer {
  const kind =
    code === 404 ? "itemNotFound" : code === 409 ? "conflictingRequest" : code === 413 ? "overLimit" : "badRequest";
  return { status: code, body: { [kind]: { code, message } } };
}

async function createServer({ body, project = "" }: ServiceRequest, context: ServiceContext): Promise<ServiceAnswer> {
  const { inventory } = context;
  const { name, flavorRef, imageRef, availability_zone, metadata = {} } = requestOf(body, "server");
  const flavor = await inventory.find("flavors", String(flavorRef));
  const image = await inventory.find("images", String(imageRef));
  if (flavor === undefined) return fault(400, `Flavor ${flavorRef} could not be found.`);
  if (image === undefined) return fault(400, `Can not find requested image ${imageRef}.`);
  if (!(await isZone(availability_zone, context)))
    return fault(400, "The requested availability zone is not available");
  const { name: original_name, vcpus, ram, disk } = flavor;
  const exceeded = await findServerExceeded({ project, vcpus: Number(vcpus), ram: Number(ram) }, context);
  if (exceeded !== undefined)
    return { status: 403, body: { forbidden: { code: 403, message: `Quota exceeded for ${exceeded}` } } };
  const server = {
    id: newUuid(context),
    name,
    tenant_id: project,
    created: nowOf(context),
    updated: nowOf(context),
    created_at: nowOf(context),
    flavor: { original_name, vcpus, ram, disk },
    image: { id: image.id },
    addresses: {},
    metadata,
    "OS-EXT-AZ:availability_zone": availability_zone ?? "nova",
    "os-extended-volumes:volumes_attached": [],
  };
  const isFailing = await drawFault(context);
  const end = isFailing ? { next: "ERROR", nextFields: { fault: noHost } } : { next: "ACTIVE" };
  await begin("servers", server, { context, status: "BUILD", after: durations.build, ...end });
  return { status: 202, body: { server: { id: server.id } } };
}

async function isZone(name: unknown, { inventory }: ServiceContext): Promise<boolean> {
  return name === undefined || (await inventory.list("availabilityZoneInfo")).some(({ zoneName }) => zoneName === name);
}

interface Beginning {
  readonly context: ServiceContext;
  readonly status: string;
  /** The state at its end; gone without one. */
  readonly next?: string;
  readonly nextFields?: Resource;
  readonly after: number;
}

async function begin(kind: string, item: Resource, { context, ...states }: Beginning): Promise<void> {
  await context.inventory.put(kind, String(item.id), onItsWay(item, { ...states, now: context.clock.now() }));
}

/** Its volumes are free at once. */
async function deleteServer(server: Resource, context: ServiceContext): Promise<ServiceAnswer> {
  for (const { id } of attachedTo(server)) {
    const volume = await context.inventory.find("volumes", String(id));
    if (volume) await context.inventory.put("volumes", String(id), { ...volume, status: "available", attachments: [] });
  }
  await begin("servers", server, { context, status: "DELETED", after: durations.remove });
  return { status: 204 };
}

function attachedTo(server: Resource): Resource[] {
  const attached = server["os-extended-volumes:volumes_attached"];
  return Array.isArray(attached) ? attached : [];
}

async function switchServer(server: Resource, isStart: boolean, context: ServiceContext): Promise<ServiceAnswer> {
  const [from, next, verb] = isStart ? ["SHUTOFF", "ACTIVE", "start"] : ["ACTIVE", "SHUTOFF", "stop"];
  if (server.status !== from)
    return fault(
      409,
      `Cannot '${verb}' instance ${server.id} while it is in vm_state ${String(server.status).toLowerCase()}`,
    );
  const updated = { ...server, updated: nowOf(context) };
  await begin("servers", updated, { context, status: String(from), next: String(next), after: durations.power });
  return { status: 202 };
}

async function createVolume({ body, project = "" }: ServiceRequest, context: ServiceContext): Promise<ServiceAnswer> {
  const { inventory, folder } = context;
  const { name, size, volume_type, availability_zone } = requestOf(body, "volume");
  const types = (await inventory.list("volume_types")).map((type) => type.name);
  if (volume_type !== undefined && !types.includes(volume_type))
    return fault(400, `Volume type with name ${volume_type} could not be found.`);
  if (!(await isZone(availability_zone, context)))
    return fault(400, `Availability zone '${availability_zone}' is invalid.`);
  const exceeded = await findExceeded("volumes", { project, gigabytes: Number(size) }, context);
  if (exceeded !== undefined) return fault(413, `Quota exceeded for ${exceeded}`);
  const volume = {
    id: newUuid(context),
    name,
    size,
    volume_type: volume_type ?? types[0] ?? null,
    availability_zone: availability_zone ?? "nova",
    bootable: "false",
    encrypted: false,
    attachments: [],
    metadata: {},
    created_at: nowOf(context),
    "os-vol-tenant-attr:tenant_id": project,
  };
  await allocateVolume(volumePath(folder, volume.id), Number(size) * gigabyte);
  await begin("volumes", volume, { context, status: "creating", next: "available", after: durations.volume });
  return { status: 202, body: { volume: { id: volume.id, status: "creating" } } };
}

async function deleteVolume(id: string, context: ServiceContext): Promise<ServiceAnswer> {
  const { inventory, folder } = context;
  const volume = await inventory.find("volumes", id);
  if (volume === undefined) return fault(404, `Volume ${id} could not be found.`);
  const snapshots = (await inventory.list("snapshots")).filter(({ volume_id }) => volume_id === id);
  if (!["available", "error"].includes(String(volume.status)) || snapshots.length > 0)
    return fault(
      400,
      `Invalid volume: Volume status must be available or error and must not be attached or have snapshots.`,
    );
  await begin("volumes", volume, { context, status: "deleting", after: durations.remove });
  await rm(volumePath(folder, id), { force: true });
  return { status: 202 };
}

async function attachVolume(server: Resource, volumeId: string, context: ServiceContext): Promise<ServiceAnswer> {
  const { inventory } = context;
  const volume = await inventory.find("volumes", volumeId);
  if (volume === undefined) return fault(404, `Volume ${volumeId} could not be found.`);
  if (!["ACTIVE", "SHUTOFF"].includes(String(server.status)))
    return fault(409, `Cannot 'attach_volume' instance ${server.id} while it is ${server.status}`);
  if (volume.status !== "available") return fault(400, `Invalid volume: volume ${volumeId} status must be available`);
  const attachments = [{ server_id: server.id, volume_id: volumeId, device: "/dev/vdb" }];
  await begin(
    "volumes",
    { ...volume, attachments },
    { context, status: "attaching", next: "in-use", after: durations.attach },
  );
  const attached = [...attachedTo(server), { id: volumeId }];
  await inventory.put("servers", String(server.id), { ...server, "os-extended-volumes:volumes_attached": attached });
  return { status: 200, body: { volumeAttachment: { id: volumeId, volumeId, serverId: server.id } } };
}

async function detachVolume(server: Resource, volumeId: string, context: ServiceContext): Promise<ServiceAnswer> {
  const { inventory } = context;
  const volume = await inventory.find("volumes", volumeId);
  const attached = attachedTo(server);
  if (volume === undefined || !attached.some(({ id }) => id === volumeId))
    return fault(404, `The volume ${volumeId} is not attached to instance ${server.id}.`);
  if (volume.status !== "in-use") return fault(409, `Cannot 'detach_volume': the volume is ${volume.status}`);
  await begin(
    "volumes",
    { ...volume, attachments: [] },
    { context, status: "detaching", next: "available", after: durations.attach },
  );
  const left = attached.filter(({ id }) => id !== volumeId);
  await inventory.put("servers", String(server.id), { ...server, "os-extended-volumes:volumes_attached": left });
  return { status: 202 };
}
