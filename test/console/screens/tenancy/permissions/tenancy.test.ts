import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  everything,
  groupByArea,
  namesOf,
  originsOf,
  type Permission,
  pickTemplate,
  type Role,
  templates,
} from "../../../../../console/src/screens/tenancy/permissions.ts";
import { findLines, type Tenant, treeOf } from "../../../../../console/src/screens/tenancy/tenant-tree.ts";
import { toUserInput } from "../../../../../console/src/screens/tenancy/users/user-draft.ts";
import { permissionCatalogue } from "../../../../../src/portal/permissions.ts";

const all = permissionCatalogue as readonly Permission[];
const names = all.map(({ name }) => name);

const roleOf = (permissions: readonly string[], id: string): Role => ({
  ...{ id, name: id, permissions: [...permissions], reseller: null, client_id: null, created_at: "" },
});

describe("permissions", () => {
  const chosen = fc.uniqueArray(fc.constantFrom(...names, everything));

  it("stand for themselves, and `*` for all of them", () => {
    fc.assert(
      fc.property(chosen, (list) => {
        const expected = list.includes(everything) ? names : list;
        expect([...namesOf(list, all)].sort()).toEqual([...expected].sort());
      }),
    );
  });

  it("come from exactly the roles that list them", () => {
    fc.assert(
      fc.property(fc.array(chosen, { maxLength: 4 }), (lists) => {
        const roles = lists.map((list, position) => roleOf(list, `role_${position}`));
        const origins = originsOf(roles, all);
        for (const name of names) {
          const expected = roles.filter(({ permissions }) => namesOf(permissions, all).has(name)).map(({ id }) => id);
          expect(origins.get(name) ?? []).toEqual(expected);
        }
      }),
      { numRuns: 30 },
    );
  });

  it("of a template are never some that may not be granted", () => {
    const template = fc.constantFrom(...(Object.keys(templates) as (keyof typeof templates)[]));
    fc.assert(
      fc.property(template, fc.uniqueArray(fc.constantFrom(...names)), (name, allowed) => {
        const picked = pickTemplate(name, all, (one) => allowed.includes(one));
        expect(picked.every((one) => allowed.includes(one))).toBe(true);
        if (name === "all") expect(picked).toHaveLength(allowed.length);
      }),
    );
  });

  it("that only read change nothing", () => {
    const picked = pickTemplate("read", all, () => true);
    expect(all.filter(({ name }) => picked.includes(name)).every(({ method }) => method === "GET")).toBe(true);
    expect(picked.length).toBeGreaterThan(50);
  });

  it("are grouped by area without one lost, and narrowed by name, path and what they do", () => {
    expect([...groupByArea(all).values()].flat()).toHaveLength(all.length);
    expect([...groupByArea(all, "new value, shown").values()].flat().map(({ name }) => name)).toEqual([
      "ai_key_rotate-post",
    ]);
    expect(groupByArea(all, "no such thing").size).toBe(0);
  });
});

const tenantOf = (level: Tenant["level"], reseller: string, client_id: string | null): Tenant => ({
  ...{
    id: `${level} ${reseller} ${client_id}`,
    level,
    reseller,
    client_id,
    name: client_id ?? reseller,
    enabled: true,
  },
  ...{ status: "active", is_usable: true, created_at: "", users: 0, keys: 0, cost_this_month: 0 },
});

describe("the tree of tenants", () => {
  const place = fc.constantFrom("a", "b", "c");
  const tenant = fc.oneof(
    place.map((reseller) => tenantOf("reseller", reseller, null)),
    fc.tuple(place, fc.constantFrom("x", "y")).map(([reseller, client]) => tenantOf("client", reseller, client)),
  );
  const tenants = fc.uniqueArray(tenant, { selector: ({ id }) => id });

  it("has every tenant once, a client below its reseller", () => {
    fc.assert(
      fc.property(tenants, (list) => {
        const lines = treeOf(list);
        expect(lines.map(({ tenant: { id } }) => id).sort()).toEqual(list.map(({ id }) => id).sort());
        let above: string | undefined;
        for (const { tenant: one, depth } of lines) {
          if (one.level === "reseller") above = one.reseller;
          if (depth === 1) expect(one.reseller).toBe(above);
        }
      }),
    );
  });

  it("never shows a client that matches without the reseller above it", () => {
    fc.assert(
      fc.property(tenants, place, (list, wanted) => {
        const found = findLines(treeOf(list), ({ client_id }) => client_id === "x");
        const hasReseller = list.some(({ level, reseller }) => level === "reseller" && reseller === wanted);
        const hasMatch = found.some(({ tenant: one }) => one.client_id === "x" && one.reseller === wanted);
        const isShown = found.some(({ tenant: one }) => one.level === "reseller" && one.reseller === wanted);
        expect(isShown).toBe(hasReseller && hasMatch);
      }),
    );
  });
});

describe("a new user", () => {
  const draft = { username: " mira ", email: "", first_name: "Mira", last_name: " ", role: "" };

  it("is sent with what was filled in, at the place that was chosen", () => {
    expect(toUserInput(draft)).toEqual({ username: "mira", first_name: "Mira" });
    expect(toUserInput({ ...draft, role: "role_x" }, { reseller: "north", client_id: null })).toEqual({
      ...{ username: "mira", first_name: "Mira", roles: ["role_x"], reseller: "north" },
    });
    expect(toUserInput(draft, { reseller: "north", client_id: "bakery" })).toMatchObject({ client_id: "bakery" });
  });
});
