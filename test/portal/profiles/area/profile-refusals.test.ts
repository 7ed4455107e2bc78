import { describe, expect, it } from "vitest";
import type { Records } from "../../../../src/engine/ports/records.ts";
import { hashUsername } from "../../../../src/portal/identity/user-scope.ts";
import { allPermissions } from "../../../../src/portal/permissions.ts";
import { profilesArea } from "../../../../src/portal/profiles/area.ts";
import type { TenantScope } from "../../../../src/portal/tenancy/tenant-scope.ts";
import { callAt, forTurns, noon, stores } from "../../support/rig.ts";

let count = 0;
const area = profilesArea({ ...forTurns(), newId: (prefix: string) => `${prefix}_${++count}` } as never); // an area of profiles needs no other tool
const client = { reseller: "acme", client_id: "c-1" };

function at(records: Records, scope: TenantScope) {
  const caller = { user: { id: "usr_rig", username: "rig" }, scope, permissions: allPermissions, token_id: null };
  return callAt(records, scope, { caller });
}

type Draft = Partial<Parameters<NonNullable<typeof area.create>>[0]>;

const draft = (parts: Draft) => ({ name: "x", profile_type: "permission" as const, ...parts });
const entry = (name: string, parts: object = {}) => [{ name, enabled: true, ...parts }];

describe.each(stores)("profiles refuse: %s", (_name, open) => {
  it.each([
    [draft({ entries: entry("no-such-permission") }), "entries.0.name"],
    [draft({ entries: [...entry("ai-get"), ...entry("ai-get")] }), "entries.1.name"],
    [draft({ entries: entry("ai-get", { limit: 1 }) }), "entries.0.limit"],
    [draft({ profile_type: "dashboard", entries: entry("nowhere") }), "entries.0.name"],
    [draft({ profile_type: "quota", entries: entry("cores") }), "entries.0.limit"],
    [draft({ profile_type: "profile", entries: entry("prf_nobody") }), "entries.0.name"],
    [draft({ parents_ids: ["prf_nobody"] }), "parents_ids.0"],
    [draft({ client_id: "c-1" }), "reseller_name"],
  ])("a draft that says %o, naming the field", async (given, param) => {
    const { records } = await open();
    const create = async () => area.create?.(given, at(records, {}));
    await expect(create).rejects.toMatchObject({ code: "invalid_request", param });
    expect(await records.count("profile")).toBe(0);
  });

  it("a parent of another type, of another tenant, or of a tenant below", async () => {
    const { records } = await open();
    const provider = at(records, {});
    const make = async (parts: Draft) => (await area.create?.(draft(parts), provider))?.id ?? "";
    const board = await make({ name: "board", profile_type: "dashboard" });
    const foreign = await make({ name: "foreign", reseller_name: "other" });
    const own = { reseller_name: "acme", client_id: "c-1" };
    for (const parent of [board, foreign]) {
      const create = async () => make({ name: "child", ...own, parents_ids: [parent] });
      await expect(create).rejects.toMatchObject({ code: "invalid_request", param: "parents_ids.0" });
    }
    const below = await make({ name: "below", ...own });
    const create = async () => make({ name: "above", parents_ids: [below] });
    await expect(create).rejects.toMatchObject({ code: "invalid_request", param: "parents_ids.0" });
  });

  it("a name that the scope has already, whatever the case; another scope may have it", async () => {
    const { records } = await open();
    await area.create?.(draft({ name: "Team" }), at(records, client));
    const again = async () => area.create?.(draft({ name: "TEAM" }), at(records, client));
    await expect(again).rejects.toMatchObject({ code: "conflict" });
    await area.create?.(draft({ name: "Team" }), at(records, { reseller: "acme" }));
    const ask = async (scope: TenantScope) => area.permissions?.({ name: "team" }, at(records, scope));
    expect(await ask(client)).toEqual([]);
    await area.create?.(draft({ name: "Team" }), at(records, { reseller: "acme", client_id: "c-2" }));
    await area.delete?.({ profile_id: await idOf(records, { reseller: "acme" }) }, at(records, {}));
    await expect(async () => ask({})).rejects.toMatchObject({ code: "conflict" });
  });

  it("to delete what somebody has or builds on", async () => {
    const { records } = await open();
    const call = at(records, client);
    const parent = (await area.create?.(draft({ name: "parent" }), call))?.id ?? "";
    const child = (await area.create?.(draft({ name: "child", parents_ids: [parent] }), call))?.id ?? "";
    const drop = (profile_id: string) => async () => area.delete?.({ profile_id }, call);
    await expect(drop(parent)).rejects.toMatchObject({ code: "conflict" });
    const named = { entity: "client", client_id: "c-1", reseller_name: "acme", profile_type: "permission" } as const;
    await area.assign?.({ ...named, profile_id: child }, call);
    await expect(drop(child)).rejects.toMatchObject({ code: "conflict" });
    await area.unassign?.({ ...named, profile_id: child }, call);
    await drop(child)();
    await drop(parent)();
    await expect(drop(parent)).rejects.toMatchObject({ code: "not_found" });
  });

  it("profiles of a user's own scope", async () => {
    const { records } = await open();
    const create = async () => area.create?.(draft({}), at(records, { ...client, user_id: "u" }));
    await expect(create).rejects.toMatchObject({ code: "permission_denied" });
  });

  it("an entity that is not there, not in scope, or not of the scope that is named", async () => {
    const { records } = await open();
    const created_at = new Date(noon).toISOString();
    const user = { id: "usr_1", user_id: "usr_1", username: "ann", hash: hashUsername("ann"), level: "user" } as const;
    await records.put("user", { ...user, created_at, ...client, enabled: true, roles: [] }, 0);
    const call = at(records, { reseller: "acme" });
    const profile_id = (await area.create?.(draft({}), call))?.id ?? "";
    const assign = (entity: string, reseller_name: string, client_id: string) => async () =>
      area.assign?.({ entity, reseller_name, client_id, profile_id, profile_type: "permission" }, call);
    await expect(assign("nobody", "acme", "c-1")).rejects.toMatchObject({ code: "not_found" });
    await expect(assign("provider", "", "")).rejects.toMatchObject({ code: "not_found" });
    await expect(assign("client", "other", "c-1")).rejects.toMatchObject({ code: "not_found" });
    await expect(assign("ann", "acme", "c-2")).rejects.toMatchObject({ code: "invalid_request", param: "entity" });
    await expect(assign("client", "acme", "")).rejects.toMatchObject({ code: "invalid_request", param: "entity" });
    await expect(assign("ann", "", "c-1")).rejects.toMatchObject({ code: "invalid_request", param: "reseller_name" });
    await assign("ann", "acme", "c-1")();
    const type = async () => area.assign?.({ entity: "ann", ...named, profile_id, profile_type: "dashboard" }, call);
    await expect(type).rejects.toMatchObject({ code: "invalid_request", param: "profile_type" });
  });

  it("to give a profile of one tenant to another's", async () => {
    const { records } = await open();
    const provider = at(records, {});
    const profile_id = (await area.create?.(draft({ reseller_name: "acme" }), provider))?.id ?? "";
    const given = {
      entity: "reseller",
      client_id: "",
      reseller_name: "other",
      profile_type: "permission",
      profile_id,
    } as const;
    const assign = async () => area.assign?.(given, provider);
    await expect(assign).rejects.toMatchObject({ code: "invalid_request", param: "profile_id" });
  });
});

const named = { reseller_name: "acme", client_id: "c-1" };

async function idOf(records: Records, scope: TenantScope): Promise<string> {
  const page = await records.list("profile", { limit: 100 });
  const found = page.records.find(
    ({ record }) => record.reseller === scope.reseller && record.client_id === (scope.client_id ?? null),
  );
  return found?.record.id ?? "";
}
