import { Pool } from "pg";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { type PgvectorOptions, pgvectorIndex } from "../../../../adapters/vectors/pgvector/index.ts";
import { vectorIndexCases } from "../../../../src/testing/conformance/vectors.ts";
import { type PgliteServer, startPglite } from "../stores/pglite-server.ts";

let postgres: PgliteServer;
beforeAll(async () => {
  postgres = await startPglite();
}, 60_000);
afterAll(() => postgres.stop());

let made = 0;
const newSchema = () => `fresh_${made++}`;

function open(options: Partial<PgvectorOptions> = {}) {
  const index = pgvectorIndex({ pool: postgres.pool(), schema: newSchema(), ...options });
  onTestFinished(() => index.close?.());
  return index;
}

describe("vectors: pgvector", () => {
  for (const { title, run } of vectorIndexCases) it(title, async () => run(open()));

  it("are seen by every index with the same schema, and by no other", async () => {
    const schema = newSchema();
    const [one, two, other] = [open({ schema }), open({ schema }), open()];
    await one.put("s", { space: "a", id: "x", vector: [1, 2] });
    const question = { space: "a", vector: [1, 2], atLeast: 0.99 };
    expect([await two.nearest("s", question), await other.nearest("s", question)]).toEqual([
      { id: "x", similarity: expect.closeTo(1, 5) },
      undefined,
    ]);
  });

  it("are forgotten when their time is over, whoever put them", async () => {
    const schema = newSchema();
    const index = open({ schema, ttl: 60_000 });
    const put = (id: string) => index.put("s", { space: "a", id, vector: [1, Number(id)] });
    await put("1");
    await put("2");
    const pool = postgres.pool();
    await pool.query(`UPDATE ${schema}.entry SET put_at = put_at - interval '61 seconds' WHERE id = '1'`);
    await pool.query(`UPDATE ${schema}.entry SET put_at = put_at - interval '50 seconds' WHERE id = '2'`);
    const next = open({ schema, ttl: 60_000 });
    await next.put("s", { space: "a", id: "3", vector: [1, 3] });
    await next.close?.();
    expect((await pool.query(`SELECT id FROM ${schema}.entry ORDER BY id`)).rows).toEqual([{ id: "2" }, { id: "3" }]);
  });

  it("live longer when they are put again", async () => {
    const schema = newSchema();
    const index = open({ schema, ttl: 60_000 });
    await index.put("s", { space: "a", id: "x", vector: [1, 0] });
    const pool = postgres.pool();
    await pool.query(`UPDATE ${schema}.entry SET put_at = put_at - interval '61 seconds'`);
    await index.put("s", { space: "a", id: "x", vector: [0, 1] });
    const next = open({ schema, ttl: 60_000 });
    await next.put("s", { space: "a", id: "y", vector: [1, 1] });
    await next.close?.();
    expect(await index.clear("s")).toBe(2);
  });

  it("may have any scope, space and id, and any lengths that numbers can tell", async () => {
    const index = open();
    const odd = ["", "a\u0000b", "\u001a", "'; DROP TABLE entry; --", "ü".repeat(5_000), "\ud800"];
    for (const text of odd) {
      await index.put(text, { space: text, id: text, vector: [1e308, -1e308] });
      const found = await index.nearest(text, { space: text, vector: [1e-308, -1e-308], atLeast: 0.999 });
      expect(found).toEqual({ id: text.toWellFormed(), similarity: expect.closeTo(1, 5) });
    }
    for (const text of odd) expect(await index.delete(text, text)).toBe(true);
  });

  it("have 16,000 parts at most; a longer one is not kept, nor the one before in its place", async () => {
    const index = open();
    const most = new Array<number>(16_000).fill(1);
    await index.put("s", { space: "a", id: "x", vector: most });
    expect(await index.nearest("s", { space: "a", vector: most, atLeast: 0.99 })).toBeDefined();
    await index.put("s", { space: "a", id: "x", vector: [...most, 1] });
    expect(await index.nearest("s", { space: "a", vector: [...most, 1], atLeast: 0.99 })).toBeUndefined();
    expect(await index.clear("s")).toBe(0);
  });

  it("use the extension wherever the database has it", async () => {
    const elsewhere = await startPglite();
    onTestFinished(() => elsewhere.stop());
    const pool = elsewhere.pool();
    await pool.query('CREATE SCHEMA "Other place"; CREATE EXTENSION vector SCHEMA "Other place"');
    const index = open({ pool });
    await index.put("s", { space: "a", id: "x", vector: [1, 0] });
    expect(await index.nearest("s", { space: "a", vector: [1, 0], atLeast: 0.9 })).toBeDefined();
  });
});

describe("a server that cannot keep vectors", () => {
  it("without pgvector is told, with what to do", async () => {
    const plain = await startPglite({ hasVectors: false });
    onTestFinished(() => plain.stop());
    await expect(open({ pool: plain.pool() }).delete("s", "x")).rejects.toThrow(
      "The vectors in PostgreSQL cannot be used: its server does not have the extension `vector`; install pgvector there.",
    );
  });

  it("that is gone is told by one call, and not asked by the next", async () => {
    const gone = await startPglite();
    const pool = new Pool({ connectionString: gone.address });
    const index = pgvectorIndex({ pool });
    await index.put("s", { space: "a", id: "x", vector: [1, 0] });
    await gone.stop();
    const connect = vi.spyOn(pool, "connect");
    const ask = () => index.nearest("s", { space: "a", vector: [1, 0], atLeast: 0.9 });
    await expect(ask()).rejects.toThrow("The vectors in PostgreSQL cannot be used just now");
    const asked = connect.mock.calls.length;
    await expect(ask()).rejects.toThrow("The index in PostgreSQL does not answer.");
    expect(connect.mock.calls.length).toBe(asked);
  });
});
