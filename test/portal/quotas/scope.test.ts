import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import type { StoredProperty } from "../../../src/operations/records/settings.ts";
import {
  contains,
  isAbove,
  listAbove,
  scopedRecords,
  type TenantScope,
} from "../../../src/portal/tenancy/tenant-scope.ts";
import { stores } from "../support/rig.ts";

const name = fc.constantFrom("a", "b");
const place: fc.Arbitrary<TenantScope> = fc.oneof(
  fc.constant({}),
  fc.record({ reseller: name }),
  fc.record({ reseller: name, client_id: name }),
  fc.record({ reseller: name, client_id: name, user_id: name }),
);

const path = ({ reseller, client_id, user_id }: TenantScope) =>
  [reseller, client_id, user_id].filter((level) => level !== undefined);
const placedAt = ({
  reseller = null,
  client_id = null,
  user_id = null,
}: { [Level in keyof TenantScope]: TenantScope[Level] | null }) => ({
  reseller: reseller ?? null,
  client_id: client_id ?? null,
  user_id: user_id ?? null,
});

test("a place covers exactly what its path begins", () => {
  fc.assert(
    fc.property(place, place, (one, other) => {
      const begins = path(one).every((level, position) => path(other)[position] === level);
      expect(contains(one, placedAt(other))).toBe(begins);
    }),
  );
});

test("what lies above a place is what covers it and is not the place itself", () => {
  fc.assert(
    fc.property(place, place, (one, other) => {
      const isSame = path(one).join() === path(other).join();
      expect(isAbove(placedAt(other), one)).toBe(contains(other, placedAt(one)) && !isSame);
    }),
  );
});

const instant = new Date(Date.UTC(2026, 10, 20)).toISOString();

function record(id: string, at: TenantScope): StoredProperty {
  return { id, created_at: instant, ...placedAt(at), property: id, description: "", value: "" };
}

describe.each(stores)("scoped records: %s", (_name, open) => {
  it("hold what the place covers, in pages of any size, and count it", async () => {
    const found = fc.asyncProperty(
      fc.array(place, { maxLength: 20 }),
      place,
      fc.integer({ min: 1, max: 5 }),
      async (places, own, limit) => {
        const { records } = await open();
        for (const [position, at] of places.entries()) await records.put("property", record(`p${position}`, at), 0);
        const scoped = scopedRecords(records, own);
        const seen: string[] = [];
        for (let after: string | undefined; ; ) {
          const page = await scoped.list("property", { limit, after });
          expect(page.records.length).toBeLessThanOrEqual(limit);
          seen.push(...page.records.map(({ record: { id } }) => id));
          if (page.next === undefined) break;
          after = page.next;
        }
        const wanted = places.flatMap((at, position) => (contains(own, placedAt(at)) ? [`p${position}`] : []));
        expect(seen).toEqual(wanted.toSorted());
        expect(await scoped.count("property")).toBe(wanted.length);
        const above = await listAbove(records, own, { kind: "property" });
        expect(above.every((one) => isAbove(one, own))).toBe(true);
        expect(above).toHaveLength(places.filter((at) => isAbove(placedAt(at), own)).length);
      },
    );
    await fc.assert(found, { numRuns: 30 });
  });

  it("a foreign record is neither read, written over, moved nor removed", async () => {
    const foreign = fc.asyncProperty(place, place, async (its, own) => {
      fc.pre(!contains(own, placedAt(its)));
      const { records } = await open();
      const scoped = scopedRecords(records, own);
      await records.put("property", record("p", its), 0);
      expect(await scoped.get("property", "p")).toBeUndefined();
      expect(await scoped.remove("property", "p")).toEqual({ kind: "missing" });
      for (const expected of [0, 1]) {
        await expect(async () => scoped.put("property", record("p", own), expected)).rejects.toMatchObject({
          code: "not_found",
        });
        await expect(async () => scoped.put("property", record("q", its), 0)).rejects.toMatchObject({
          code: "not_found",
        });
      }
      expect(await records.get("property", "p")).toEqual({ version: 1, record: record("p", its) });
      expect(await records.count("property")).toBe(1);
    });
    await fc.assert(foreign, { numRuns: 30 });
  });

  it("an own record is not given away", async () => {
    const { records } = await open();
    const scoped = scopedRecords(records, { reseller: "a" });
    await scoped.put("property", record("p", { reseller: "a" }), 0);
    await expect(async () => scoped.put("property", record("p", { reseller: "b" }), 1)).rejects.toMatchObject({
      code: "not_found",
    });
    expect(await scoped.remove("property", "p")).toEqual({ kind: "removed" });
  });

  it("a field that names a foreign record names nothing, one that names a record above is accepted", async () => {
    const { records } = await open();
    const settings = { active: true, budgets: [], rate_limits: [], created_at: instant, updated_at: instant };
    const project = (id: string, metadata: Record<string, string>) => ({ ...settings, id, name: id, metadata });
    await records.put("project", project("above", {}), 0);
    await records.put("project", project("foreign", { reseller: "b" }), 0);
    const scoped = scopedRecords(records, { reseller: "a" });
    const key = (project_id: string) => ({
      ...project(`key-${project_id}`, { reseller: "a" }),
      project_id,
      hash: project_id,
      last4: "1234",
      provider_configs: [],
    });
    expect(await scoped.put("key", key("foreign"), 0)).toEqual({ kind: "dangling", field: "project_id" });
    expect(await scoped.put("key", key("nobody"), 0)).toEqual({ kind: "dangling", field: "project_id" });
    expect(await scoped.put("key", key("above"), 0)).toMatchObject({ kind: "stored" });
    expect(await scoped.get("project", "above")).toBeUndefined();
  });
});
