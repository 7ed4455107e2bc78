import { expect, it, onTestFinished, vi } from "vitest";
import { local } from "../../../../adapters/providers/local/index.ts";
import { createEngine, type Engine } from "../../../../src/index.ts";
import { type Lending, startPgBouncer } from "./pgbouncer.ts";
import { postgresSuite } from "./postgres-suite.ts";

const suite = postgresSuite();

/** A pool over a PgBouncer, for one test. */
async function poolOver(lending: Lending) {
  const { pool, stop } = await startPgBouncer(suite.server, lending);
  onTestFinished(stop);
  return pool;
}

/** An engine that leaves its store open: that ends with the test. */
const openEngine = (schema: string, pool: Parameters<typeof suite.openStore>[1]): Engine => {
  return createEngine({ providers: [local()], store: suite.openStore(schema, pool) });
};

it("a pooler that lends connections by the transaction is refused, since nobody would hear of a key that is switched off", async () => {
  const engine = openEngine(suite.newSchema(), await poolOver("transaction"));
  for (let time = 0; time < 2; time++) {
    const refused = await engine.ready().catch((thrown) => thrown);
    expect(refused).toMatchObject({ code: "invalid_configuration", param: "pool" });
    expect(refused.message).toMatch(/is not heard by another, as behind a pooler .*`pool_mode = transaction`/);
  }
});

it("is tried once, not by everybody who is about to read", async () => {
  const pool = await poolOver("transaction");
  const store = suite.openStore(suite.newSchema(), pool);
  const look = () => store.records.list("customer", { limit: 1 });
  await look();
  const connect = vi.spyOn(pool, "connect");
  for (let time = 0; time < 5; time++) expect(await look()).toEqual({ records: [] });
  expect(connect).toHaveBeenCalledTimes(5);
});

it("one that lends them by the session is as good as the server itself", async () => {
  const pool = await poolOver("session");
  const schema = suite.newSchema();
  const [heard, direct] = [suite.openStore(schema, pool), suite.openStore(schema)];
  await heard.records.list("customer", { limit: 1 });
  const before = heard.records.stamp(["customer"]);
  expect(heard.records.stamp(["customer"])).toBe(before);
  await createEngine({ providers: [local()], store: direct }).customers.create({ name: "c" });
  await vi.waitFor(() => expect(heard.records.stamp(["customer"])).not.toBe(before), { timeout: 20_000, interval: 20 });
});
