import type { Flavor, Image, ProjectQuota } from "../../../../src/operations/portal/infrastructure/iaas-compute.ts";
import type { PortalCall } from "../../../../src/portal/call/call.ts";
import type { AreaBackend } from "../../../../src/portal/regions.ts";
import { visibilityOf } from "../../shared/visibility.ts";
import type { Cloud, Wire } from "../client/cloud.ts";
import { idOf, inOrder, instantOf, textOf, withoutNothing } from "../client/from-wire.ts";
import { readOnePage } from "../client/one-page.ts";
import type { CloudContext } from "../cloud-context.ts";
import type { ListContext } from "../tenants.ts";
import { usageOf } from "../usage.ts";

/** The lists of what servers are made from, and of a project's quotas. */
export function catalogueCalls(
  cloudContext: CloudContext,
): Pick<Required<AreaBackend<"iaas">>, "images" | "flavors" | "projectQuotas"> {
  const { cloud, run } = cloudContext;
  return {
    images: (_input, call) =>
      run(call, async (deadline) => {
        const { page, showNext } = call;
        return listImages(cloud, { visibility: await visibilityOf(call), deadline, page, showNext });
      }),
    flavors: (_input, call) => run(call, (deadline) => listFlavors(cloud, { deadline })),
    projectQuotas: ({ project_id }, call) => listQuotas(cloudContext, project_id, call),
  };
}

/** What the services hold for a project, and what of it is used, by the quota's name. */
async function listQuotas(cloudContext: CloudContext, projectId: string, call: PortalCall): Promise<ProjectQuota[]> {
  const { limits, used } = usageOf(cloudContext);
  const [held, amounts] = await Promise.all([limits(projectId, call), used(projectId, call)]);
  return Object.keys(held)
    .sort()
    .map((quota) => ({ quota, limit: held[quota] ?? -1, used: amounts[quota] ?? 0 }));
}

/** Glance's images: those that everybody may use, and those of the projects that the caller sees. */
export async function listImages(cloud: Cloud, { visibility, deadline, ...paging }: ListContext): Promise<Image[]> {
  if (!(await cloud.has("image", deadline))) return [];
  const request = { service: "image", path: ["images"], key: "images", query: { visibility: "all" } } as const;
  const isShown = (wire: Wire) => isPublic(wire) || visibility.shows(idOf(wire.owner));
  const createdAt = ({ created_at }: Wire) => created_at;
  const page = await readOnePage(cloud, { request, createdAt, isShown }, { ...paging, deadline });
  const wires = page ?? inOrder((await cloud.list(request, deadline)).filter(isShown), createdAt);
  return wires.map((wire) =>
    withoutNothing({
      created: instantOf(wire.created_at),
      disk_format: textOf(wire.disk_format),
      id: idOf(wire.id),
      name: textOf(wire.name) ?? idOf(wire.id),
      project_id: visibility.shows(idOf(wire.owner)) ? textOf(wire.owner) : undefined,
      size: typeof wire.size === "number" ? wire.size : undefined,
      status: textOf(wire.status),
      visibility: textOf(wire.visibility),
    }),
  );
}

function isPublic({ visibility }: Wire): boolean {
  return visibility === "public" || visibility === "community";
}

/** Nova's flavors, by name. */
export async function listFlavors(cloud: Cloud, { deadline }: Pick<ListContext, "deadline">): Promise<Flavor[]> {
  const wires = await cloud.list({ service: "compute", path: ["flavors", "detail"], key: "flavors" }, deadline);
  const flavors = wires.map(({ disk, id, name, ram, vcpus }) => {
    return {
      disk: Number(disk ?? 0),
      id: idOf(id),
      name: idOf(name),
      ram: Number(ram ?? 0),
      vcpus: Number(vcpus ?? 0),
    };
  });
  return flavors.sort((one, other) => (one.name < other.name ? -1 : 1));
}
