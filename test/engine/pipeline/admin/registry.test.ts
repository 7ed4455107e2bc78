import { describe, expect, it } from "vitest";
import { memoryStore } from "../../../../adapters/stores/memory/index.ts";
import { createRegistry } from "../../../../src/engine/pipeline/admin/registry.ts";
import { fakeClock } from "../../../../src/testing/index.ts";
import { engineOver } from "../../support/support.ts";

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

describe("a start of a key in the past", () => {
  const past = "2020-01-01T00:00:00Z";

  it("is refused when the key is made or changed, and stays where it was reached", async () => {
    const { engine, clock } = engineOver([{ name: "a" }], { store: memoryStore() });
    const refused = { code: "invalid_request", param: "starts_at", message: expect.stringContaining("in the past") };
    await expect(engine.keys.create({ name: "k", starts_at: past })).rejects.toMatchObject(refused);
    const soon = new Date(clock.now() + 1_000).toISOString();
    const { key } = await engine.keys.create({ name: "k", starts_at: soon });
    await expect(engine.keys.update(key.id, { starts_at: past })).rejects.toMatchObject(refused);
    await clock.advance(3_600_000);
    expect(await engine.keys.update(key.id, { name: "other", starts_at: soon })).toMatchObject({ name: "other" });
  });

  it("is taken from a caller whose clock is behind by some seconds", async () => {
    const { engine, clock } = engineOver([{ name: "a" }], { store: memoryStore() });
    const starts_at = new Date(clock.now() - 30_000).toISOString();
    expect((await engine.keys.create({ name: "k", starts_at })).key).toMatchObject({ starts_at });
  });
});

describe("an end of a key in the past", () => {
  const past = "2020-01-01T00:00:00Z";

  it("is refused when the key is made or changed, and stays where it was reached", async () => {
    const { engine, clock } = engineOver([{ name: "a" }], { store: memoryStore() });
    await expect(engine.keys.create({ name: "k", expires_at: past })).rejects.toMatchObject({
      code: "invalid_request",
      param: "expires_at",
    });
    const soon = new Date(clock.now() + 1_000).toISOString();
    const { key } = await engine.keys.create({ name: "k", expires_at: soon });
    await expect(engine.keys.update(key.id, { expires_at: past })).rejects.toMatchObject({ param: "expires_at" });
    await clock.advance(2_000);
    expect(await engine.keys.update(key.id, { name: "other", expires_at: soon })).toMatchObject({ name: "other" });
  });
});

it("the names of deleted keys, projects and customers are kept by their ids, and no others", async () => {
  const { engine } = engineOver([{ name: "a" }], { store: memoryStore() });
  const { keys, projects, customers, usage } = engine;
  const customer = await customers.create({ name: "acme" });
  const project = await projects.create({ name: "search", customer_id: customer.id });
  const { key } = await keys.create({ name: "ci", project_id: project.id });
  await expect(customers.remove(customer.id)).rejects.toMatchObject({ code: "conflict" });
  expect(await usage.deletedNames()).toEqual(new Map());
  await keys.remove(key.id);
  await expect(keys.remove(key.id)).rejects.toMatchObject({ code: "not_found" });
  await projects.remove(project.id);
  await customers.remove(customer.id);
  const names = [key, project, customer].map(({ id, name }) => [id, name] as const);
  expect(await usage.deletedNames()).toEqual(new Map(names));
});

describe("a name that another record of the owner has", () => {
  const saysSame = [
    expect.stringMatching(/^Another (key|project|customer) of the same owner has the same name: `\w+`/),
  ];

  it("is warned of when it is taken, and not when it is kept", async () => {
    const { engine } = engineOver([{ name: "a" }], { store: memoryStore() });
    const { keys, projects, customers } = engine;
    const project = await projects.create({ name: "p" });
    expect(project).not.toHaveProperty("warnings");
    expect(await projects.create({ name: "p" })).toMatchObject({ warnings: saysSame });
    await customers.create({ name: "c" });
    expect(await customers.create({ name: "c" })).toMatchObject({ warnings: saysSame });
    const first = await keys.create({ name: "caf\u00e9", project_id: project.id });
    expect(await keys.create({ name: "caf\u00e9" })).not.toHaveProperty("warnings");
    const second = await keys.create({ name: "other", project_id: project.id });
    expect(second).not.toHaveProperty("warnings");
    const renamed = await keys.update(second.key.id, { name: "cafe\u0301" });
    expect(renamed).toMatchObject({ name: "cafe\u0301", warnings: saysSame });
    expect(renamed.warnings?.[0]).toContain(first.key.id);
    expect(await keys.update(second.key.id, { active: false })).not.toHaveProperty("warnings");
    expect(await keys.get(second.key.id)).not.toHaveProperty("warnings");
  });

  it("is warned of where a key moves to another owner", async () => {
    const { engine } = engineOver([{ name: "a" }], { store: memoryStore() });
    const project = await engine.projects.create({ name: "p" });
    await engine.keys.create({ name: "k", project_id: project.id });
    const { key } = await engine.keys.create({ name: "k" });
    expect(await engine.keys.update(key.id, { project_id: project.id })).toMatchObject({ warnings: saysSame });
  });
});
