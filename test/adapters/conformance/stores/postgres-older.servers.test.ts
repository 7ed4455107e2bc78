import { describe, expect, it, onTestFinished, vi } from "vitest";
import { savedTokenColumns } from "../../../../adapters/shared/usage/sum-columns.ts";
import { type MigrationStep, postgresStore } from "../../../../adapters/stores/postgres/index.ts";
import { migrations, rollupTables } from "../../../../adapters/stores/postgres/schema.ts";
import type { Ledger, LedgerEntry } from "../../../../src/engine/ports/ledger.ts";
import { day, entry, midnight } from "../../../../src/testing/conformance/ledger/entries.ts";
import { key } from "../../../../src/testing/conformance/records/drafts.ts";
import type { PostgresServer } from "./postgres-server.ts";
import { postgresSuite } from "./postgres-suite.ts";

const suite = postgresSuite();
const { newSchema, openStore } = suite;

const readAll = async (ledger: Ledger) => JSON.parse(JSON.stringify((await ledger.entries({ limit: 1_000 })).entries));

/** Takes a schema back to before requests had their routes, records an order of names, and refused requests their indexes. */
async function forgetRoutes(pool: ReturnType<PostgresServer["pool"]>, schema: string): Promise<void> {
  for (const table of ["usage_by_all", "usage_by_all_month", "usage_by_all_hour"])
    await pool.query(`DROP INDEX ${schema}.${table}_refused`);
  await pool.query(
    `DROP FUNCTION ${schema}.record_name CASCADE; ALTER TABLE ${schema}.request DROP COLUMN route, DROP COLUMN tool_content`,
  );
}

/** Takes a schema back to before hits counted the tokens that they saved. */
async function forgetLater(pool: ReturnType<PostgresServer["pool"]>, schema: string): Promise<void> {
  await forgetRoutes(pool, schema);
  await forgetSavedTokens(pool, schema);
}

/** Takes a schema back to before hits counted the tokens that they saved. */
async function forgetSavedTokens(pool: ReturnType<PostgresServer["pool"]>, schema: string): Promise<void> {
  for (const table of ["request", "usage_new", ...rollupTables.map(({ table }) => table)])
    for (const column of savedTokenColumns) await pool.query(`ALTER TABLE ${schema}.${table} DROP COLUMN ${column}`);
}

describe("store: postgres, of an older version", () => {
  it("opens a store of before 0.1.0, whose table of the writer's epoch has another name, and goes on from its values", async () => {
    const schema = newSchema();
    const pool = suite.server.pool();
    const counterValue = { counter: "c", start: midnight, end: midnight + day, used: 7 };
    const before = openStore(schema);
    await before.ledger.recover(midnight);
    await before.ledger.append([entry({ id: "old" })], [counterValue]);
    await before.close();
    await pool.query(`DROP TABLE ${schema}.record_text`);
    await forgetLater(pool, schema);
    await pool.query(`ALTER TABLE ${schema}.writer_epoch RENAME TO reign; UPDATE ${schema}.version SET number = 1`);
    const { ledger } = openStore(schema);
    expect((await ledger.recover(midnight)).counterValues).toEqual([counterValue]);
    await ledger.append([entry({ id: "new" })], [{ ...counterValue, used: 8 }]);
    expect((await readAll(ledger)).map(({ id }: LedgerEntry) => id)).toEqual(["new", "old"]);
    expect((await ledger.inspect(midnight)).counterValues).toEqual([{ ...counterValue, used: 8 }]);
  });

  it("opens a store whose hits saved no tokens, which stay none, and counts those of new ones", async () => {
    const schema = newSchema();
    const pool = suite.server.pool();
    const hit = (id: string, tokens: number) =>
      entry({ id, cache: "direct", saved_prompt_tokens: tokens, saved_completion_tokens: 1, attempts: [] });
    const before = openStore(schema);
    await before.ledger.recover(midnight);
    await before.ledger.append([hit("old", 50)]);
    await before.close();
    await forgetLater(pool, schema);
    await pool.query(`UPDATE ${schema}.version SET number = 3`);
    const { ledger } = openStore(schema);
    await ledger.recover(midnight);
    await ledger.append([hit("new", 30)]);
    const tokens = { saved_prompt_tokens: 30, saved_completion_tokens: 1 };
    for (const group_by of [["month"], ["user"]] as const)
      expect(await ledger.query({ from: 0, to: Infinity, group_by })).toMatchObject([{ cache_hits: 2, ...tokens }]);
    expect((await readAll(ledger)).map(({ saved_prompt_tokens }: LedgerEntry) => saved_prompt_tokens)).toEqual([30, 0]);
  });

  it("finds the records of an older version by their texts and tenants", async () => {
    const schema = newSchema();
    const pool = suite.server.pool();
    const before = openStore(schema);
    const odd = key("k2", { name: "odd \u0000" });
    await before.records.put("key", key("k1", { name: "Older", metadata: { reseller: "r", client_id: "c" } }), 0);
    await before.records.put("key", odd, 0);
    await before.close();
    await pool.query(`DROP TABLE ${schema}.record_text; DELETE FROM ${schema}.link`);
    await forgetLater(pool, schema);
    await pool.query(`UPDATE ${schema}.version SET number = 2`);
    const { records } = openStore(schema);
    for (const question of [{ search: "older" }, { where: { reseller: "r", client_id: "c" } }])
      expect((await records.list("key", { ...question, limit: 9 })).records).toMatchObject([{ record: { id: "k1" } }]);
    await records.put("key", odd, 1);
    expect((await records.list("key", { search: "odd", limit: 9 })).records).toMatchObject([{ record: { id: "k2" } }]);
  });

  it("opens a store in which two keys have one name; both stay and hold it", async () => {
    const schema = newSchema();
    const pool = suite.server.pool();
    const before = openStore(schema);
    for (const id of ["k1", "k2"]) await before.records.put("key", key(id, { name: "e\u0301" }), 0);
    await before.records.put("key", key("k3"), 0);
    await before.close();
    await forgetRoutes(pool, schema);
    await pool.query(`DELETE FROM ${schema}.link WHERE field = 'owned_name'; UPDATE ${schema}.version SET number = 4`);
    await pool.query(`UPDATE ${schema}.record SET body = '{' WHERE id = 'k3'`);
    const { records } = openStore(schema);
    const claim = async () => {
      const put = key("k4", { name: "\u00e9" });
      return (
        await records.batch([
          { kind: "key", put, expected: 0 },
          { kind: "key", claimName: "k4" },
        ])
      ).kind;
    };
    expect(await claim()).toBe("refused");
    for (const id of ["k1", "k2"]) {
      expect(await claim()).toBe("refused");
      await records.remove("key", id);
    }
    expect(await claim()).toBe("stored");
  });

  it("is brought up to date version by version: writers are not kept waiting behind a long report, and all rows are there", async () => {
    const schema = newSchema();
    const pool = suite.server.pool(6);
    await pool.query(`CREATE SCHEMA ${schema}`);
    await suite.server.pool(1).query(`SET search_path TO ${schema}; ${migrations[0]};
      CREATE TABLE version (number integer NOT NULL); INSERT INTO version VALUES (1);
      INSERT INTO request SELECT nextval('request_id'), 'old-' || n, ${midnight} - n, 'chat_completion', 'm', '', '', '', NULL, NULL,
        200, 'ok', 1, NULL, NULL, 0, 'p', 'p/m' FROM generate_series(1, 12000) AS n`);
    const version = async () => (await pool.query(`SELECT number FROM ${schema}.version`)).rows[0].number as number;
    const report = await pool.connect();
    await report.query(`BEGIN; SELECT count(*) FROM ${schema}.request`); // holds its lock until it ends
    const steps: number[] = [];
    const onMigrationStep = ({ from }: MigrationStep) => void steps.push(from);
    const next = postgresStore({ pool, schema, onMigrationStep });
    onTestFinished(() => next.close());
    const prepared = next.prepare?.();
    await vi.waitFor(async () => expect(await version()).toBe(3), { timeout: 20_000 }); // the first step that needs the table is behind
    const columns =
      "id, event_id, at, request_type, model_requested, key_id, project_id, customer_id, status, reason, latency, saved, provider, model";
    for (let write = 0; write < 100; write++)
      await pool.query(
        `INSERT INTO ${schema}.request (${columns}) VALUES (nextval('${schema}.request_id'), 'beside-${write}', ${midnight}, 'chat_completion', 'm', '', '', '', 200, 'ok', 1, 0, 'p', 'm')`,
      );
    expect(await version()).toBe(3);
    await report.query("COMMIT");
    report.release();
    await prepared;
    expect(await version()).toBe(migrations.length);
    expect([...new Set(steps)]).toEqual(Array.from({ length: migrations.length - 1 }, (_, at) => at + 1));
    const { rows } = await pool.query(`SELECT count(*)::int AS count FROM ${schema}.request`);
    expect(rows[0].count).toBe(12_100);
  }, 120_000);

  it("goes on with a schema that a newer one has given more columns, and refuses to start on it", async () => {
    const schema = newSchema();
    const pool = suite.server.pool();
    const { ledger, records } = openStore(schema);
    await ledger.recover(midnight);
    const counterValue = { counter: "c", start: midnight, end: midnight + day, used: 7 };
    await ledger.append([entry({ id: "one" })], [counterValue]);
    const { rows } = await pool.query(
      `SELECT relname FROM pg_class WHERE relnamespace = '${schema}'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition`,
    );
    const tables = (rows as { relname: string }[]).map(({ relname }) => relname);
    expect(tables.length).toBeGreaterThan(12);
    for (const table of tables)
      await pool.query(`ALTER TABLE ${schema}.${table} ADD COLUMN of_a_newer_version integer NOT NULL DEFAULT 0`);
    await pool.query(`UPDATE ${schema}.version SET number = number + 1`);
    await ledger.append([entry({ id: "two", at: midnight + day })], [{ ...counterValue, used: 8 }]);
    expect(await records.put("key", key("k"), 0)).toEqual({ kind: "stored", version: 1 });
    expect(await records.put("key", key("k", { name: "other" }), 1)).toEqual({ kind: "stored", version: 2 });
    expect(await ledger.query({ from: 0, to: Infinity, group_by: ["provider"] })).toMatchObject([{ requests: 2 }]);
    expect((await ledger.inspect(midnight)).counterValues).toEqual([{ ...counterValue, used: 8 }]);
    expect(await ledger.prune({ before: midnight + day, sums: true })).toBe(1);
    const refused = { code: "invalid_configuration", message: expect.stringContaining("written by a newer tollgate") };
    await expect((async () => openStore(schema).ledger.recover(midnight))()).rejects.toMatchObject(refused);
  });
});
