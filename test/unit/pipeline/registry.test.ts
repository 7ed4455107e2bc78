import { expect, it } from "vitest";
import { memoryStore } from "../../../adapters/stores/memory/index.ts";
import { createRegistry } from "../../../src/pipeline/admin/registry.ts";
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

it("a promise, a Map or a list is no patch, be it given or made by a function: it would change nothing, in silence", async () => {
  const { records } = memoryStore();
  const entropy = (bytes: number) => new Uint8Array(bytes).fill(7);
  const { customers, projects, keys } = createRegistry({ records, clock: fakeClock(), entropy, keyPrefix: "sk" });
  const [customer, project] = [await customers.create({ name: "c" }), await projects.create({ name: "p" })];
  const { key } = await keys.create({ name: "k" });
  const refused = {
    code: "invalid_request",
    status: 400,
    param: "patch",
    message: "`patch`: must be an object, or a function that returns one; a promise has to be awaited before",
  };
  for (const patch of [Promise.resolve({ name: "n" }), new Map([["name", "n"]]), [{ name: "n" }]] as never[]) {
    for (const given of [patch, () => patch]) {
      await expect(customers.update(customer.id, given)).rejects.toMatchObject(refused);
      await expect(projects.update(project.id, given)).rejects.toMatchObject(refused);
      await expect(keys.update(key.id, given)).rejects.toMatchObject(refused);
    }
  }
  const late = keys.update(key.id, (async () => expect.fail("not waited for")) as never);
  await expect(late).rejects.toMatchObject(refused);
  expect(await keys.get(key.id)).toMatchObject({ name: "k" });
});
