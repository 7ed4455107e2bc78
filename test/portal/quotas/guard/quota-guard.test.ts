import { describe, expect, it } from "vitest";
import type { Store } from "../../../../src/engine/ports/store.ts";
import { type Gateway, openGateway } from "../../support/gateway.ts";
import { makePlaces } from "../../support/places.ts";
import { stores } from "../../support/rig.ts";

async function openLimited(
  store: Store,
): Promise<Gateway & { set(quota: string, level: object, limit: number): Promise<number> }> {
  const gateway = await openGateway(store);
  return {
    ...gateway,
    async set(quota, level, limit) {
      const body = { quota, limit, reseller: "", client_id: "", resource_id: "", ...level };
      return (await gateway.ask({ method: "POST", path: "/quota", body })).status;
    },
  };
}

const acme = { reseller: "acme" };
const addUser = async (gateway: Gateway, username: string, place: object = {}) => {
  await makePlaces(gateway.portal, place);
  return gateway.ask({ method: "POST", path: "/users", body: { username, ...place } });
};

const exceeded = (quota: string) => ({ status: 403, body: { error: { type: "quota_exceeded", param: quota } } });

describe.each(stores)("quotas of what the portal keeps hold: %s", (_name, open) => {
  it("what would pass the limit of its place or of a level above is refused, and nothing is made", async () => {
    const store = await open();
    const gateway = await openLimited(store);
    expect(await gateway.set("users", acme, 2)).toBe(200);
    expect(await gateway.set("users", { ...acme, client_id: "c-1" }, 1)).toBe(200);
    expect(await addUser(gateway, "one", { ...acme, client_id: "c-1" })).toMatchObject({ status: 200 });
    expect(await addUser(gateway, "two", { ...acme, client_id: "c-1" })).toMatchObject(exceeded("users"));
    expect(await addUser(gateway, "two", { ...acme, client_id: "c-2" })).toMatchObject({ status: 200 });
    expect(await addUser(gateway, "three", acme)).toMatchObject(exceeded("users"));
    expect(await addUser(gateway, "three", { reseller: "other" })).toMatchObject({ status: 200 });
    expect(await store.records.count("user", { reseller: "acme" })).toBe(2);
  });

  it("of many at once, as many are made as the limit allows", async () => {
    const store = await open();
    const gateway = await openLimited(store);
    await gateway.set("users", acme, 3);
    const all = await Promise.all(Array.from({ length: 8 }, (_, count) => addUser(gateway, `user-${count}`, acme)));
    expect(all.filter(({ status }) => status === 200)).toHaveLength(3);
    expect(await store.records.count("user", { reseller: "acme" })).toBe(3);
  });

  it("tokens count where their user lies, profiles where they are made for, AI projects at the caller's place", async () => {
    const gateway = await openLimited(await open());
    const { body } = await addUser(gateway, "ann", { ...acme, client_id: "c-1" });
    const path = `/users/${(body as { id: string }).id}/tokens`;
    const token = () => gateway.ask({ method: "POST", path, body: { name: "t" } });
    const profile = (name: string) =>
      gateway.ask({
        method: "POST",
        path: "/profiles",
        body: { name, profile_type: "permission", reseller_name: "acme" },
      });
    const project = (name: string) =>
      gateway.ask({ method: "POST", path: "/ai/projects", body: { name, description: "", tier: "none" } });
    for (const quota of ["tokens", "profiles"]) expect(await gateway.set(quota, acme, 1)).toBe(200);
    expect(await gateway.set("ai_projects", {}, 0)).toBe(200);
    expect((await token()).status).toBe(200);
    expect(await token()).toMatchObject(exceeded("tokens"));
    expect((await profile("one")).status).toBe(200);
    expect(await profile("two")).toMatchObject(exceeded("profiles"));
    expect(await project("one")).toMatchObject(exceeded("ai_projects"));
  });

  it("a key that moves to a client counts there from then on, and does not move where all are in use", async () => {
    const gateway = await openLimited(await open());
    const { ask } = gateway;
    const { body: user } = await addUser(gateway, "ann", {
      ...acme,
      client_id: "c-1",
      level: "client",
      roles: ["role_administrator"],
    });
    const path = `/users/${(user as { id: string }).id}/tokens`;
    const { body: token } = await ask({ method: "POST", path, body: { name: "t", permissions: ["*"] } });
    const headers = { "auth-token": (token as { value: string }).value };
    const made = async (what: string, asked: object, by = {}) => {
      const { body } = await ask({
        method: "POST",
        path: what,
        headers: by,
        body: { description: "", tier: "standard", ...asked },
      });
      return ([body].flat()[0] as { id: string }).id;
    };
    const project_id = await made("/ai/projects", { name: "p" }, headers);
    const keys = [];
    for (const name of ["one", "two"]) keys.push(await made("/ai/keys", { name, user_bound: false }));
    expect(await gateway.set("ai_keys", acme, 2)).toBe(200);
    expect(await gateway.set("ai_keys", { ...acme, client_id: "c-1" }, 1)).toBe(200);
    const move = (id = "") => ask({ method: "PATCH", path: `/ai/keys/${id}/assignments`, body: { project_id } });
    expect(await move(keys[0])).toMatchObject({ status: 204 });
    expect(await move(keys[0])).toMatchObject({ status: 204 });
    expect(await move(keys[1])).toMatchObject(exceeded("ai_keys"));
    expect(await gateway.set("ai_keys", { ...acme, client_id: "c-1" }, 2)).toBe(200);
    expect(await move(keys[1])).toMatchObject({ status: 204 });
  });

  it("a limit of another region limits nothing here", async () => {
    const store = await open();
    const gateway = await openGateway(store, { "eu-1": {}, "eu-2": {} });
    const body = { quota: "users", limit: 0, reseller: "acme", client_id: "", resource_id: "" };
    await gateway.ask({ method: "POST", path: "/quota", headers: { region: "eu-2" }, body });
    expect(await addUser(gateway, "one", acme)).toMatchObject({ status: 200 });
  });
});
