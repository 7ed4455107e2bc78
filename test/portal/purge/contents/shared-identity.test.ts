import { describe, expect, it } from "vitest";
import type { Store } from "../../../../src/engine/ports/store.ts";
import { countByKind } from "../../../../src/portal/purge/contents.ts";
import type { Region } from "../../../../src/portal/regions.ts";
import { readAll } from "../../../../src/portal/tenancy/record-access.ts";
import { openLocal } from "../../../clouds/support/local.ts";
import { openGateway } from "../../support/gateway.ts";
import { stores } from "../../support/rig.ts";

/** A portal of three regions over one cloud; the first two say that they share its Keystone. */
async function openShared(store: Store) {
  const { iaas, objectstore, objects, quotas, rollbacks } = await openLocal({ records: store.records });
  const region: Region = { iaas, objectstore, quotas, rollbacks };
  const shared = { ...region, identity: "shared" };
  const gateway = await openGateway(store, { "eu-1": shared, "eu-2": shared, "us-1": region });
  const at = (code: string, route: string, body?: object) => {
    const [method = "", path = ""] = route.split(" ");
    return gateway.ask({ method, path, headers: { region: code }, ...(body ? { body } : {}) });
  };
  const answerOf = async <Body>(asked: ReturnType<typeof at>) => (await asked).body as Body;
  const make = async (name: string) => {
    const made = at("eu-1", "POST /iaas/projects", { name, quota_profile: "default", reseller: "acme" });
    return (await answerOf<{ project: { id: string } }>(made)).project.id;
  };
  await at("eu-1", "POST /tenants", { reseller: "acme" });
  const user = await answerOf<{ id: string }>(
    at("eu-1", "POST /users", { username: "ann", level: "reseller", reseller: "acme", roles: [] }),
  );
  const names = ["iaas_projects-get"];
  const role = await answerOf<{ id: string }>(at("eu-1", "POST /roles", { name: "r", permissions: names }));
  await at("eu-1", `POST /roles/${role.id}/assign`, { user_id: user.id });
  const token = await answerOf<{ value: string }>(
    at("eu-1", `POST /users/${user.id}/tokens`, { name: "t", permissions: names }),
  );
  const listedIn = async (code: string) => {
    const listed = await gateway.ask({
      method: "GET",
      path: "/iaas/projects",
      headers: { region: code, "auth-token": token.value },
    });
    return (listed.body as { id: string }[]).map(({ id }) => id);
  };
  return { at, answerOf, make, listedIn, objects, store };
}

/** Gives the levels above a project a limit. */
async function limitAbove(at: Awaited<ReturnType<typeof openShared>>["at"], code: string): Promise<void> {
  const limit = { quota: "cores", limit: 10_000, client_id: "", resource_id: "" };
  for (const reseller of ["", "acme"]) await at(code, "POST /quota", { ...limit, reseller });
}

describe.each(stores)("regions that share a Keystone: %s", (_name, open) => {
  it("have the same projects for a tenant's user; another region has none of them", async () => {
    const { make, listedIn } = await openShared(await open());
    const id = await make("shop");
    expect(await listedIn("eu-1")).toEqual([id]);
    expect(await listedIn("eu-2")).toEqual([id]);
    expect(await listedIn("us-1")).toEqual([]);
  });

  it("limit a project of the other one, which the third does not know as a tenant's", async () => {
    const { make, at } = await openShared(await open());
    const limit = { quota: "cores", limit: 4, reseller: "acme", client_id: "", resource_id: await make("shop") };
    await limitAbove(at, "eu-2");
    expect((await at("eu-2", "POST /quota", limit)).status).toBe(200);
    expect((await at("us-1", "POST /quota", limit)).status).toBe(404);
  });

  it("delete a project in either, once neither has something of it, with its limits in both", async () => {
    const { make, at, objects, store, answerOf } = await openShared(await open());
    const id = await make("shop");
    const limit = { quota: "cores", limit: 4, reseller: "acme", client_id: "" };
    for (const code of ["eu-1", "eu-2"]) {
      await limitAbove(at, code);
      expect((await at(code, "POST /quota", { ...limit, resource_id: id })).status).toBe(200);
    }
    await objects.makeBucket({ name: "logs", project_id: id, isVersioned: false });
    const refused = at("eu-2", `DELETE /iaas/project/${id}`);
    expect(await answerOf<object>(refused)).toMatchObject({
      error: { code: "conflict", message: expect.stringMatching(/buckets.*eu-1|eu-1.*buckets/s) },
    });
    await objects.removeBucket("logs");
    expect((await at("eu-2", `DELETE /iaas/project/${id}`)).status).toBe(204);
    expect(await store.records.count("cloud_project")).toBe(0);
    const limits = await readAll(store.records, "quota");
    expect(limits.filter(({ resource_id }) => resource_id === id)).toEqual([]);
  });
});

it("what is left in another region than the one that was asked is named with its region", () => {
  const left = { kind: "buckets", id: "logs", name: null, reason: null };
  expect(countByKind([{ ...left, region: "eu-2" }], "eu-1")).toBe("1 buckets in eu-2 (logs)");
  expect(countByKind([{ ...left, region: "eu-1" }], "eu-1")).toBe("1 buckets (logs)");
});
