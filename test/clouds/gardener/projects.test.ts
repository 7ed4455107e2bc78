import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkShootName, projectNames } from "../../../adapters/clouds/shared/clusters/names.ts";
import { memoryStore } from "../../../adapters/stores/memory/index.ts";
import type { TenantScope } from "../../../src/portal/tenancy/tenant-scope.ts";
import { callAt } from "../../portal/support/rig.ts";
import { withPortalKinds } from "../../portal-kinds.ts";
import { base, on, type Reply, rig, status } from "../support/gardener/rig.ts";

describe("names of cluster projects", () => {
  const anyId = fc.oneof(fc.uuid(), fc.stringMatching(/^[0-9a-f]{32}$/), fc.string({ minLength: 1 }));

  it("are names that Gardener takes, whatever the id and the prefix", () => {
    fc.assert(
      fc.property(anyId, fc.option(fc.string(), { nil: undefined }), (id, prefix) => {
        for (const name of projectNames(id, prefix)) expect(name).toMatch(/^[a-z][a-z0-9]{0,9}$/);
      }),
    );
  });

  it("are the same for the same id, and each is another one", () => {
    fc.assert(
      fc.property(anyId, (id) => {
        expect(projectNames(id)).toEqual(projectNames(id));
        expect(new Set(projectNames(id)).size).toBe(3);
      }),
    );
  });

  it("differ between ids", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.uuid(), { minLength: 50, maxLength: 50 }), (ids) => {
        expect(new Set(ids.flatMap((id) => projectNames(id))).size).toBe(150);
      }),
    );
  });

  it("leave a cluster what is left of 21 characters", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]{1,10}$/), fc.stringMatching(/^[a-z]{1,25}$/), (project, shoot) => {
        const check = () => checkShootName(shoot, project);
        if (project.length + shoot.length <= 21) expect(check).not.toThrow();
        else expect(check).toThrow(expect.objectContaining({ code: "invalid_request", param: "shoot_name" }));
      }),
    );
  });
});

const places: readonly TenantScope[] = [
  {},
  { reseller: "acme" },
  { reseller: "acme", client_id: "one" },
  { reseller: "acme", client_id: "two" },
  { reseller: "globex" },
];

function annotated(name: string, { reseller, client_id }: TenantScope) {
  const annotations = {
    "tollgate/iaas-project-id": `iaas-${name}`,
    ...(reseller === undefined ? {} : { "tollgate/reseller": reseller }),
    ...(client_id === undefined ? {} : { "tollgate/client-id": client_id }),
  };
  return { metadata: { name, annotations }, spec: { namespace: `garden-${name}` } };
}

describe("the scope of cluster projects", () => {
  const all = places.map((place, n) => annotated(`x${n}`, place));
  const list = on("GET", `${base}/projects`, [200, { items: all }]);
  const one = (n: number) => on("GET", `${base}/projects/x${n}`, [200, all[n]]);

  it("a caller lists what lies at its place or below, and nothing else", async () => {
    const seen = new Map<TenantScope, string[]>();
    for (const place of places) {
      const { backend } = rig([list]);
      const shown = await backend.projects?.({}, callAt(withPortalKinds(memoryStore()).records, place));
      seen.set(place, shown?.map(({ metadata }) => String(metadata.name)) ?? []);
    }
    expect([...seen.values()]).toEqual([["x0", "x1", "x2", "x3", "x4"], ["x1", "x2", "x3"], ["x2"], ["x3"], ["x4"]]);
  });

  const reads = ["secrets", "shoots", "secretBindings"] as const;
  const pairs = places.flatMap((place, from) => places.map((_, to) => [place, from, to] as const));

  it.each(reads)("%s of a namespace are reached by those who see its project only", async (operation) => {
    for (const [place, from, to] of pairs) {
      const { backend } = rig([one(to), list, on("GET", /namespaces/, [200, { items: [] }])]);
      const asking = Promise.resolve(
        backend[operation]?.({ namespace: `garden-x${to}` }, callAt(withPortalKinds(memoryStore()).records, place)),
      );
      const isSeen = from === 0 || from === to || (from === 1 && (to === 2 || to === 3));
      if (isSeen) expect(await asking).toEqual([]);
      else await expect(asking).rejects.toMatchObject({ code: "not_found" });
    }
  });

  it("a namespace that is no project's is nobody's, not even the provider's", async () => {
    const missing = status(404, "not found", { reason: "NotFound" });
    const { backend, asked, call } = rig([on("GET", `${base}/projects/kube-system`, missing), list]);
    await expect(backend.secrets?.({ namespace: "kube-system" }, call)).rejects.toMatchObject({ code: "not_found" });
    expect(asked.some(({ path }) => path.includes("/api/v1/"))).toBe(false);
  });

  it.each(["../../secrets", "a/b", "", "A", "a?x=1", "%2e%2e"])(
    "the name %j is no part of any path",
    async (project_name) => {
      const { backend, asked, call } = rig([]);
      await expect(backend.project?.({ project_name }, call)).rejects.toMatchObject({ code: "not_found" });
      expect(asked).toEqual([]);
    },
  );
});

describe("a new cluster project", () => {
  const input = { project_id: "iaas-1", purpose: "development" };
  const taken = status(409, "already exists", { reason: "AlreadyExists" });

  it("takes the next name when the first is another project's", async () => {
    const [first, second] = projectNames("iaas-1");
    const create = (() => {
      const replies: Reply[] = [taken, [201, { metadata: { name: second } }]];
      return on("POST", `${base}/projects`, () => replies.shift() as Reply);
    })();
    const { backend, asked, call } = rig([
      create,
      on("GET", `${base}/projects/${first}`, [200, annotated("other", {})]),
    ]);
    await backend.createProject?.(input, call);
    const names = asked
      .filter(({ method }) => method === "POST")
      .map(({ body }) => (body as { metadata: { name: string } }).metadata.name);
    expect(names).toEqual([first, second]);
  });

  it("lies where its infrastructure project does, whoever above makes it", async () => {
    const { records } = withPortalKinds(memoryStore());
    const created_at = "2026-11-20T00:00:00.000Z";
    const placed = { reseller: "acme", client_id: "one", region: "eu-1", updated_at: created_at, created_at };
    await records.put("cloud_project", { id: "iaas-1", ...placed }, 0);
    const { backend, asked } = rig([on("POST", `${base}/projects`, [201, { metadata: { name: "x" } }])]);
    await backend.createProject?.(input, callAt(records, { reseller: "acme" }));
    expect(asked.at(-1)?.body).toMatchObject({
      metadata: {
        annotations: { "tollgate/reseller": "acme", "tollgate/client-id": "one", "tollgate/iaas-project-id": "iaas-1" },
      },
    });
    const foreign = Promise.resolve(backend.createProject?.(input, callAt(records, { reseller: "globex" })));
    await expect(foreign).rejects.toMatchObject({ code: "not_found", param: "project_id" });
  });
});
