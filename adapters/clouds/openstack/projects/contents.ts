import { isGatewayError } from "../../../../src/engine/errors.ts";
import { inParallel } from "../../../../src/portal/locks/in-parallel.ts";
import type { Belonging, ProjectContents, Undeletable } from "../../../../src/portal/project-contents.ts";
import { projectMissing, recordOf } from "../../shared/visibility.ts";
import type { CloudRequest, Wire } from "../client/cloud.ts";
import { idOf, textOf } from "../client/from-wire.ts";
import type { CloudContext } from "../cloud-context.ts";
import { findProject, refuseOwnProject } from "../identity.ts";
import { allProjects } from "../quotas/quota-names.ts";
import { width } from "../tenants.ts";
import { type CloudLook, isDefaultGroup, readBelongings } from "./belongings.ts";

type CloudRemoval = Pick<CloudRequest, "service" | "method" | "path" | "query" | "headers" | "body">;

const networkPath = (list: string) => (id: string) => ({ service: "network", path: [list, id] }) as const;
const volumePath = (list: string) => (id: string) => ({ service: "volume", path: [list, id] }) as const;

/** How each kind is deleted, in this order: what uses something comes before it. Deletion goes on at the cloud when it has answered. */
const removals: Readonly<Record<string, (id: string) => CloudRemoval>> = {
  loadbalancers: (id) => ({ service: "loadBalancer", path: ["loadbalancers", id], query: { cascade: "true" } }),
  servers: (id) => ({ service: "compute", path: ["servers", id] }),
  snapshots: volumePath("snapshots"),
  backups: volumePath("backups"),
  volumes: volumePath("volumes"),
  floatingips: networkPath("floatingips"),
  ports: networkPath("ports"),
  routers: networkPath("routers"),
  networks: networkPath("networks"),
  security_groups: networkPath("security-groups"),
  images: (id) => ({ service: "image", path: ["images", id] }),
  zones: (id) => ({ service: "dns", path: ["zones", id], headers: allProjects }),
};

/** What the services of a cloud hold of projects. */
export function contentsOf({ cloud, run }: CloudContext): ProjectContents {
  return {
    listContents: ({ project_id }, call) =>
      run(call, async (deadline) => {
        const record = await recordOf(project_id, call);
        if ((await findProject(cloud, project_id, deadline)) === undefined) {
          if (record === undefined) throw projectMissing(project_id);
          return [];
        }
        const lists = await readBelongings(project_id, { cloud, deadline });
        return lists.flatMap(({ kind, wires }) =>
          wires.filter((wire) => !isDefaultGroup(kind, wire)).map((wire) => toBelonging(kind, wire)),
        );
      }),
    removeContents: ({ project_id }, call) =>
      run(call, async (deadline) => {
        await recordOf(project_id, call);
        await refuseOwnProject(cloud, project_id, deadline);
        const looking = { cloud, deadline };
        const lists = new Map((await readBelongings(project_id, looking)).map(({ kind, wires }) => [kind, wires]));
        const refused: Undeletable[] = [];
        for (const kind of Object.keys(removals)) {
          const wires = (lists.get(kind) ?? []).filter((wire) => !isDefaultGroup(kind, wire));
          const outcomes = await inParallel(wires, width, (wire) => remove(kind, wire, looking));
          refused.push(...outcomes.filter((outcome) => outcome !== undefined));
        }
        return refused;
      }),
  };
}

function toBelonging(kind: string, { id, name, display_name }: Wire): Belonging {
  return { kind, id: idOf(id), name: textOf(name) || textOf(display_name) || undefined };
}

/** Begins the deletion of one thing; gives it where it was refused. What is gone already is no failure. */
async function remove(kind: string, wire: Wire, { cloud, deadline }: CloudLook): Promise<Undeletable | undefined> {
  const request = requestFor(kind, wire);
  if (request === undefined) return undefined;
  try {
    await cloud.find({ method: "DELETE", ...request }, deadline);
    return undefined;
  } catch (thrown) {
    if (!isGatewayError(thrown) || !ofOneThing.has(thrown.code)) throw thrown;
    return { ...toBelonging(kind, wire), reason: thrown.message };
  }
}

/** Refusals that say something of the thing itself; after any other its service is asked no more in this round. */
const ofOneThing: ReadonlySet<string> = new Set(["conflict", "invalid_request", "permission_denied", "backend_error"]);

/** A port that a service has made goes with what it made it for; that of a router is taken from the router. */
function requestFor(kind: string, wire: Wire): CloudRemoval | undefined {
  const id = idOf(wire.id);
  const owner = textOf(wire.device_owner) ?? "";
  if (kind !== "ports" || owner === "") return removals[kind]?.(id);
  if (!/^network:(?:ha_)?router_interface/.test(owner)) return undefined;
  const path = ["routers", idOf(wire.device_id), "remove_router_interface"];
  return { service: "network", method: "PUT", path, body: { port_id: id } };
}
