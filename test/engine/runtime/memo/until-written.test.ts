import { expect, it } from "vitest";
import { memoryStore } from "../../../../adapters/stores/memory/index.ts";
import { createRegistry } from "../../../../src/engine/pipeline/admin/registry.ts";
import type { Records } from "../../../../src/engine/ports/records.ts";
import { change, remove } from "../../../../src/portal/tenancy/record-access.ts";
import { scopedRecords } from "../../../../src/portal/tenancy/tenant-scope.ts";
import { fakeClock } from "../../../../src/testing/index.ts";

const entropy = (bytes: number) => new Uint8Array(bytes).fill(7);

/** A customer in a store that says so many times that somebody else was faster. */
async function contended(times: number) {
  const { records } = memoryStore();
  const registry = (over: Records) => createRegistry({ records: over, clock: fakeClock(), entropy, keyPrefix: "sk" });
  const metadata = { reseller: "r" }; // a tenant of which the portal's records have a scope
  const { id } = await registry(records).customers.create({ name: "before", metadata });
  let left = times;
  const busy: Records = {
    ...records,
    put: async (...asked) => (left-- > 0 ? { kind: "moved", version: 9 } : records.put(...asked)),
    remove: async (...asked) => (left-- > 0 ? { kind: "moved", version: 9 } : records.remove(...asked)),
  };
  return { id, busy, customers: registry(busy).customers };
}

const unavailable = { code: "store_unavailable", status: 503, param: "store" };

it("a change that others overtake 99 times is written", async () => {
  const { id, customers } = await contended(99);
  expect(await customers.update(id, { name: "after" })).toMatchObject({ name: "after" });
});

it("a store that says so without end ends a change of the registry", async () => {
  const { id, customers } = await contended(Infinity);
  await expect(customers.update(id, { name: "after" })).rejects.toMatchObject(unavailable);
  expect(await customers.get(id)).toMatchObject({ name: "before" });
});

it("and one of the portal, and a removal in its scope", async () => {
  const { id, busy } = await contended(Infinity);
  const by = <Value>(present: Value) => present;
  await expect(change(busy, "customer", { id, by })).rejects.toMatchObject(unavailable);
  await expect(remove(scopedRecords(busy, { reseller: "r" }), "customer", id)).rejects.toMatchObject(unavailable);
});
