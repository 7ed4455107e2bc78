import { GatewayError } from "../../../engine/errors.ts";
import type { IaasProject, Server } from "../../../operations/portal/infrastructure/iaas-resources.ts";
import type { PortalCall } from "../../call/call.ts";
import type { AreaBackend, Regions } from "../../regions.ts";

/** A volume, of whatever back end. */
export interface CloudVolume {
  readonly id: string;
  readonly name: string;
  readonly project_id: string | null;
  /** In gigabytes. */
  readonly size: number | null;
  readonly type: string | null;
  readonly attachments: readonly { readonly server_id: string; readonly device: string | null }[];
}

/** The part of a region's infrastructure that can be backed up and that the caller sees. */
export interface CloudView {
  readonly projects: readonly IaasProject[];
  readonly servers: readonly Server[];
  readonly volumes: readonly CloudVolume[];
}

/** A back end that lists its projects, servers and volumes. */
type Iaas = AreaBackend<"iaas"> & Required<Pick<AreaBackend<"iaas">, "projects" | "servers" | "volumes">>;

/** Returns the region's infrastructure. Throws `not_implemented` where no back end lists it. */
export function iaasOf(regions: Regions, { region }: PortalCall): Iaas {
  const iaas = regions[region]?.iaas;
  if (iaas?.projects && iaas.servers && iaas.volumes) return iaas as Iaas;
  throw new GatewayError("not_implemented", `No back end in the region \`${region}\` lists what can be backed up.`);
}

/** Reads projects, machines and volumes at once. */
export async function viewCloud(regions: Regions, call: PortalCall): Promise<CloudView> {
  const iaas = iaasOf(regions, call);
  const [projects, servers, { volumes }] = await Promise.all([
    iaas.projects({}, call),
    iaas.servers({}, call),
    iaas.volumes({}, call),
  ]);
  return { projects, servers, volumes: volumes.flatMap(toVolume) };
}

/** The volumes of a machine. */
export function volumesOf(view: CloudView, serverId: string): CloudVolume[] {
  return view.volumes.filter(({ attachments }) => attachments.some(({ server_id }) => server_id === serverId));
}

function toVolume(raw: unknown): CloudVolume[] {
  const wire = recordOf(raw);
  const { id, name, size, volume_type: type } = wire;
  if (typeof id !== "string") return [];
  const owner = wire.project_id ?? wire["os-vol-tenant-attr:tenant_id"];
  const attachments = (Array.isArray(wire.attachments) ? wire.attachments : []).map(recordOf).flatMap((attached) => {
    const { server_id, device } = attached;
    return typeof server_id === "string" ? [{ server_id, device: typeof device === "string" ? device : null }] : [];
  });
  return [
    {
      id,
      name: typeof name === "string" && name !== "" ? name : id,
      project_id: typeof owner === "string" ? owner : null,
      size: typeof size === "number" ? size : null,
      type: typeof type === "string" ? type : null,
      attachments,
    },
  ];
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
