import { describe, expect, it } from "vitest";
import { allPermissions } from "../../../src/portal/permissions.ts";
import type { TenantScope } from "../../../src/portal/tenancy/tenant-scope.ts";
import { openLocal } from "../../clouds/support/local.ts";
import { openGateway } from "../support/gateway.ts";
import { stores } from "../support/rig.ts";

const bakery: TenantScope = { reseller: "northwind", client_id: "bakery" };

describe.each(stores)("what a client is called: %s", (_name, open) => {
  /** A portal in which the customer that was made for a client was given a name, and a caller at any place. */
  async function openNamed() {
    const store = await open();
    const { iaas } = await openLocal({ records: store.records });
    const { portal } = await openGateway(store, { "eu-1": { iaas } });
    const at = (place: TenantScope) => {
      const user = { id: place.user_id ?? "usr_1", username: "somebody" };
      return portal.as({ user, scope: place, permissions: allPermissions, token_id: null }, { region: "eu-1" });
    };
    for (const place of [bakery, { reseller: "other", client_id: "bakery" }]) {
      await at(place).ai.createProject({ name: "first", description: "", tier: "standard" });
      await at(place).iaas.createProject({ name: `shop of ${place.reseller}`, quota_profile: "default" });
    }
    const { records } = await store.records.list("customer", { limit: 10 });
    const made = records.find(({ record }) => record.metadata.reseller === "northwind");
    if (made === undefined) return expect.unreachable();
    await store.records.put("customer", { ...made.record, name: "Bakery Ltd" }, made.version);
    return at;
  }

  it("its own callers, and those of its users, are told in their context", async () => {
    const at = await openNamed();
    const client = { id: "bakery", name: "Bakery Ltd" };
    expect(await at(bakery).context.get({})).toMatchObject({ client });
    expect(await at({ ...bakery, user_id: "usr_ann" }).context.get({})).toMatchObject({ client });
    expect((await at({ reseller: "northwind" }).context.get({})).client).toEqual({ id: null });
    expect((await at({ reseller: "northwind", client_id: "new" }).context.get({})).client).toEqual({ id: "new" });
  });

  it("stands on its projects, and on nobody's who has the same id elsewhere", async () => {
    const at = await openNamed();
    const projects = [...(await at({}).iaas.projects({}))].sort((one, other) => (one.name < other.name ? -1 : 1));
    expect(projects).toMatchObject([
      { name: "shop of northwind", client: "bakery", client_name: "Bakery Ltd", reseller: "northwind" },
      { name: "shop of other", client: "bakery", client_name: "bakery", reseller: "other" },
    ]);
  });
});
