import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { inOrder, instantOf } from "../../../../../adapters/clouds/openstack/client/from-wire.ts";
import { iaasOf } from "../../../../../adapters/clouds/openstack/iaas.ts";
import { memoryStore } from "../../../../../adapters/stores/memory/index.ts";
import type { TenantScope } from "../../../../../src/portal/tenancy/tenant-scope.ts";
import { callAt } from "../../../../portal/support/rig.ts";
import { withPortalKinds } from "../../../../portal-kinds.ts";
import { scripted } from "../../../support/openstack/scripted.ts";

const at = "2026-11-20T12:00:00.000Z";

/** A project, perhaps with a record of the portal's, in this region or another. */
const anyProject = fc.record({
  id: fc.uuid(),
  reseller: fc.constantFrom("r1", "r2"),
  client_id: fc.constantFrom("c1", "c2"),
  region: fc.constantFrom("eu-1", "eu-2"),
  isKept: fc.boolean(),
});
type AnyProject = { id: string; reseller: string; client_id: string; region: string; isKept: boolean };

const anyPlace = fc.constantFrom<TenantScope>({}, { reseller: "r1" }, { reseller: "r1", client_id: "c1" });

/** A cloud that ignores every filter and gives everything of everybody, as some of the real lists do. */
function careless(projects: readonly AnyProject[]) {
  const server = ({ id }: AnyProject) => ({ id: `server-${id}`, name: "s", tenant_id: id, created: at });
  const wires = projects.map(({ id }) => ({ id, name: `name-${id}`, domain_id: "default", enabled: true }));
  const open = scripted(({ url }) => {
    const [, last] = /\/(servers\/detail|projects)(?=\?|$)/.exec(url) ?? [];
    if (last === "servers/detail") return { body: { servers: projects.map(server) } };
    if (last === "projects") return { body: { projects: wires } };
    const project = wires.find(({ id }) => url.endsWith(`/projects/${id}`));
    return project === undefined ? { status: 404 } : { body: { project } };
  });
  return iaasOf(open.site);
}

async function recordsOf(projects: readonly AnyProject[]) {
  const { records } = withPortalKinds(memoryStore());
  for (const { isKept, ...project } of projects) {
    if (isKept) await records.put("cloud_project", { ...project, created_at: at, updated_at: at }, 0);
  }
  return records;
}

describe("the inventory of a caller", () => {
  it("is of the projects at its place or below, in its region, and of all at the provider's", async () => {
    const anyProjects = fc.uniqueArray(anyProject, { selector: ({ id }) => id, maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(anyProjects, anyPlace, async (projects, place) => {
        const isBelow = ({ reseller, client_id, region, isKept }: AnyProject) =>
          isKept &&
          region === "eu-1" &&
          (place.reseller === undefined || place.reseller === reseller) &&
          (place.client_id === undefined || place.client_id === client_id);
        const isProvider = place.reseller === undefined;
        const wanted = projects.filter((project) => isProvider || isBelow(project));
        const servers = await careless(projects).servers({}, callAt(await recordsOf(projects), place));
        expect(new Set(servers.map(({ project_id }) => project_id))).toEqual(new Set(wanted.map(({ id }) => id)));
        for (const { project_id, project_name, client } of servers) {
          const project = projects.find(({ id }) => id === project_id);
          expect(project_name).toBe(`name-${project_id}`);
          expect(client).toBe(project?.isKept && project.region === "eu-1" ? project.client_id : undefined);
        }
      }),
    );
  });

  it("of a project holds what is in it once, however many projects are asked for one by one", async () => {
    const projects = Array.from({ length: 5 }, (_, n) => {
      return { id: `p${n}`, reseller: "r1", client_id: "c1", region: "eu-1", isKept: true };
    });
    const servers = await careless(projects).servers({}, callAt(await recordsOf(projects), { reseller: "r1" }));
    expect(servers.map(({ id }) => id)).toEqual(["server-p0", "server-p1", "server-p2", "server-p3", "server-p4"]);
  });
});

describe("what comes from the wire", () => {
  it("says its instants in RFC 3339, also where a service leaves the zone out", () => {
    expect(instantOf("2026-11-20T04:25:06Z")).toBe("2026-11-20T04:25:06Z");
    expect(instantOf("2026-11-20T04:25:09.649344")).toBe("2026-11-20T04:25:09.649344Z");
    expect(instantOf("2026-11-20T04:25:28")).toBe("2026-11-20T04:25:28Z");
    for (const none of [null, "", "yesterday", 5, undefined]) expect(instantOf(none)).toBeUndefined();
  });

  it("is in order of making, then of id", () => {
    fc.assert(
      fc.property(fc.array(fc.record({ id: fc.string(), made: fc.constantFrom("1", "2", undefined) })), (things) => {
        const ordered = inOrder(things, ({ made }) => made);
        expect(ordered).toHaveLength(things.length);
        for (const [n, thing] of ordered.entries()) {
          const before = ordered[n - 1] ?? thing;
          const [one, other] = [before.made ?? "", thing.made ?? ""];
          expect(one < other || (one === other && before.id <= thing.id)).toBe(true);
        }
      }),
    );
  });
});
