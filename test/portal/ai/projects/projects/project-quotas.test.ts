import { describe, expect, it } from "vitest";
import { GatewayError } from "../../../../../src/engine/errors.ts";
import { allPermissions } from "../../../../../src/portal/permissions.ts";
import type { TenantScope } from "../../../../../src/portal/tenancy/tenant-scope.ts";
import { openLocal } from "../../../../clouds/support/local.ts";
import { openGateway } from "../../../support/gateway.ts";
import { makePlaces } from "../../../support/places.ts";
import { callAt, stores } from "../../../support/rig.ts";

const client = { reseller: "acme", client_id: "c-1" };
const exceeded = { code: "quota_exceeded", param: "limit" };
const withoutParent = { code: "conflict", message: /The level above has no limit for `cores`/ };

describe.each(stores)("limits of projects and of tenants are one tree: %s", (_name, open) => {
  async function rig() {
    const store = await open();
    const cloud = await openLocal({ records: store.records, quotaProfiles: { four: { cores: 4 } } });
    let refusal: GatewayError | undefined;
    const quotas = {
      ...cloud.quotas,
      async set(...args: Parameters<typeof cloud.quotas.set>) {
        if (refusal) throw refusal;
        await cloud.quotas.set(...args);
      },
    };
    const { portal } = await openGateway(store, { "eu-1": { iaas: cloud.iaas, quotas }, "eu-2": { iaas: {} } });
    await makePlaces(portal, client);
    const at = (scope: TenantScope, region = "eu-1") => {
      const user = { id: "usr_rig", username: "rig" };
      return portal.as({ user, scope, permissions: allPermissions, token_id: null }, { region });
    };
    const [provider, reseller, owner] = [at({}), at({ reseller: "acme" }), at(client)];
    const give = async (by: typeof provider, level: object, limit: number) =>
      by.quotas.set({ reseller: "acme", client_id: "", resource_id: "", ...level, quota: "cores", limit });
    const make = async (quota_profile: string, by = owner) =>
      String((await by.iaas.createProject({ name: `${quota_profile}-${++count}`, quota_profile })).project.id);
    let count = 0;
    const coresOf = async (id: string) => {
      return (await cloud.quotas.limits(id, callAt(store.records, {}))).cores;
    };
    const refuse = (error?: GatewayError) => {
      refusal = error;
    };
    return { provider, reseller, owner, at, give, make, coresOf, refuse };
  }

  it("a client cannot raise its own project over what it was given, by any operation", async () => {
    const { provider, reseller, owner, give, make, coresOf } = await rig();
    await give(provider, {}, 20);
    await give(reseller, { client_id: "c-1" }, 8);
    const id = await make("four");
    const tenant = { project_id: id, client: "c-1", reseller: "acme" };
    const resource = { ...client, resource_id: id, quota: "cores" };
    await expect(owner.iaas.setProjectQuota({ ...tenant, quota: "cores", limit: 9 })).rejects.toMatchObject(exceeded);
    await expect(owner.quotas.set({ ...resource, limit: 9 })).rejects.toMatchObject(exceeded);
    await expect(owner.quotas.increase({ ...resource, increase: 5 })).rejects.toMatchObject(exceeded);
    await expect(make("default")).rejects.toMatchObject(exceeded); // the cloud gives a new project 20
    expect(await owner.iaas.projects({})).toHaveLength(1);
    await owner.iaas.setProjectQuota({ ...tenant, quota: "cores", limit: 3 });
    expect(await coresOf(id)).toBe(3);
    await owner.quotas.set({ ...resource, limit: 8 });
    expect(await coresOf(id)).toBe(8);
    await expect(make("four")).rejects.toMatchObject(exceeded);
    await owner.iaas.deleteProject({ project_id: id });
    await make("four");
  });

  it("what a service refuses is not set anywhere", async () => {
    const { provider, reseller, owner, give, make, coresOf, refuse } = await rig();
    await give(provider, {}, 20);
    await give(reseller, { client_id: "c-1" }, 8);
    const id = await make("four");
    const before = await provider.quotas.list({});
    const resource = { ...client, resource_id: id };
    refuse(new GatewayError("backend_unreachable", "Nova is away."));
    for (const limit of [2, 6])
      await expect(owner.quotas.set({ ...resource, quota: "cores", limit })).rejects.toMatchObject({
        code: "backend_unreachable",
      });
    refuse();
    await expect(owner.quotas.set({ ...resource, quota: "hearts", limit: 1 })).rejects.toMatchObject(withoutHearts);
    expect(await provider.quotas.list({})).toEqual(before);
    expect(await coresOf(id)).toBe(4);
  });

  const withoutHearts = { code: "conflict", message: /The level above has no limit for `hearts`/ };

  it("the first limit of a level takes in the projects that are there", async () => {
    const { provider, reseller, owner, give, make } = await rig();
    const id = await make("default");
    await expect(give(provider, {}, 19)).rejects.toMatchObject({ code: "conflict", message: /may use 20 already/ });
    await give(provider, {}, 30);
    const rows = async () =>
      Object.values((await provider.quotas.list({})) as Record<string, { limit: number }[]>).flat();
    expect((await rows()).map(({ limit }) => limit).sort()).toEqual([20, 20, 30]); // the project, its client, the reseller
    await expect(give(reseller, { client_id: "c-1" }, 31)).rejects.toMatchObject(exceeded);
    await owner.quotas.set({ ...client, resource_id: id, quota: "cores", limit: 2 });
    await give(reseller, { client_id: "c-1" }, 2);
  });

  it("where nobody above has a limit, only the provider raises what a project has", async () => {
    const { provider, owner, make, coresOf } = await rig();
    const id = await make("default");
    const input = { project_id: id, client: "c-1", reseller: "acme", quota: "cores" };
    await expect(owner.iaas.setProjectQuota({ ...input, limit: 21 })).rejects.toMatchObject(withoutParent);
    const entries = [{ name: "cores", limit: 500 }];
    await owner.profiles.create({ name: "Mine", profile_type: "quota", entries });
    await expect(make("mine")).rejects.toMatchObject(withoutParent);
    await provider.profiles.create({ name: "Given", profile_type: "quota", entries });
    expect(await coresOf(await make("given"))).toBe(500);
    await provider.iaas.setProjectQuota({ ...input, limit: 21 });
    expect(await coresOf(id)).toBe(21);
  });

  it("a region that cannot set the limit of a resource says so", async () => {
    const { at } = await rig();
    const input = { reseller: "", client_id: "", resource_id: "p-1", quota: "cores", limit: 1 };
    await expect(at({}, "eu-2").quotas.set(input)).rejects.toMatchObject({ code: "not_implemented" });
    expect(await at({}, "eu-2").quotas.list({})).toEqual({});
  });
});
