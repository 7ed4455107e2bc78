import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { type PostgresPool, type PostgresQuery, postgresStore } from "../../../../adapters/stores/postgres/index.ts";
import type { Ledger } from "../../../../src/engine/ports/ledger.ts";
import { isGatewayError } from "../../../../src/index.ts";
import { day, entry, midnight } from "../../../../src/testing/conformance/ledger/entries.ts";
import { key } from "../../../../src/testing/conformance/records/drafts.ts";
import { type PostgresServer, startPostgres } from "./postgres-server.ts";
import { postgresSuite } from "./postgres-suite.ts";

const program = fileURLToPath(new URL("postgres-child.ts", import.meta.url));
const suite = postgresSuite();
const { newSchema, openStore } = suite;

const codeOf = (thrown: unknown) => (isGatewayError(thrown) ? thrown.code : String(thrown));
const idsOf = async (ledger: Ledger) => (await ledger.entries({ limit: 1_000 })).entries.map(({ id }) => id);
const listening = "WHERE query LIKE '%LISTEN%' AND pid <> pg_backend_pid()";

/** Waits until something holds that a server tells in its own time. */
const eventually = <Value>(check: () => Value) => vi.waitFor(check, { timeout: 20_000, interval: 20 });

/** The answers to some writes are lost on their way, after the server has made them. */
function losing(pool: ReturnType<PostgresServer["pool"]>, isLost: () => boolean): PostgresPool {
  return {
    options: pool.options,
    on: (event, listener) => pool.on(event, listener),
    removeListener: (event, listener) => pool.removeListener(event, listener),
    async connect() {
      const client = await pool.connect();
      const query = async (asked: PostgresQuery) => {
        const answer = await client.query(asked);
        if (asked.name?.endsWith("_append") && isLost()) throw new Error("Connection terminated unexpectedly");
        return answer;
      };
      return { query, on: client.on.bind(client), release: client.release.bind(client) } as never; // what the store uses
    },
  };
}

describe("a store in PostgreSQL whose server fails", () => {
  it("says so in words, without an address, keeps entries, and writes each once when the server is there again", async () => {
    const own = startPostgres();
    onTestFinished(() => own.stop());
    const store = postgresStore({ pool: own.pool() });
    onTestFinished(() => store.close());
    await store.ledger.append([entry({ id: "before" })]);
    own.kill();
    for (const id of ["during_1", "during_2"]) {
      const thrown = await store.ledger.append([entry({ id })]).catch((error: unknown) => error);
      expect(thrown).toMatchObject({ code: "store_unavailable" });
      expect((thrown as Error).message).toBe("The store in PostgreSQL cannot be used just now: it does not answer.");
    }
    await expect(async () => store.records.get("key", "k")).rejects.toMatchObject({ code: "store_unavailable" });
    own.start();
    await eventually(async () => expect(await idsOf(store.ledger)).toHaveLength(3)); // though nothing follows
    await store.ledger.append([entry({ id: "after" })]);
    expect(await idsOf(store.ledger)).toEqual(["after", "during_2", "during_1", "before"]);
    expect(await store.records.get("key", "k")).toBeUndefined();
  }, 60_000);

  it("leaves a connection to a server that may only be read, and finds the one behind the address that may be written", async () => {
    const own = startPostgres();
    onTestFinished(() => own.stop());
    const store = postgresStore({ pool: own.pool() });
    await store.ledger.append([entry({ id: "before" })]);
    await store.close();
    const operator = own.pool();
    const [{ name }] = (await operator.query("SELECT current_database() AS name")).rows;
    // New connections meet what a standby says; those that are open stay as they are, as behind a proxy after a fail-over.
    await operator.query(`ALTER DATABASE "${name}" SET default_transaction_read_only = on`);
    const failedOver = postgresStore({ pool: own.pool() });
    onTestFinished(() => failedOver.close());
    const refusal = await failedOver.ledger.append([entry({ id: "during" })]).catch((thrown: unknown) => thrown);
    expect((refusal as Error).message).toContain("it may only be read");
    await operator.query("SET default_transaction_read_only = off");
    await operator.query(`ALTER DATABASE "${name}" RESET default_transaction_read_only`);
    await eventually(() => failedOver.ledger.append([entry({ id: "after" })]));
    expect(await idsOf(failedOver.ledger)).toEqual(expect.arrayContaining(["after", "during", "before"]));
  }, 60_000);

  it("writes nothing twice whose confirmation was lost, sums and counters included", async () => {
    let left = 0;
    const store = openStore(
      newSchema(),
      losing(suite.server.pool(), () => left-- > 0),
    );
    await store.ledger.recover(midnight);
    for (let number = 1; number <= 20; number++) {
      left = number % 4;
      const standing = { counter: "c", start: midnight, end: midnight + day, used: number };
      const appended = store.ledger.append([entry({ id: `evt_${number}` })], [standing]);
      expect(await appended.then(() => "written", codeOf)).toBe(number % 4 === 0 ? "written" : "store_unavailable");
    }
    left = 0;
    await store.ledger.append([entry({ id: "evt_21" })]);
    const wanted = Array.from({ length: 21 }, (_, n) => `evt_${21 - n}`);
    expect(await idsOf(store.ledger)).toEqual(wanted);
    expect(await store.ledger.query({ from: 0, to: Infinity })).toMatchObject([{ requests: 21, attempts: 21 }]);
    expect((await store.ledger.inspect(midnight)).counterValues).toMatchObject([{ used: 20 }]);
  });

  it("takes nothing for known while it cannot hear, and hears again once its connection is back", async () => {
    const schema = newSchema();
    const [one, two] = [openStore(schema).records, openStore(schema).records];
    await two.count("key");
    two.stamp();
    const before = two.stamp();
    expect(two.stamp()).toBe(before);
    await one.put("customer", { ...key("c") } as never, 0);
    await eventually(() => expect(two.stamp()).not.toBe(before));
    expect(two.stamp(["key"])).toBe(two.stamp(["key"]));
    const heard = two.stamp(["key"]);
    await one.put("customer", { ...key("d") } as never, 0);
    await eventually(() => expect(two.stamp(["customer"])).not.toBe(two.stamp(["key"])));
    expect(two.stamp(["key"])).toBe(heard);
    await suite.server.ask(
      "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE query LIKE '%LISTEN%' AND pid <> pg_backend_pid()",
    );
    await eventually(() => expect(two.stamp()).not.toBe(two.stamp()));
    await eventually(() => expect(two.stamp()).toBe(two.stamp()));
    const again = two.stamp();
    await one.put("customer", { ...key("e") } as never, 0);
    await eventually(() => expect(two.stamp()).not.toBe(again));
  });

  it("takes nothing for known that may have changed while its connection was away, though nobody asked meanwhile", async () => {
    const { records } = openStore(newSchema());
    await records.count("key");
    records.stamp();
    const before = records.stamp();
    const line = async () =>
      (await suite.server.ask(`SELECT max(backend_start)::text AS since FROM pg_stat_activity ${listening}`))?.since;
    const first = await line();
    await suite.server.ask(`SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity ${listening}`);
    await eventually(async () => expect([first, null]).not.toContain(await line()));
    await records.count("key");
    expect(records.stamp()).not.toBe(before);
    expect(records.stamp()).toBe(records.stamp());
  });

  it("tells one that lost its place to another, and keeps it from what counters hold; its entries are written", async () => {
    const schema = newSchema();
    const one = openStore(schema);
    const standing = { counter: "c", start: midnight, end: midnight + day, used: 1 };
    await one.ledger.recover(midnight);
    await one.ledger.append([entry({ id: "evt_1" })], [standing]);
    await suite.server.ask(`UPDATE ${schema}.writer_epoch SET number = number + 1`); // as another does that has taken the place
    await one.ledger.append([entry({ id: "evt_2" })], [{ ...standing, used: 2 }]);
    const told = one.ledger.append([entry({ id: "evt_3" })], [{ ...standing, used: 3 }]);
    await expect(told).rejects.toThrow("Another gateway counts by this store now");
    expect(await idsOf(one.ledger)).toEqual(["evt_3", "evt_2", "evt_1"]);
    expect((await one.ledger.inspect(midnight)).counterValues).toEqual([standing]);
    await one.ledger.recover(midnight);
    await one.ledger.append([], [{ ...standing, used: 4 }]);
    expect((await one.ledger.inspect(midnight)).counterValues).toEqual([{ ...standing, used: 4 }]);
  });

  it("writes what is waiting when it is closed, and takes nothing after that", async () => {
    const schema = newSchema();
    const store = postgresStore({ pool: suite.server.pool(), schema });
    const written = store.ledger.append([entry()]);
    await store.close();
    await written;
    await expect(store.ledger.append([entry()])).rejects.toMatchObject({ code: "shutting_down" });
    expect(await idsOf(openStore(schema).ledger)).toEqual(["evt_1"]);
  });

  it("says how much is lost where it is closed and the server is gone", async () => {
    const store = postgresStore({ pool: losing(suite.server.pool(), () => true), schema: newSchema() });
    await store.ledger.append([entry(), entry()]).catch(() => {});
    await expect(store.close()).rejects.toThrow("2 entries of the ledger are lost");
  });
});

describe("a process that is killed", () => {
  it("has lost nothing that was confirmed, has written nothing twice, and has left its place", async () => {
    const schema = newSchema();
    const child = spawn(process.execPath, [program, suite.server.folder, schema], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const confirmed = await readUntil(child, 2_000);
    child.kill("SIGKILL");
    await once(child, "exit");
    const { ledger } = openStore(schema);
    const atWork = `SELECT count(*)::int AS count FROM pg_stat_activity WHERE state <> 'idle' AND query LIKE '%${schema}%' AND pid <> pg_backend_pid()`;
    await eventually(async () => expect(await suite.server.ask(atWork)).toEqual({ count: 0 })); // the server ends what it was sent
    const all = await suite.server.ask(
      `SELECT json_agg(event_id) AS ids, count(*)::int AS count FROM ${schema}.request`,
    );
    const ids = new Set(all?.ids as string[]);
    expect(ids.size).toBe(all?.count);
    expect(confirmed.filter((id) => !ids.has(id))).toEqual([]);
    const [row] = await ledger.query({ from: 0, to: Infinity });
    expect(row?.requests).toBe(ids.size);
    const { counterValues: standings } = await eventually(async () => ledger.recover(midnight));
    expect(standings).toMatchObject([{ used: ids.size }]);
  });
});

/** The ids that a child has told, once there are as many. */
async function readUntil(child: ChildProcess, count: number): Promise<string[]> {
  let told = "";
  const isEnough = new Promise<void>((resolve, reject) => {
    child.stdout?.on("data", (piece) => {
      told += piece;
      if (told.split("\n").length > count) resolve();
    });
    child.once("exit", () => reject(new Error("the child ended by itself")));
  });
  await isEnough;
  return told.slice(0, told.lastIndexOf("\n")).split("\n");
}
