import { expect, it } from "vitest";
import { memoryStore } from "../../../adapters/stores/memory/index.ts";
import { createRegistry } from "../../../src/pipeline/registry.ts";
import { fakeClock } from "../../../src/testing/index.ts";

it("two of one id are a conflict, and the first one stays", async () => {
  const { records } = memoryStore();
  const entropy = (bytes: number) => new Uint8Array(bytes).fill(7);
  const { customers, keys } = createRegistry({ records, clock: fakeClock(), entropy, keyPrefix: "sk" });
  await customers.create({ name: "First" });
  await expect(customers.create({ name: "Second" })).rejects.toMatchObject({ code: "conflict" });
  await keys.create({ name: "first" });
  await expect(keys.create({ name: "second" })).rejects.toMatchObject({ code: "conflict" });
  expect((await customers.list()).items).toMatchObject([{ name: "First" }]);
  expect((await keys.list()).items).toMatchObject([{ name: "first" }]);
});
