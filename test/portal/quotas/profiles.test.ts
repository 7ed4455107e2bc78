import { describe, expect, it } from "vitest";
import type { Records } from "../../../src/engine/ports/records.ts";
import type { StoredUser } from "../../../src/operations/records/users.ts";
import { hashUsername } from "../../../src/portal/identity/user-scope.ts";
import { allPermissions } from "../../../src/portal/permissions.ts";
import { profilesArea } from "../../../src/portal/profiles/area.ts";
import { profileGrants } from "../../../src/portal/profiles/grants.ts";
import type { TenantScope } from "../../../src/portal/tenancy/tenant-scope.ts";
import { callAt, forTurns, noon, stores } from "../support/rig.ts";

let count = 0;
const area = profilesArea({ ...forTurns(), newId: (prefix: string) => `${prefix}_${++count}` } as never); // an area of profiles needs no other tool

const client = { reseller: "acme", client_id: "c-1" };

/** A caller at a place, with some permissions; all unless given. */
function at(records: Records, place: TenantScope, permissions: Iterable<string> = allPermissions) {
  const user = { id: "usr_rig", username: "rig" };
  return callAt(records, place, {
    caller: { user, scope: place, permissions: new Set(permissions), token_id: "tok_rig" },
  });
}

type Call = ReturnType<typeof at>;
type Draft = Partial<Parameters<NonNullable<typeof area.create>>[0]>;

async function make(call: Call, name: string, draft: Draft = {}): Promise<string> {
  const made = await area.create?.({ name, profile_type: "permission", ...draft }, call);
  return made?.id ?? "";
}

const on = (...names: string[]) => names.map((name) => ({ name, enabled: true }));
const off = (...names: string[]) => names.map((name) => ({ name, enabled: false }));

async function enabled(call: Call, name: string): Promise<string[]> {
  const entries = (await area.permissions?.({ name }, call)) ?? [];
  return entries.filter((entry) => entry.enabled).map((entry) => entry.name);
}

async function addUser(records: Records, id: string, place: TenantScope): Promise<StoredUser> {
  const { reseller = null, client_id = null } = place;
  const user: StoredUser = {
    ...{ id, user_id: id, username: id, hash: hashUsername(id), enabled: true, roles: [], reseller, client_id },
    created_at: new Date(noon).toISOString(),
    level: client_id ? "user" : reseller ? "reseller" : "provider",
  };
  await records.put("user", user, 0);
  return user;
}

describe.each(stores)("profiles: %s", (_name, open) => {
  it("a child has its own, and what its inheritable parents have, without what it disables", async () => {
    const { records } = await open();
    const call = at(records, client);
    const parent = await make(call, "Reader", { entries: on("ai-get", "backups-get", "quota-get") });
    const secret = await make(call, "Secret", { inheritable: false, entries: on("keypair-get") });
    await make(call, "Operator", {
      parents_ids: [parent, secret],
      entries: [...on("ai-post"), ...off("quota-get")],
    });
    expect((await enabled(call, "Operator")).sort()).toEqual(["ai-get", "ai-post", "backups-get"]);
    expect(await area.permissions?.({ name: "operator" }, call)).toContainEqual({
      name: "quota-get",
      enabled: false,
      group: "quotas",
      description: "Read quotas by name",
    });
    await area.change?.({ profile_id: parent, entries: on("task-get") }, call);
    expect((await enabled(call, "Operator")).sort()).toEqual(["ai-post", "task-get"]);
  });

  it("a profile of profiles gives what each of them gives", async () => {
    const { records } = await open();
    const call = at(records, client);
    const one = await make(call, "One", { entries: on("ai-get") });
    const two = await make(call, "Two", { profile_type: "dashboard", entries: on("tasks") });
    await make(call, "Both", { profile_type: "profile", entries: on(one, two) });
    expect(await enabled(call, "Both")).toEqual(["ai-get"]);
    expect(await area.dashboards?.({ name: "Both" }, call)).toEqual([{ name: "tasks", enabled: true }]);
    expect(await area.profiles?.({ name: "Both" }, call)).toEqual([
      { name: "One", enabled: true, group: "permission" },
      { name: "Two", enabled: true, group: "dashboard" },
    ]);
  });

  it("no profile inherits or contains itself, on no way, and a refused change changes nothing", async () => {
    const { records } = await open();
    const call = at(records, client);
    const first = await make(call, "First");
    const second = await make(call, "Second", { parents_ids: [first] });
    const third = await make(call, "Third", { parents_ids: [second] });
    for (const parent of [first, second, third]) {
      const change = async () => area.change?.({ profile_id: first, parents_ids: [parent] }, call);
      await expect(change).rejects.toMatchObject({ code: "conflict" });
    }
    const group = await make(call, "Group", { profile_type: "profile" });
    const outer = await make(call, "Outer", { profile_type: "profile", entries: on(group) });
    const change = async () => area.change?.({ profile_id: group, entries: on(outer) }, call);
    await expect(change).rejects.toMatchObject({ code: "conflict" });
    expect((await records.get("profile", first))?.version).toBe(1);
    expect((await records.get("profile", group))?.version).toBe(1);
  });

  it("two changes at once do not close a cycle together", async () => {
    const { records } = await open();
    const call = at(records, client);
    const [one, two] = [await make(call, "One"), await make(call, "Two")];
    const both = await Promise.allSettled([
      area.change?.({ profile_id: one, parents_ids: [two] }, call),
      area.change?.({ profile_id: two, parents_ids: [one] }, call),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  });

  it("the tree shows children under each parent, and what is below them once", async () => {
    const { records } = await open();
    const call = at(records, client);
    const left = await make(call, "Left");
    const right = await make(call, "Right");
    const child = await make(call, "Child", { parents_ids: [left, right] });
    await make(call, "Grandchild", { parents_ids: [child] });
    const short = (nodes: unknown): unknown =>
      (nodes as { name: string; expanded: boolean; children: unknown[] }[]).map(({ name, expanded, children }) =>
        children.length > 0 ? [name, expanded, short(children)] : [name, expanded],
      );
    expect(short(await area.tree?.({}, call))).toEqual([
      ["Left", true, [["Child", true, [["Grandchild", true]]]]],
      ["Right", true, [["Child", false]]],
    ]);
  });

  it("POST adds, PATCH replaces those of the type, DELETE takes one away", async () => {
    const { records } = await open();
    const call = at(records, client);
    const user = await addUser(records, "usr_1", client);
    const ids = await Promise.all(
      ["ai-get", "ai-post", "task-get"].map((permission) => make(call, permission, { entries: on(permission) })),
    );
    const dashboard = await make(call, "board", { profile_type: "dashboard", entries: on("tasks") });
    const entity = { entity: "usr_1", client_id: "c-1", reseller_name: "acme" };
    const named = { ...entity, profile_type: "permission" } as const;
    const granted = async () => [...(await profileGrants(user, records))].sort();
    const [first = "", second = "", third = ""] = ids;
    await area.assign?.({ ...named, profile_id: first }, call);
    await area.assign?.({ ...named, profile_id: second }, call);
    await area.assign?.({ ...named, profile_id: second }, call);
    await area.assign?.({ ...entity, profile_type: "dashboard", profile_id: dashboard }, call);
    expect(await granted()).toEqual(["ai-get", "ai-post"]);
    await area.reassign?.({ ...named, profile_ids: [second, third] }, call);
    expect(await granted()).toEqual(["ai-post", "task-get"]);
    await area.unassign?.({ ...named, profile_id: "ai-post" }, call);
    expect(await granted()).toEqual(["task-get"]);
    const again = async () => area.unassign?.({ ...named, profile_id: second }, call);
    await expect(again).rejects.toMatchObject({ code: "not_found" });
    await area.reassign?.({ ...named, profile_ids: [] }, call);
    expect(await granted()).toEqual([]);
    expect(await records.count("profile_assignment")).toBe(1);
  });

  it("what a level has holds for those who stand there, and below it only if it is inheritable", async () => {
    const { records } = await open();
    const call = at(records, { reseller: "acme" });
    const above = await addUser(records, "usr_r", { reseller: "acme" });
    const below = await addUser(records, "usr_c", client);
    const own = await make(call, "own", { inheritable: false, entries: on("ai-get") });
    const all = await make(call, "all", { entries: on("task-get") });
    const named = { entity: "acme", client_id: "", reseller_name: "acme", profile_type: "permission" } as const;
    await area.assign?.({ ...named, profile_id: own }, call);
    await area.assign?.({ ...named, entity: "reseller", profile_id: all }, call);
    expect([...(await profileGrants(above, records))].sort()).toEqual(["ai-get", "task-get"]);
    expect([...(await profileGrants(below, records))]).toEqual(["task-get"]);
  });

  it("nobody makes, changes or gives what it does not have", async () => {
    const { records } = await open();
    const all = at(records, client);
    await addUser(records, "usr_1", client);
    const strong = await make(all, "strong", { entries: on("ai-post") });
    const plain = await make(all, "plain", { parents_ids: [strong], entries: off("ai-post") });
    const weak = at(records, client, ["ai-get"]);
    const denied = { code: "permission_denied", param: "ai-post" };
    const named = { entity: "usr_1", client_id: "c-1", reseller_name: "acme", profile_type: "permission" } as const;
    await expect(async () => make(weak, "mine", { entries: on("ai-post") })).rejects.toMatchObject(denied);
    await expect(async () => make(weak, "heir", { parents_ids: [strong] })).rejects.toMatchObject(denied);
    await expect(async () => area.change?.({ profile_id: plain, entries: [] }, weak)).rejects.toMatchObject(denied);
    await expect(async () => area.assign?.({ ...named, profile_id: strong }, weak)).rejects.toMatchObject(denied);
    await expect(async () => area.reassign?.({ ...named, profile_ids: [strong] }, weak)).rejects.toMatchObject(denied);
    await area.change?.({ profile_id: strong, entries: on("ai-get") }, weak);
    await area.assign?.({ ...named, profile_id: strong }, weak);
  });

  it("to make a profile inheritable is to pass on all of it", async () => {
    const { records } = await open();
    const all = at(records, client);
    const id = await make(all, "closed", { inheritable: false, entries: on("ai-post") });
    const open_ = async () => area.change?.({ profile_id: id, inheritable: true }, at(records, client, ["ai-get"]));
    await expect(open_).rejects.toMatchObject({ code: "permission_denied", param: "ai-post" });
  });

  it("lists hold what is of the caller's place and below, and what is inheritable above it", async () => {
    const { records } = await open();
    const provider = at(records, {});
    await make(provider, "everybody's");
    await make(provider, "the provider's", { inheritable: false });
    await make(provider, "of c-1", { reseller_name: "acme", client_id: "c-1", description: "one client's" });
    await make(provider, "of c-2", { reseller_name: "acme", client_id: "c-2" });
    const names = async (place: TenantScope) =>
      ((await area.list?.({}, at(records, place))) ?? []).map(({ name }) => name);
    expect(await names({})).toEqual(["everybody's", "the provider's", "of c-1", "of c-2"]);
    expect(await names(client)).toEqual(["everybody's", "of c-1"]);
    expect(await names({ reseller: "other" })).toEqual(["everybody's"]);
    expect((await area.list?.({ profile_type: "permission" }, at(records, client)))?.at(-1)).toMatchObject({
      client: "c-1",
      reseller: "acme",
      description: "one client's",
    });
    expect(await area.list?.({ profile_type: "quota" }, provider)).toEqual([]);
  });
});
