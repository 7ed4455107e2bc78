import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { findVersions } from "../../../../scripts/dashboards.ts";
import type { Records } from "../../../../src/engine/ports/records.ts";
import { DashboardDefinition } from "../../../../src/operations/portal/console/dashboards.ts";
import { portalRows } from "../../../../src/operations/portal/table.ts";
import { contextArea } from "../../../../src/portal/context/area.ts";
import { dashboardPaths, dashboardRows } from "../../../../src/portal/dashboard-catalogue/catalogue.ts";
import { dashboardGroups } from "../../../../src/portal/dashboard-catalogue/row.ts";
import { dashboardVersions } from "../../../../src/portal/dashboard-catalogue/versions.ts";
import { dashboardsArea } from "../../../../src/portal/dashboards/area.ts";
import { defineDashboard } from "../../../../src/portal/dashboards/definition.ts";
import { toElement } from "../../../../src/portal/dashboards/elements.ts";
import { hashUsername } from "../../../../src/portal/identity/user-scope.ts";
import { allPermissions, permissionCatalogue } from "../../../../src/portal/permissions.ts";
import { profilesArea } from "../../../../src/portal/profiles/area.ts";
import type { Regions } from "../../../../src/portal/regions.ts";
import type { TenantScope } from "../../../../src/portal/tenancy/tenant-scope.ts";
import { openLocal } from "../../../clouds/support/local.ts";
import { callAt, forTurns, noon, stores } from "../../support/rig.ts";

const scope = { reseller: "acme", client_id: "c-1" };
const full = { iaas: {}, clusters: {}, objectstore: {}, backups: {} } as unknown as Regions[string]; // that it is there is enough
const regions: Regions = { "eu-1": full, bare: {} };

function at(records: Records, permissions: Iterable<string> = allPermissions, region = "eu-1") {
  const caller = { user: { id: "usr_1", username: "ann" }, scope, permissions: new Set(permissions), token_id: null };
  return callAt(records, scope, { caller, region });
}

/** The paths of a menu, in its order. */
async function menuOf(
  records: Records,
  ...given: [permissions?: Iterable<string>, region?: string]
): Promise<string[]> {
  const entries = (await dashboardsArea({ records, regions }).menu?.({}, at(records, ...given))) ?? [];
  return entries.flatMap(({ items }) => (items as { path: string }[]).map(({ path }) => path));
}

async function addAnn(records: Records, at_: TenantScope = scope): Promise<void> {
  const created_at = new Date(noon).toISOString();
  const { reseller = null, client_id = null } = at_;
  const ann = { id: "usr_1", user_id: "usr_1", username: "ann", hash: hashUsername("ann"), level: "user" } as const;
  await records.put("user", { ...ann, created_at, reseller, client_id, enabled: true, roles: [], email: "a@b.c" }, 0);
}

/** Gives everybody of the client a profile of dashboards. */
async function enable(records: Records, paths: readonly string[]): Promise<void> {
  const profiles = profilesArea({ ...forTurns(), newId: (prefix: string) => `${prefix}_1` } as never); // it needs no other tool
  const entries = paths.map((name) => ({ name, enabled: true }));
  const call = at(records);
  await profiles.create?.({ name: "boards", profile_type: "dashboard", entries }, call);
  const named = { entity: "client", client_id: "c-1", reseller_name: "acme", profile_type: "dashboard" } as const;
  await profiles.assign?.({ ...named, profile_id: "boards" }, call);
}

test("every operation of the portal stands on exactly one dashboard", () => {
  const shown = dashboardRows.flatMap(([, { elements }]) => [...elements]);
  const all = portalRows.map(({ area, name }) => `${area}.${name}`);
  expect(shown.sort()).toEqual(all.sort());
});

test("every parameter of a path is picked from the answer of an operation that reads", () => {
  for (const [path, { elements, picks = {} }] of dashboardRows) {
    const params = new Set(elements.flatMap((id) => toElement(id).path_params));
    expect({ [path]: Object.keys(picks).sort() }).toEqual({ [path]: [...params].sort() });
    for (const pick of Object.values(picks)) {
      const [id, field = ""] = pick.split("#");
      const { method, fields } = toElement(id as Parameters<typeof toElement>[0]);
      expect(method).toBe("GET");
      expect(fields.map(({ name }) => name)).toContain(field.split(".")[0]);
    }
  }
});

test("elements tell tables, things, forms and buttons apart, and what goes in and out", () => {
  const keys = toElement("ai.keys");
  expect(keys).toMatchObject({ kind: "table", method: "GET", path: "/ai/keys", permission: "ai-get", confirm: "none" });
  const field = (name: string, type: string, required: boolean) => expect.objectContaining({ name, type, required });
  expect(keys.fields).toContainEqual(field("is_active", "boolean", true));
  expect(toElement("ai.createKey")).toMatchObject({ kind: "form", confirm: "none", result: "once" });
  expect(toElement("ai.createKey").inputs).toContainEqual(field("name", "string", true));
  expect(toElement("ai.createKey").inputs).toContainEqual(field("user", "string", false));
  expect(toElement("ai.deleteKey")).toMatchObject({ kind: "action", confirm: "ask", path_params: ["key_id"] });
  expect(toElement("context.get")).toMatchObject({ kind: "details" });
});

test("a deletion is confirmed, what destroys data or machines by its name, and a reading never", () => {
  for (const { area, name, operation } of portalRows) {
    const element = toElement(`${area}.${name}` as Parameters<typeof toElement>[0]);
    if (operation.method === "DELETE") expect(element.confirm).not.toBe("none");
    if (operation.method === "GET") expect(element).toMatchObject({ confirm: "none", danger: false });
    else expect(element.result).not.toBe("download");
  }
  for (const id of ["clusters.deleteShoot", "tenants.delete", "backups.restore", "objectstore.deleteVersions"] as const)
    expect(toElement(id)).toMatchObject({ confirm: "type", danger: true });
});

test("fields say how they are shown: money, instants, durations, states, secrets, ids", () => {
  const formats = (id: Parameters<typeof toElement>[0]) =>
    Object.fromEntries(
      toElement(id).fields.map(({ name, format, unit }) => [name, unit ? `${format} ${unit}` : format]),
    );
  expect(formats("ai.requests")).toMatchObject({
    at: "instant",
    latency: "duration ms",
    event_id: "id",
    cost: "money",
  });
  expect(formats("clusters.adminKubeconfig")).toMatchObject({ kubeconfig: "secret", expirationTimestamp: "instant" });
  expect(formats("ai.keys")).toMatchObject({ is_active: "flag", budgets: "list", created_at: "instant" });
  expect(formats("backups.list")).toMatchObject({ state: "state", id: "id" });
});

test("a dashboard can be rendered alone: what it refers to is on it, or comes with the path to ask", () => {
  const all = new Set(allPermissions);
  const paths = new Map(portalRows.map(({ area, name, operation }) => [`${area}.${name}`, operation.path]));
  for (const dashboard of dashboardRows) {
    const { elements, path_params } = defineDashboard(dashboard, all);
    const own = new Set<string>(elements.map(({ id }) => id));
    for (const source of Object.values(path_params)) expect(source.path).toBe(paths.get(source.element));
    for (const { refreshes, inputs, method } of elements) {
      expect(refreshes.every((id) => own.has(id))).toBe(true);
      if (method === "GET") expect(refreshes).toEqual([]);
      const sources = inputs.flatMap(({ source }) => source ?? []);
      expect(sources.map(({ path }) => path)).toEqual(sources.map(({ element }) => paths.get(element)));
    }
    const inputs = new Set(elements.flatMap((element) => element.inputs.map(({ name }) => name)));
    for (const name of Object.keys(dashboard[1].choices ?? {})) expect(inputs).toContain(name);
  }
  const keys = dashboardRows.find(([path]) => path === "ai-keys");
  const create = keys && defineDashboard(keys, all).elements.find(({ id }) => id === "ai.createKey");
  const project = create?.inputs.find(({ name }) => name === "project_id");
  expect(project).toMatchObject({ format: "id:ai.projects", source: { value: "id", label: "name" } });
  const mine = keys && defineDashboard(keys, new Set(["ai-get", "ai-post"]));
  expect(JSON.stringify(mine)).not.toContain('"ai.projects"'); // it may not be asked
});

test("the version of a definition has grown since it last changed: `node scripts/dashboards.ts` raises it", () => {
  expect(dashboardVersions).toEqual(findVersions());
});

/** The area over what these operations of it read. */
const openContext = (parts: object) => contextArea(parts as Parameters<typeof contextArea>[0]);

describe.each(stores)("dashboards: %s", (_name, open) => {
  it("without a profile of dashboards the menu shows all that permissions allow, in the order of the groups", async () => {
    const { records } = await open();
    expect(await menuOf(records)).toEqual(dashboardRows.map(([path]) => path));
    expect(await menuOf(records, ["ai-get", "task-get"])).toEqual(["tasks", "ai-keys"]);
    const groups = await dashboardsArea({ records, regions }).menu?.({}, at(records));
    expect(groups?.map(({ label }) => label)).toEqual(Object.keys(dashboardGroups).map((name) => `menu.${name}`));
    expect(groups?.map(({ order }) => order)).toEqual(groups?.map(({ order }) => order).toSorted());
  });

  it("the menu shows exactly what profiles enable and permissions allow, and what it shows can be read", async () => {
    const accesses = permissionCatalogue.map(({ name }) => name);
    const shown = fc.asyncProperty(
      fc.subarray([...dashboardPaths]),
      fc.subarray(accesses),
      async (enabled, permissions) => {
        const { records } = await open();
        await enable(records, enabled);
        const allowed = dashboardRows.filter(
          ([path, { elements }]) => enabled.includes(path) && permissions.includes(toElement(elements[0]).permission),
        );
        const paths = allowed.map(([path]) => path as string);
        expect(await menuOf(records, permissions)).toEqual(paths);
        const area = dashboardsArea({ records, regions });
        for (const [path] of dashboardRows) {
          const read = async () => area.get?.({ dashboard_path: path }, at(records, permissions));
          if (!paths.includes(path)) {
            await expect(read).rejects.toMatchObject({ code: "not_found" });
            continue;
          }
          const { elements, schema } = DashboardDefinition.parse(await read());
          const asked = (elements as { id: string; permission: string }[]).map(({ permission }) => permission);
          expect(asked.every((permission) => permissions.includes(permission))).toBe(true);
          expect(Object.keys(schema)).toEqual((elements as { id: string }[]).map(({ id }) => id));
        }
      },
    );
    await fc.assert(shown, { numRuns: 10 });
  });

  it("what a region has no back end for is neither published nor on the menu", async () => {
    const { records } = await open();
    const bare = await menuOf(records, allPermissions, "bare");
    expect(bare.filter((path) => /^(?:iaas|cluster|backup|objectstore)/.test(path))).toEqual([]);
    const area = dashboardsArea({ records, regions });
    const catalogue = (await area.catalogue?.({}, at(records, [], "bare"))) ?? [];
    expect(catalogue.map(({ path }) => path)).toEqual(dashboardRows.map(([path]) => path));
    expect(catalogue.filter(({ published }) => published).map(({ path }) => path)).toEqual(bare);
    expect(catalogue.find(({ path }) => path === "ai-keys")).toEqual({
      ...{ path: "ai-keys", name: "dashboard.ai-keys", icon: "key", group: "menu.ai", groupicon: "sparkles" },
      ...{ access: "ai-get", navigable: true, published: true, region: null },
      ...{
        order: expect.stringMatching(/^\d{4}$/),
        schema: "/dashboard/ai-keys",
        version: expect.stringMatching(/^\d+$/),
      },
    });
  });

  it("a definition says of each parameter where it is picked, and of each element what goes in and out", async () => {
    const { records } = await open();
    const area = dashboardsArea({ records, regions });
    const { path_params, schema } = (await area.get?.({ dashboard_path: "ai-keys" }, at(records))) ?? {};
    expect(path_params).toEqual({
      key_id: { type: "string", element: "ai.keys", field: "id", path: "/ai/keys", label: "name" },
    });
    expect(schema).toMatchObject({ "ai.createKey": { input: { type: "object", required: expect.any(Array) } } });
    expect(JSON.stringify(schema)).not.toContain("$ref");
    const groups = (await area.elements?.({}, at(records))) ?? [];
    expect(groups.flatMap(({ elements }) => elements as unknown[])).toHaveLength(portalRows.length);
  });

  it("the context says who calls, where, and what it may do and see", async () => {
    const { records } = await open();
    await addAnn(records);
    await enable(records, ["tasks"]);
    const area = openContext({ records, regions });
    expect(await area.get?.({}, at(records, ["ai-get"]))).toEqual({
      user: { id: "usr_1", username: "ann", email: "a@b.c", level: "user" },
      client: { id: "c-1" },
      reseller: { name: "acme" },
      region: { code: "eu-1", backends: ["iaas", "clusters", "objectstore", "backups"] },
      permissions: { "ai-get": true },
      profile: { profiles: [expect.objectContaining({ name: "boards", type: "dashboard" })], dashboards: ["tasks"] },
    });
    const whole = openContext({ records, regions: { "eu-1": await openLocal({ records }) } });
    expect(await whole.get?.({}, at(records))).toMatchObject({
      region: { backends: ["iaas", "clusters", "objectstore", "backups"] },
    });
    const provider = callAt(records, {}, { region: "bare" });
    expect(await area.get?.({}, provider)).toMatchObject({
      user: { id: "usr_rig", username: "rig" },
      client: { id: null },
      reseller: { name: null },
      region: { code: "bare", backends: [] },
    });
  });
});
