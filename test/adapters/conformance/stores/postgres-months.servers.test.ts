import { describe, expect, it, onTestFinished } from "vitest";
import { openDatabase } from "../../../../adapters/shared/postgres/database.ts";
import { postgresStore } from "../../../../adapters/stores/postgres/index.ts";
import { dropMonths, enterMonth } from "../../../../adapters/stores/postgres/months/months.ts";
import { idsOfMonth } from "../../../../adapters/stores/postgres/months/partitions.ts";
import { migrations } from "../../../../adapters/stores/postgres/schema.ts";
import type { Ledger, UsageQuestion } from "../../../../src/engine/ports/ledger.ts";
import { day, entry, midnight } from "../../../../src/testing/conformance/ledger/entries.ts";
import { sumByRules } from "../../../../src/testing/conformance/ledger/model.ts";
import { keepCalling, readIds } from "../ledger-calls.ts";
import { postgresSuite } from "./postgres-suite.ts";

const suite = postgresSuite();
const { newSchema, openStore } = suite;
const run = (text: string) => suite.server.ask(text);

function openBeside(schema: string) {
  const choice = { of: "store", name: schema, isMade: true, migrations: async () => migrations } as const;
  const database = openDatabase(suite.server.pool(), choice);
  onTestFinished(() => database.close());
  return database;
}

/** The partitions of a table, with how many rows each has. */
async function partitions(schema: string, table: "request" | "attempt"): Promise<Record<string, number>> {
  const row = await run(`SELECT coalesce(json_object_agg(relname,
      (xpath('/row/c/text()', query_to_xml(format('SELECT count(*) AS c FROM %s', inhrelid::regclass), false, true, '')))[1]::text::int), '{}') AS found
    FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid WHERE inhparent = '${schema}.${table}'::regclass`);
  return row?.found as Record<string, number>;
}

const thisMonth = async () =>
  Number(
    (
      await run(
        "SELECT extract(year FROM now() AT TIME ZONE 'UTC') * 12 + extract(month FROM now() AT TIME ZONE 'UTC') - 1 - 1970 * 12 AS m",
      )
    )?.m,
  );

const everything: UsageQuestion = { from: 0, to: 8.64e15 };

describe("store: postgres, months of the ledger", () => {
  it("makes the partitions of this month and the next two, and writes to this month's", async () => {
    const schema = newSchema();
    const { ledger } = openStore(schema);
    await ledger.append([entry({ id: "first" })]);
    const month = await thisMonth();
    const began = async () => Number((await run(`SELECT last_value FROM ${schema}.request_id`))?.last_value);
    await expect.poll(began, { timeout: 10_000 }).toBe(month * idsOfMonth);
    await ledger.append([entry({ id: "second" })]);
    const name = (ahead: number) =>
      `${Math.floor((month + ahead) / 12) + 1970}_${String(((month + ahead) % 12) + 1).padStart(2, "0")}`;
    for (const table of ["request", "attempt"] as const)
      expect(await partitions(schema, table)).toEqual({
        [`${table}_before`]: 1,
        [`${table}_${name(0)}`]: 1,
        [`${table}_${name(1)}`]: 0,
        [`${table}_${name(2)}`]: 0,
      });
    expect(await readIds(ledger)).toEqual(["second", "first"]);
  });

  it("loses and doubles no entry while months begin under the calls of several processes", async () => {
    const schema = newSchema();
    const ledgers = [1, 2, 3].map(() => openStore(schema).ledger);
    const database = openBeside(schema);
    const calls = keepCalling(ledgers);
    const month = await thisMonth();
    for (let ahead = 1; ahead <= 25; ahead++) {
      const before = calls.count();
      await expect.poll(() => enterMonth(database, month + ahead), { timeout: 30_000 }).toBe(true);
      await expect.poll(calls.count, { interval: 1 }).toBeGreaterThan(before + 6);
    }
    const appended = await calls.stop();
    const ids = await readIds(ledgers[0] as Ledger);
    expect(ids.toSorted()).toEqual(appended.map(({ id }) => id).toSorted());
    for (const ledger of ledgers) expect(ledger.backlog?.().lost).toBe(0);
    for (const group_by of [[], ["key_id"], ["user"]] as const) {
      const question = { ...everything, group_by };
      expect(await ledgers[1]?.query(question)).toEqual(sumByRules(appended, question));
    }
    expect(Object.keys(await partitions(schema, "request"))).toHaveLength(29);
  });

  it("begins no month under a write that knows its partition not yet", async () => {
    const schema = newSchema();
    const { ledger } = openStore(schema);
    const database = openBeside(schema);
    const month = await thisMonth();
    await ledger.append([entry({ id: "first" })]);
    await expect.poll(() => enterMonth(database, month), { timeout: 30_000 }).toBe(true);
    const gate = await suite.server.pool(1).connect();
    onTestFinished(() => gate.release());
    await gate.query("SELECT pg_advisory_lock(7)");
    const columns = `event_id, at, request_type, model_requested, key_id, project_id, customer_id, status, reason, latency, saved, provider, model`;
    const slow = suite.server.pool(1).query(`INSERT INTO ${schema}.request (id, ${columns})
      SELECT nextval('${schema}.request_id'), 'slow', ${columns.replace("event_id, ", "")}
      FROM ${schema}.request, (SELECT pg_advisory_lock_shared(7) OFFSET 0) AS opened LIMIT 1`);
    const isWaiting = async () =>
      Number((await run("SELECT count(*) AS n FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"))?.n);
    await expect.poll(isWaiting).toBe(1);
    const entering = enterMonth(database, month + 3);
    const isMade = async () => Object.keys(await partitions(schema, "attempt")).length;
    await expect.poll(isMade, { timeout: 10_000 }).toBeGreaterThan(4); // the new ones are there, the write does not know them
    await gate.query("SELECT pg_advisory_unlock(7)");
    await slow;
    expect(await entering).toBe(true);
    await ledger.append([entry({ id: "last" })]);
    expect(await readIds(ledger)).toEqual(["last", "slow", "first"]);
  });

  it("begins a month, and drops one, while another is vacuumed", async () => {
    const schema = newSchema();
    const { ledger } = openStore(schema);
    const database = openBeside(schema);
    const month = await thisMonth();
    await ledger.append([entry({ id: "old" })]);
    await expect.poll(() => enterMonth(database, month), { timeout: 30_000 }).toBe(true);
    await ledger.append([entry({ id: "new", at: midnight + day })]);
    const busy = Object.keys(await partitions(schema, "request")).find((name) => !name.endsWith("_before"));
    const vacuum = await suite.server.pool(1).connect();
    onTestFinished(() => vacuum.release());
    await vacuum.query(`BEGIN; LOCK TABLE ONLY ${schema}.${busy} IN SHARE UPDATE EXCLUSIVE MODE`); // as a vacuum has it
    expect(await enterMonth(database, month + 1)).toBe(true);
    expect(await dropMonths(database, midnight + day)).toBe(1);
    await vacuum.query("COMMIT");
    expect(await readIds(ledger)).toEqual(["new"]);
  });

  it("drops a month of a million requests within a second, as a table and not by its rows", async () => {
    const schema = newSchema();
    const { ledger } = openStore(schema);
    const database = openBeside(schema);
    const month = await thisMonth();
    await ledger.append([entry({ id: "old" })]);
    await expect.poll(() => enterMonth(database, month), { timeout: 10_000 }).toBe(true);
    for (const [table, key] of [
      ["request", "id"],
      ["attempt", "request"],
    ] as const) {
      const columns = `SELECT string_agg(quote_ident(column_name), ', ') AS names FROM information_schema.columns
        WHERE table_schema = '${schema}' AND table_name = '${table}' AND column_name <> '${key}'`;
      const names = (await run(columns))?.names;
      await run(`INSERT INTO ${schema}.${table} (${key}, ${names})
        SELECT ${month * idsOfMonth} + n, ${names} FROM ${schema}.${table}, generate_series(1, 1200000) AS n`);
    }
    await run(`SELECT setval('${schema}.request_id', ${month * idsOfMonth + 1_200_000})`);
    await run(`ANALYZE ${schema}.request, ${schema}.attempt`);
    await expect.poll(() => enterMonth(database, month + 1), { timeout: 10_000 }).toBe(true);
    await ledger.append([entry({ id: "late" }), entry({ id: "new", at: midnight + 40 * day })]);
    const deleted = async () =>
      Number(
        (
          await run(
            `SELECT sum(n_tup_del) AS n FROM pg_stat_user_tables WHERE schemaname = '${schema}' AND relname LIKE 'request%'`,
          )
        )?.n,
      );
    const started = performance.now();
    expect(await dropMonths(database, midnight + 30 * day)).toBe(1_200_001);
    const ms = performance.now() - started;
    expect(await deleted()).toBe(0);
    expect(ms).toBeLessThan(1_000);
    expect(Object.values(await partitions(schema, "request")).toSorted()).toEqual([0, 0, 2]);
    expect(await ledger.prune({ before: midnight + 30 * day })).toBe(1); // the late one, which its month holds
    expect(await readIds(ledger)).toEqual(["new"]);
    expect(await ledger.query({ ...everything, group_by: ["user"] })).toMatchObject([{ requests: 1, attempts: 1 }]);
  });

  it("makes way for a report that reads what is to be dropped, and removes the rows instead", async () => {
    const schema = newSchema();
    const { ledger } = openStore(schema);
    await ledger.append([entry({ id: "old" })]);
    const report = await suite.server.pool(1).connect();
    onTestFinished(() => report.release());
    await report.query(`BEGIN; SELECT count(*) FROM ${schema}.request`);
    const calls = keepCalling([openStore(schema).ledger], () => midnight + day);
    const pruned = ledger.prune({ before: midnight + day });
    const before = calls.count();
    expect(await pruned).toBe(1);
    await expect.poll(calls.count, { timeout: 30_000 }).toBeGreaterThan(before + 10);
    await report.query("COMMIT");
    const appended = await calls.stop();
    expect((await readIds(ledger)).toSorted()).toEqual(appended.map(({ id }) => id).toSorted());
  });

  it("brings a filled ledger of the first version up to date while calls go on, its rows where they are", async () => {
    const schema = newSchema();
    await run(`CREATE SCHEMA ${schema}`);
    await suite.server
      .pool(1)
      .query(`SET search_path TO ${schema}; ${migrations[0]}; CREATE TABLE version (number integer NOT NULL); INSERT INTO version VALUES (1);
      INSERT INTO request SELECT nextval('request_id'), 'old_' || n, ${midnight} - n, 'chat_completion', 'm', 'vk_' || n % 3, '', '', NULL, NULL,
        200, 'ok', 1, NULL, NULL, 0, 'p', 'p/m' FROM generate_series(1, 50000) AS n;
      INSERT INTO attempt SELECT id, 0, at, 'p', 'p/m', NULL, 200, 'ok', 1, NULL, 1, 1, 0, 0, 0, 5, '[]', NULL, false, false FROM request`);
    const file = async () => (await run(`SELECT pg_relation_filenode('${schema}.request_before') AS file`))?.file;
    const first = (await run(`SELECT pg_relation_filenode('${schema}.request') AS file`))?.file;
    const stores = [1, 2].map(() => postgresStore({ pool: suite.server.pool(), schema }));
    onTestFinished(async () => {
      for (const store of stores) await store.close();
    });
    const calls = keepCalling(stores.map(({ ledger }) => ledger));
    const divided = async () =>
      (await run(`SELECT relkind FROM pg_class WHERE oid = '${schema}.request'::regclass`))?.relkind === "p";
    await expect.poll(divided, { timeout: 30_000 }).toBe(true);
    const began = async () =>
      Number((await run(`SELECT last_value FROM ${schema}.request_id`))?.last_value) > idsOfMonth;
    await expect.poll(began, { timeout: 30_000 }).toBe(true);
    const before = calls.count();
    await expect.poll(calls.count).toBeGreaterThan(before + 20);
    const appended = await calls.stop();
    expect(await file()).toBe(first);
    const { ledger } = stores[0] as { ledger: Ledger };
    const ids = await readIds(ledger);
    expect(ids).toHaveLength(50_000 + appended.length);
    expect(new Set(ids).size).toBe(ids.length);
    expect(await ledger.query({ ...everything, group_by: ["request_type", "status"] })).toMatchObject([
      {
        requests: 50_000 + appended.length,
        attempts: 50_000 + appended.length,
        cost: 250_000 + 3_000 * appended.length,
      },
    ]);
    for (const { ledger: each } of stores) expect(each.backlog?.().lost).toBe(0);
    expect(await ledger.prune({ before: midnight })).toBe(50_000);
    expect((await readIds(ledger)).toSorted()).toEqual(appended.map(({ id }) => id).toSorted());
  });
});
