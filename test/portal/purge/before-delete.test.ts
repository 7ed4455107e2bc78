import { describe, expect, it } from "vitest";
import type { Store } from "../../../src/engine/ports/store.ts";
import type { Region } from "../../../src/portal/regions.ts";
import { openLocal } from "../../clouds/support/local.ts";
import { openGateway } from "../support/gateway.ts";
import { makePlaces } from "../support/places.ts";
import { callAt, stores } from "../support/rig.ts";

type Iaas = NonNullable<Region["iaas"]>;

/** Infrastructure that knows of no clusters, as OpenStack: what it is told to delete is gone. */
function plainInfrastructure(): Iaas {
  const ids = new Set(["p-1", "p-2"]);
  return {
    projects: async () => [...ids].map((id) => ({ id, name: id, enabled: true })),
    deleteProject: async ({ project_id }) => void ids.delete(project_id),
  };
}

async function openWith(store: Store, own?: Iaas) {
  const cloud = await openLocal({ records: store.records });
  const iaas = own ?? cloud.iaas;
  const gateway = await openGateway(store, { "eu-1": { iaas, clusters: cloud.clusters } });
  const remove = (path: string, body?: object) => gateway.ask({ method: "DELETE", path, body });
  const add = async (project_id: string) => {
    const body = { project_id, purpose: "testing" };
    const made = await gateway.ask({ method: "POST", path: "/cluster/projects", body });
    return String((made.body as { metadata?: { name?: string } }).metadata?.name);
  };
  return { ...gateway, iaas, remove, add };
}

describe.each(stores)("deleting an infrastructure project that a cluster project stands for: %s", (_name, open) => {
  it("is refused whichever back end serves the infrastructure, until that is gone; others go", async () => {
    const { ask, remove, add } = await openWith(await open(), plainInfrastructure());
    const name = await add("p-1");
    const message = `The project still has 1 cluster projects (${name}). Delete them first, or delete the project with \`purge: true\`.`;
    const refused = { status: 409, body: { error: { type: "conflict", message } } };
    expect(await remove("/iaas/project/p-1")).toMatchObject(refused);
    expect(await remove("/iaas/project/p-2")).toMatchObject({ status: 204 });
    expect((await ask({ method: "GET", path: "/iaas/projects" })).body).toMatchObject([{ id: "p-1" }]);
    expect(await remove(`/cluster/projects/${name}`, { force: true })).toMatchObject({ status: 200 });
    expect(await remove("/iaas/project/p-1")).toMatchObject({ status: 204 });
  });

  it("is refused by the embedded cloud too, and leaves the project as it was", async () => {
    const { ask, remove, add } = await openWith(await open());
    const body = { name: "shop", quota_profile: "default" };
    const made = await ask({ method: "POST", path: "/iaas/projects", body });
    const { id } = (made.body as { project: { id: string } }).project;
    const name = await add(id);
    expect(await remove(`/iaas/project/${id}`)).toMatchObject({ status: 409 });
    expect((await ask({ method: "GET", path: "/iaas/projects" })).body).toMatchObject([{ id, enabled: true }]);
    await remove(`/cluster/projects/${name}`, { force: true });
    expect(await remove(`/iaas/project/${id}`)).toMatchObject({ status: 204 });
  });

  it("is not found for who does not see it, and where it is there no more", async () => {
    const store = await open();
    const { portal, iaas, ask, remove, add } = await openWith(store);
    const { project } =
      (await iaas.createProject?.(
        { name: "shop", quota_profile: "default" },
        callAt(store.records, { reseller: "acme" }),
      )) ?? expect.unreachable();
    const id = String((project as { id: string }).id);
    await add(id);
    await add("gone");
    expect(await remove("/iaas/project/gone")).toMatchObject({ status: 404 });
    const body = { username: "ann", reseller: "northwind" };
    await makePlaces(portal, body);
    const user = (await ask({ method: "POST", path: "/users", body })).body as { id: string };
    const caller = { ...(await portal.callerOf(user.id)), permissions: new Set(["iaas_project-delete"]) };
    const stranger = portal.as(caller, { region: "eu-1" }).iaas;
    await expect(stranger.deleteProject({ project_id: id })).rejects.toMatchObject({ code: "not_found" });
  });
});
