import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it, onTestFinished } from "vitest";
import { openConnection } from "../../../../adapters/stores/sqlite/connection.ts";
import { sqliteStore } from "../../../../adapters/stores/sqlite/index.ts";
import { sqliteLedger } from "../../../../adapters/stores/sqlite/ledger/ledger.ts";
import { runProgram } from "../../../../src/cli/run-program.ts";
import { createEngine } from "../../../../src/index.ts";
import { fakeTerminal } from "../../../cli/support/fake-terminal.ts";
import { anAttempt, anEntryOf } from "../../support/entries.ts";

/** A store with a key and a request, changed behind tollgate's back. */
async function keep(sql: string) {
  const folder = mkdtempSync(join(tmpdir(), "tollgate-damaged-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "tollgate.db");
  const engine = createEngine({ providers: [{ name: "nobody" }], store: sqliteStore(file) });
  const { key, value } = await engine.keys.create({ name: "ci" });
  await engine.close();
  const store = sqliteStore(file);
  await store.ledger.append([
    anEntryOf({ id: "evt_1", at: 0, metadata: { a: "b" }, attempts: [anAttempt({ at: 0 }), anAttempt({ at: 0 })] }),
  ]);
  await store.close();
  const database = new DatabaseSync(file);
  database.exec(sql);
  database.close();
  return { folder, file, id: key.id, value };
}

describe("a store that was changed by something else than tollgate", () => {
  it.each([
    ["no JSON", "'{ \"id\": '"],
    ["no record", "'null'"],
    ["another record", "json_set(body, '$.id', 'vk_other')"],
  ])("is told on the command line by its file and the record: %s", async (_what, body) => {
    const { folder, file, id } = await keep(`UPDATE record SET body = ${body} WHERE kind = 'key'`);
    const told = `tollgate: The store ${file} holds a record (key ${id}) that cannot be read: it was changed by something else than tollgate. Bring the file back from a backup, or remove that row.\n`;
    for (const line of ["key list", `key show ${id}`, "key show ci", "usage --by key"]) {
      const terminal = fakeTerminal({ folder });
      expect(await runProgram(line.split(" "), terminal, () => "1")).toBe(1);
      expect(terminal.written).toEqual({ out: "", err: told });
    }
  });

  it.each(["attempt SET items = '[['", "request SET items = '[['", "request SET metadata = 'x'"])(
    "is told by its file and the request: %s",
    async (sql) => {
      const { file } = await keep(`UPDATE ${sql}`);
      const store = sqliteStore(file);
      onTestFinished(() => store.close());
      await expect(store.ledger.entries({ limit: 1 })).rejects.toMatchObject({
        code: "internal",
        message: expect.stringContaining(`The store ${file} holds a request (evt_1) that cannot be read`),
      });
    },
  );

  it("is not told to callers over HTTP", async () => {
    const { file, value } = await keep("UPDATE record SET body = 'x' WHERE kind = 'key'");
    const engine = createEngine({ providers: [{ name: "nobody" }], store: sqliteStore(file) });
    onTestFinished(() => engine.close());
    const answer = await engine.fetch("http://engine/v1/models", { headers: { "x-tg-key": value } });
    expect(answer.status).toBe(500);
    expect(await answer.text()).not.toContain("tollgate.db");
  });
});

it("a full disk is told as such, and not as the transaction that SQLite has ended already", () => {
  const folder = mkdtempSync(join(tmpdir(), "tollgate-full-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const connection = openConnection(join(folder, "tollgate.db"));
  connection.prepare("PRAGMA max_page_count = 1").get(); // no more than there are
  const fill = connection.prepare("INSERT INTO name (text) VALUES (?)");
  const write = () =>
    connection.write(() => Array.from({ length: 9 }, () => fill.run("x".repeat(9_000) + Math.random())));
  expect(write).toThrow("database or disk is full");
  connection.prepare("PRAGMA max_page_count = 100000").get();
  write();
  connection.close();
});

it("what counters took while nothing could be written is kept by the first write after it", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tollgate-full-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const connection = openConnection(join(folder, "tollgate.db"));
  const ledger = sqliteLedger(connection, { rollEvery: 1_000, mostWaiting: 10_000 });
  const entry = (id: string, text = "") =>
    anEntryOf({ id, at: 0, metadata: { text }, attempts: [anAttempt({ at: 0, cost: 2 })] });
  const standing = (used: number) => [{ counter: "c", start: 0, end: 9_000, used }];
  await ledger.append([entry("evt_1")], standing(2));
  connection.prepare("PRAGMA max_page_count = 1").get(); // no more than there are
  await expect(ledger.append([entry("evt_2", "x".repeat(99_000))], standing(4))).rejects.toThrow("full");
  connection.prepare("PRAGMA max_page_count = 100000").get();
  await ledger.append([entry("evt_3")], standing(6));
  expect(await ledger.inspect(0)).toMatchObject({ counterValues: standing(6), entries: [] });
  ledger.close();
  connection.close();
});

/** A ledger whose disk is full until it is told that there is room, and no more than one page more than there are by then. */
function ledgerOnFullDisk() {
  const folder = mkdtempSync(join(tmpdir(), "tollgate-full-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const connection = openConnection(join(folder, "tollgate.db"));
  const ledger = sqliteLedger(connection, { rollEvery: 1_000, mostWaiting: 10_000 });
  const allow = (pages: number) => connection.prepare(`PRAGMA max_page_count = ${pages}`).get();
  const large = (id: string) =>
    anEntryOf({ id, at: 0, metadata: { text: "x".repeat(99_000) }, attempts: [anAttempt({ at: 0, cost: 2 })] });
  const names = async () => (await ledger.entries({ limit: 100 })).entries.map(({ id }) => id).sort();
  return { connection, ledger, allow, large, names };
}

it("entries that found the disk full follow the next that finds room, once, and are not charged again after a death", async () => {
  const { connection, ledger, allow, large, names } = ledgerOnFullDisk();
  const standing = (used: number) => [{ counter: "c", start: 0, end: 9_000, used }];
  await ledger.append([anEntryOf({ id: "evt_1", at: 0, attempts: [] })], standing(1));
  allow(1); // no more than there are
  await expect(ledger.append([large("evt_2")], standing(3))).rejects.toThrow("full");
  await expect(ledger.append([large("evt_3")], standing(5))).rejects.toThrow("full");
  expect(await names()).toEqual(["evt_1"]);
  allow(100_000);
  await ledger.append([large("evt_4")], standing(7));
  expect(await names()).toEqual(["evt_1", "evt_2", "evt_3", "evt_4"]);
  expect(await ledger.inspect(0)).toMatchObject({ counterValues: standing(7), entries: [] });
  const sums = await ledger.query({ group_by: [], from: 0, to: 1, filters: {} } as never);
  expect(sums).toMatchObject([{ requests: 4, cost: 6 }]);
  ledger.close();
  connection.close();
});

it("entries that found the disk full are written when the ledger is closed, where there is room by then", async () => {
  const { connection, ledger, allow, large, names } = ledgerOnFullDisk();
  await ledger.append([anEntryOf({ id: "evt_1", at: 0, attempts: [] })]);
  allow(1);
  await expect(ledger.append([large("evt_2")])).rejects.toThrow("full");
  allow(100_000);
  ledger.close();
  expect(await names()).toEqual(["evt_1", "evt_2"]);
  connection.close();
});
