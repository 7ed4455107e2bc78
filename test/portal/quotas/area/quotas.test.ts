import { describe, expect, it } from "vitest";
import { GatewayError } from "../../../../src/engine/errors.ts";
import type { Store } from "../../../../src/engine/ports/store.ts";
import { allPermissions } from "../../../../src/portal/permissions.ts";
import { profilesArea } from "../../../../src/portal/profiles/area.ts";
import { quotasArea } from "../../../../src/portal/quotas/area.ts";
import type { Regions } from "../../../../src/portal/regions.ts";
import type { TenantScope } from "../../../../src/portal/tenancy/tenant-scope.ts";
import { fakeClock } from "../../../../src/testing/clock.ts";
import { callAt, forTurns, noon, stores } from "../../support/rig.ts";

const reseller = { reseller: "acme" };
const client = { reseller: "acme", client_id: "c-1" };

/** What each project uses, as the region's back end says. */
function rig({ records }: Store, used: Record<string, Record<string, number>> = {}) {
  const asked: string[] = [];
  const regions: Regions = {
    "eu-1": {
      quotas: {
        async used(resource) {
          asked.push(resource);
          const found = used[resource];
          if (!found) throw new GatewayError("not_found", "There is no such project.");
          return found;
        },
        async set() {},
      },
    },
    "eu-2": {},
  };
  const area = quotasArea({ records, regions, clock: fakeClock({ startAt: noon }) });
  const at = (scope: TenantScope, region = "eu-1") => {
    const caller = { user: { id: "usr_rig", username: "rig" }, scope, permissions: allPermissions, token_id: null };
    return callAt(records, scope, { region, caller });
  };
  const set = async (by: TenantScope, [name = "", id = "", resource = ""]: string[], limit: number) =>
    area.set?.({ quota: "cores", limit, reseller: name, client_id: id, resource_id: resource }, at(by));
  const limits = async (by: TenantScope, region?: string) => {
    const { cores = [] } = (await area.list?.({}, at(by, region))) ?? {};
    const rows = cores as { reseller: string; client_id: string; resource_id: string; limit: number; used: number }[];
    const shown = rows.map((row) => [row.reseller, row.client_id, row.resource_id, row.limit, row.used]);
    return shown.sort((one, other) => (one.join("/") < other.join("/") ? -1 : 1)); // they were made at the same instant
  };
  return { area, at, set, limits, asked, records };
}

async function addProject(
  { records }: Store,
  id: string,
  { region = "eu-1", ...scope }: TenantScope & { region?: string },
) {
  const created_at = new Date(noon).toISOString();
  const { reseller: name = null, client_id = null } = scope;
  const record = { id, created_at, updated_at: created_at, reseller: name, client_id, user_id: null, region };
  await records.put("cloud_project", record, 0);
}

const exceeded = { code: "quota_exceeded", param: "limit" };
const conflict = { code: "conflict" };

describe.each(stores)("quotas: %s", (_name, open) => {
  it("limits are given down the tree: provider, reseller, client, resource", async () => {
    const { set, limits } = rig(await open());
    await set({}, [], 100);
    await set({}, ["acme"], 60);
    expect(await set(reseller, ["acme", "c-1"], 40)).toEqual({
      ...{ quota: "cores", reseller: "acme", client_id: "c-1", resource_id: "", limit: 40, used: 0 },
    });
    await set(client, ["acme", "c-1", "p-1"], 30);
    const below = [
      ["acme", "c-1", "", 40, 0],
      ["acme", "c-1", "p-1", 30, 0],
    ];
    expect(await limits({})).toEqual([["", "", "", 100, 0], ["acme", "", "", 60, 0], ...below]);
    expect(await limits(client)).toEqual(below);
    expect(await limits({ reseller: "other" })).toEqual([]);
    expect(await limits({}, "eu-2")).toEqual([]);
  });

  it("those of one level never add up beyond the level above", async () => {
    const { set, limits } = rig(await open());
    await set({}, ["acme"], 60);
    await set(reseller, ["acme", "c-1"], 40);
    await expect(async () => set(reseller, ["acme", "c-2"], 21)).rejects.toMatchObject(exceeded);
    await set(reseller, ["acme", "c-2"], 20);
    await expect(async () => set(reseller, ["acme", "c-1"], 41)).rejects.toMatchObject(exceeded);
    await expect(async () => set({}, ["acme"], 59)).rejects.toMatchObject(conflict);
    await set(reseller, ["acme", "c-1"], 10);
    await set(reseller, ["acme", "c-2"], 50);
    await set({}, ["acme"], 70);
    expect((await limits(reseller)).map((row) => row[3])).toEqual([70, 10, 50]);
  });

  it("nothing can be given of what has no limit, but at the top, where a later limit holds what was given", async () => {
    const { set } = rig(await open());
    await expect(async () => set(reseller, ["acme", "c-1"], 1)).rejects.toMatchObject(conflict);
    await set({}, ["acme"], 60);
    await set({}, ["other"], 50);
    await expect(async () => set({}, [], 109)).rejects.toMatchObject(conflict);
    await set({}, [], 110);
    await expect(async () => set({}, ["third"], 1)).rejects.toMatchObject(exceeded);
  });

  it("what the region's back end says is used counts for the resource and for all above it; no limit goes under it", async () => {
    const store = await open();
    await addProject(store, "p-1", client);
    await addProject(store, "p-2", client);
    await addProject(store, "p-3", { reseller: "acme", client_id: "c-2" });
    await addProject(store, "p-4", { ...client, region: "eu-2" });
    const used = { "p-1": { cores: 8, ram: 1 }, "p-2": { cores: 4 }, "p-3": { cores: 1 }, "p-4": { cores: 99 } };
    const { set, limits, asked } = rig(store, used);
    await set({}, ["acme"], 60);
    await set(reseller, ["acme", "c-1"], 40);
    await set(client, ["acme", "c-1", "p-1"], 10);
    await set(client, ["acme", "c-1", "p-later"], 10);
    asked.length = 0;
    expect(await limits(reseller)).toEqual([
      ["acme", "", "", 60, 13],
      ["acme", "c-1", "", 40, 12],
      ["acme", "c-1", "p-1", 10, 8],
      ["acme", "c-1", "p-later", 10, 0],
    ]);
    expect(asked.sort()).toEqual(["p-1", "p-2", "p-3", "p-later"]); // each once
    await expect(async () => set(client, ["acme", "c-1", "p-1"], 7)).rejects.toMatchObject(conflict);
    await expect(async () => set({}, ["acme"], 12)).rejects.toMatchObject(conflict);
    await set(client, ["acme", "c-1", "p-1"], 8);
  });

  it("names that every object has, such as `constructor`, are names of quotas like any other", async () => {
    const store = await open();
    await addProject(store, "p-1", client);
    const { area, at } = rig(store, { "p-1": {} });
    const names = ["constructor", "toString", "hasOwnProperty"];
    for (const quota of names) {
      const input = { quota, limit: 5, reseller: "", client_id: "", resource_id: "" };
      expect(await area.set?.(input, at({}))).toMatchObject({ quota, limit: 5, used: 0 });
      expect(await area.list?.({}, at({}))).toMatchObject({ [quota]: [{ limit: 5, used: 0 }] });
    }
    expect(Object.keys((await area.list?.({}, at({}))) ?? {}).sort()).toEqual([...names].sort());
  });

  it("the limit of a resource is its own tenant's: another tenant's is not there, another region's neither", async () => {
    const store = await open();
    await addProject(store, "p-1", client);
    await addProject(store, "p-2", { reseller: "acme", client_id: "c-2" });
    await addProject(store, "p-3", { ...client, region: "eu-2" });
    const { set, limits } = rig(store, { "p-1": {}, "p-2": {} });
    await set({}, ["acme"], 60);
    await set(reseller, ["acme", "c-1"], 40);
    await set(client, ["acme", "c-1", "p-1"], 10);
    const notThere = { code: "not_found" };
    await expect(async () => set(client, ["acme", "c-1", "p-2"], 1)).rejects.toMatchObject(notThere);
    await expect(async () => set(client, ["acme", "c-1", "p-3"], 1)).rejects.toMatchObject(notThere);
    await expect(async () => set(reseller, ["acme", "c-1", "p-2"], 1)).rejects.toMatchObject({ param: "client_id" });
    await expect(async () => set(reseller, ["acme", "", "p-1"], 1)).rejects.toMatchObject({ param: "client_id" });
    expect((await limits(client)).map((row) => row[2])).toEqual(["", "p-1"]);
  });

  it("infrastructure projects are counted in the region that the limit is for", async () => {
    const store = await open();
    const { area, at } = rig(store);
    await addProject(store, "p-1", client);
    await addProject(store, "p-2", { ...client, region: "eu-2" });
    const input = { quota: "projects", limit: 1, reseller: "acme", client_id: "", resource_id: "" };
    for (const region of ["eu-1", "eu-2"])
      expect(await area.set?.(input, at({}, region))).toMatchObject({ limit: 1, used: 1 });
  });

  it("what the portal keeps itself is counted by its records", async () => {
    const store = await open();
    const { area, at } = rig(store);
    await addProject(store, "p-1", client);
    await addProject(store, "p-2", { reseller: "acme" });
    const set = async (quota: string, limit: number) =>
      area.set?.({ quota, limit, reseller: "acme", client_id: "", resource_id: "" }, at({}));
    await expect(async () => set("projects", 1)).rejects.toMatchObject(conflict);
    expect(await set("projects", 2)).toMatchObject({ used: 2 });
    expect(await set("users", 0)).toMatchObject({ used: 0 });
  });

  it("an increase adds to what there is, as far as the level above goes", async () => {
    const { area, at, set } = rig(await open());
    await set({}, ["acme"], 60);
    await set(reseller, ["acme", "c-1"], 40);
    const increase = async (by: number, id = "c-1") =>
      area.increase?.({ quota: "cores", increase: by, reseller: "acme", client_id: id, resource_id: "" }, at(reseller));
    expect(await increase(20)).toEqual({ reseller: "acme", client_id: "c-1", resource_id: "", limit: 60, used: 0 });
    await expect(async () => increase(1)).rejects.toMatchObject(exceeded);
    await expect(async () => increase(1, "c-2")).rejects.toMatchObject({ code: "not_found" });
  });

  it("increases at the same time all count, and none passes the level above", async () => {
    const { area, at, set, limits } = rig(await open());
    await set({}, ["acme"], 60);
    await set(reseller, ["acme", "c-1"], 0);
    const input = { quota: "cores", increase: 7, reseller: "acme", client_id: "c-1", resource_id: "" };
    const all = await Promise.allSettled(Array.from({ length: 12 }, async () => area.increase?.(input, at(reseller))));
    expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(8);
    expect((await limits(client))[0]?.[3]).toBe(56);
  });

  it("the limit of one's own level is set by those above; a foreign one is not there", async () => {
    const { set } = rig(await open());
    await set({}, ["acme"], 60);
    await expect(async () => set(reseller, ["acme"], 61)).rejects.toMatchObject({ code: "permission_denied" });
    await expect(async () => set(client, ["acme"], 1)).rejects.toMatchObject({ code: "not_found" });
    await expect(async () => set(reseller, ["other"], 1)).rejects.toMatchObject({ code: "not_found" });
    await expect(async () => set(reseller, [], 1)).rejects.toMatchObject({ code: "not_found" });
    await expect(async () => set({}, ["", "c-1"], 1)).rejects.toMatchObject({ param: "reseller" });
  });

  it("a quota profile sets all its limits or none", async () => {
    const store = await open();
    const { area, at, set, limits } = rig(store);
    let count = 0;
    const profiles = profilesArea({ ...forTurns(), newId: (prefix: string) => `${prefix}_${++count}` } as never); // it needs no other tool
    const limit = (name: string, amount: number) => ({ name, enabled: true, limit: amount });
    const make = async (name: string, entries: ReturnType<typeof limit>[]) =>
      (await profiles.create?.({ name, profile_type: "quota", entries }, at({})))?.id ?? "";
    const small = await make("Small", [limit("cores", 4), limit("ram", 8)]);
    await make("Large", [limit("cores", 40), limit("ram", 80)]);
    const ramOf = async (amount: number) =>
      area.set?.({ quota: "ram", limit: amount, reseller: "acme", client_id: "", resource_id: "" }, at({}));
    await set({}, ["acme"], 60);
    await ramOf(10);
    const apply = async (profile_id: string, by: TenantScope, scope: object) =>
      area.applyProfile?.({ profile_id, ...scope }, at(by));
    await apply(small, reseller, { client_id: "c-1" });
    await expect(async () => apply("Large", reseller, { client_id: "c-1" })).rejects.toMatchObject(exceeded);
    await expect(async () => apply("Large", reseller, { client_id: "c-2" })).rejects.toMatchObject(exceeded);
    expect((await limits(reseller)).map((row) => row[3])).toEqual([60, 4]);
    expect(await set(reseller, ["acme", "c-2"], 56)).toMatchObject({ limit: 56 });
    expect(await area.profiles?.({}, at({ ...client, user_id: "u" }))).toEqual({
      my_quotas: { cores: { limit: 4, used: 0 }, ram: { limit: 8, used: 0 } },
      profiles: [
        expect.objectContaining({ name: "Small", type: "quota", quotas: { cores: 4, ram: 8 } }),
        expect.objectContaining({ name: "Large", quotas: { cores: 40, ram: 80 } }),
      ],
    });
    await expect(async () => apply(small, client, {})).rejects.toMatchObject({ code: "permission_denied" });
    await expect(async () => apply("none", reseller, { client_id: "c-1" })).rejects.toMatchObject({
      code: "not_found",
    });
  });
});
