import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, it } from "vitest";
import { memoryStore } from "../../../../adapters/stores/memory/index.ts";
import { sqliteStore } from "../../../../adapters/stores/sqlite/index.ts";
import type { Records } from "../../../../src/engine/ports/records.ts";
import type { StoredProperty } from "../../../../src/operations/records/settings.ts";
import { withPortalKinds } from "../../../portal-kinds.ts";

const folder = mkdtempSync(join(tmpdir(), "tollgate-ready-"));
afterAll(() => rmSync(folder, { recursive: true }));
let files = 0;

function property(name: string, value: string): StoredProperty {
  const created_at = "2026-11-20T12:00:00.000Z";
  return { id: name, created_at, reseller: null, client_id: null, property: name, description: "", value };
}

const anyStep = fc.record({
  who: fc.nat(1),
  what: fc.constantFrom("put", "remove", "list", "page", "get"),
  name: fc.constantFrom("a", "b", "c"),
  value: fc.constantFrom("1", "2"),
});
type Step = typeof anyStep extends fc.Arbitrary<infer S> ? S : never;

/** One step; gives what is read, after a write the whole list. */
async function perform(records: Records, { what, name, value }: Step): Promise<unknown> {
  const version = (await records.get("property", name))?.version ?? 0;
  if (what === "put") await records.put("property", property(name, value), version);
  if (what === "remove") await records.remove("property", name);
  if (what === "get") return records.get("property", name);
  if (what === "page") return (await records.list("property", { where: { property: name }, limit: 1 })).records;
  return (await records.list("property", { limit: 10 })).records;
}

it("what is kept ready is never older than what any connection to the file has written", async () => {
  const story = async (steps: readonly Step[]) => {
    const file = join(folder, `${files++}.db`);
    const stores = [withPortalKinds(sqliteStore(file)), withPortalKinds(sqliteStore(file))] as const;
    const { records: expected } = withPortalKinds(memoryStore());
    for (const step of steps) {
      const mine = stores[step.who === 0 ? 0 : 1].records;
      expect(await perform(mine, step)).toEqual(await perform(expected, step));
    }
    for (const store of stores) await store.close();
  };
  await fc.assert(fc.asyncProperty(fc.array(anyStep, { maxLength: 25 }), story), { numRuns: 40 });
});

it("what did not change is the same frozen object, which tells it from what did", async () => {
  const store = withPortalKinds(sqliteStore(join(folder, `${files++}.db`)));
  const { records } = store;
  const read = async () => (await records.list("property", { limit: 10 })).records.map(({ record }) => record);
  for (const name of ["a", "b"]) await records.put("property", property(name, "1"), 0);
  const [a, b] = await read();
  await records.put("property", property("b", "2"), 1);
  const [sameA, newB] = await read();
  expect(sameA).toBe(a);
  expect((await records.get("property", "a"))?.record).toBe(a);
  expect(newB).not.toBe(b);
  expect([b?.value, newB?.value, Object.isFrozen(newB)]).toEqual(["1", "2", true]);
  await store.close();
});
