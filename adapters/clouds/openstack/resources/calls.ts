import { GatewayError } from "../../../../src/engine/errors.ts";
import type { PortalCall } from "../../../../src/portal/call/call.ts";
import type { AreaBackend } from "../../../../src/portal/regions.ts";
import type { Wire } from "../client/cloud.ts";
import { idOf, objectOf, objectsOf, textOf, withoutNothing } from "../client/from-wire.ts";
import type { CloudContext } from "../cloud-context.ts";
import { contentsOf } from "../projects/contents.ts";
import { quotaCalls } from "../quota-calls.ts";
import { balancerCalls } from "./balancers.ts";
import { catalogueCalls, listFlavors, listImages } from "./catalogue.ts";
import { type ResourceCall, readServer, readVolume, scopeOfProject } from "./owned.ts";

type AllCalls = Required<AreaBackend<"iaas">>;
type ServerCalls = Pick<AllCalls, "createServer" | "deleteServer" | "startServer" | "stopServer">;
type VolumeCalls = Pick<AllCalls, "createVolume" | "deleteVolume" | "attachVolume" | "detachVolume">;

/** The operations on what lies in a project: its quotas, servers and volumes, what they are made of, and all of it together. */
export function resourceCalls(cloudContext: CloudContext) {
  return {
    ...quotaCalls(cloudContext),
    ...catalogueCalls(cloudContext),
    ...serverCalls(cloudContext),
    ...volumeCalls(cloudContext),
    ...balancerCalls(cloudContext),
    ...contentsOf(cloudContext),
  };
}

type Within = <T>(call: PortalCall, act: (running: ResourceCall) => Promise<T>) => Promise<T>;

function withinOf(cloudContext: CloudContext): Within {
  return (call, act) => cloudContext.run(call, (deadline) => act({ call, deadline }));
}

function serverCalls(cloudContext: CloudContext): ServerCalls {
  const { cloud } = cloudContext;
  const within = withinOf(cloudContext);
  const act = (server_id: string, action: "os-start" | "os-stop", call: PortalCall) =>
    within(call, async (running) => {
      await readServer(cloudContext, server_id, running);
      const path = ["servers", server_id, "action"];
      await cloud.ask({ service: "compute", method: "POST", path, body: { [action]: null } }, running.deadline);
      return undefined;
    });
  return {
    createServer: (input, call) => within(call, (running) => createServer(cloudContext, input, running)),
    deleteServer: ({ server_id }, call) =>
      within(call, async (running) => {
        await readServer(cloudContext, server_id, running);
        await cloud.ask({ service: "compute", method: "DELETE", path: ["servers", server_id] }, running.deadline);
        return undefined;
      }),
    startServer: ({ server_id }, call) => act(server_id, "os-start", call),
    stopServer: ({ server_id }, call) => act(server_id, "os-stop", call),
  };
}

function volumeCalls(cloudContext: CloudContext): VolumeCalls {
  const { cloud } = cloudContext;
  const within = withinOf(cloudContext);
  return {
    createVolume: ({ project_id, ...fields }, call) =>
      within(call, async (running) => {
        const scope = await scopeOfProject(cloudContext, project_id, running);
        const body = { volume: withoutNothing(fields) };
        const request = { service: "volume", method: "POST", path: ["volumes"], body, scope } as const;
        return created(objectOf((await cloud.ask(request, running.deadline)).volume), "creating");
      }),
    deleteVolume: ({ volume_id }, call) =>
      within(call, async (running) => {
        const volume = await readVolume(cloudContext, volume_id, running);
        const scope = await scopeOfProject(cloudContext, idOf(volume["os-vol-tenant-attr:tenant_id"]), running);
        const path = ["volumes", volume_id];
        await cloud.ask({ service: "volume", method: "DELETE", path, scope }, running.deadline);
        return undefined;
      }),
    attachVolume: ({ volume_id, server_id }, call) =>
      within(call, async (running) => {
        await checkPair(cloudContext, { volume_id, server_id }, running);
        const path = ["servers", server_id, "os-volume_attachments"];
        const body = { volumeAttachment: { volumeId: volume_id } };
        await cloud.ask({ service: "compute", method: "POST", path, body }, running.deadline);
        return undefined;
      }),
    detachVolume: ({ volume_id, server_id }, call) =>
      within(call, async (running) => {
        const { attachments } = await checkPair(cloudContext, { volume_id, server_id }, running);
        if (!objectsOf(attachments).some((one) => one.server_id === server_id))
          throw new GatewayError("conflict", `The volume is not attached to the server \`${server_id}\`.`);
        const path = ["servers", server_id, "os-volume_attachments", volume_id];
        await cloud.ask({ service: "compute", method: "DELETE", path }, running.deadline);
        return undefined;
      }),
  };
}

type ServerInput = Parameters<ServerCalls["createServer"]>[0];

/** Flavor and image may be named by id or by name. Without a network Nova takes the project's own. */
async function createServer(cloudContext: CloudContext, input: ServerInput, running: ResourceCall) {
  const { project_id, name, flavor, image, network_id, availability_zone } = input;
  const { cloud } = cloudContext;
  const { call, deadline } = running;
  const scope = await scopeOfProject(cloudContext, project_id, running);
  const looking = {
    visibility: { isWhole: false, projects: new Map(), shows: (id: string) => id === project_id },
    deadline,
  };
  const imageRef = pick(await listImages(cloud, looking), image, "image");
  const flavorRef = pick(await listFlavors(cloud, looking), flavor, "flavor");
  const networks = network_id === undefined ? "auto" : [{ uuid: network_id }];
  const metadata = { tollgate_event: call.eventId };
  const server = withoutNothing({ name, flavorRef, imageRef, networks, availability_zone, metadata });
  const request = { service: "compute", method: "POST", path: ["servers"], body: { server }, scope } as const;
  return created(objectOf((await cloud.ask(request, deadline)).server), "BUILD");
}

/** The id of what has that id or name. Throws `invalid_request` naming the first twenty. */
function pick(all: readonly { readonly id: string; readonly name: string }[], named: string, param: string): string {
  const found = all.find(({ id }) => id === named) ?? all.find(({ name }) => name === named);
  if (found !== undefined) return found.id;
  const known =
    all
      .slice(0, 20)
      .map(({ name }) => name)
      .join(", ") || "none";
  throw new GatewayError(
    "invalid_request",
    `\`${param}\`: there is no \`${named.slice(0, 100)}\`; there are ${known}.`,
    { param },
  );
}

/** Nova says nothing of the state of a new server. */
function created(wire: Wire | undefined, status: string): { id: string; status: string } {
  return { id: idOf(wire?.id), status: textOf(wire?.status) ?? status };
}

interface Pair {
  readonly volume_id: string;
  readonly server_id: string;
}

/** The volume of the pair: it is attached inside its project only. */
async function checkPair(cloudContext: CloudContext, { volume_id, server_id }: Pair, running: ResourceCall) {
  const volume = await readVolume(cloudContext, volume_id, running);
  const server = await readServer(cloudContext, server_id, running);
  if (volume["os-vol-tenant-attr:tenant_id"] === server.tenant_id) return volume;
  const message = "`server_id`: the server belongs to another project than the volume.";
  throw new GatewayError("invalid_request", message, { param: "server_id" });
}
