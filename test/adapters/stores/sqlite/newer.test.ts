import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, it, onTestFinished } from "vitest";
import { sqliteStore } from "../../../../adapters/stores/sqlite/index.ts";
import { key } from "../../../../src/testing/conformance/records/drafts.ts";
import { anEntryOf } from "../../support/entries.ts";

const day = 86_400_000;
const month = 40 * day;

function newPath() {
  const folder = mkdtempSync(join(tmpdir(), "tollgate-newer-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, "store.db");
}

/** Adds a column to every table, as the next version may: with a default, so that rows of this version have a value. */
function addColumns(path: string): string[] {
  const file = new DatabaseSync(path);
  const tables = file.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'").all();
  const names = tables.map(({ name }) => String(name)).filter((name) => name !== "schema_version");
  for (const name of names) file.exec(`ALTER TABLE ${name} ADD COLUMN of_a_newer_version INTEGER NOT NULL DEFAULT 0`);
  file.exec("UPDATE schema_version SET version = version + 1");
  file.close();
  return names;
}

it("a gateway goes on with a file that a newer one has given more columns: it rolls, folds days, prunes and changes records", async () => {
  const path = newPath();
  const store = await sqliteStore(path);
  const { ledger, records } = store;
  const call = (id: string, at: number) => anEntryOf({ id, at, key_id: "vk_1", attempts: [] });
  const standing = (used: number) => ({ counter: "c", start: 0, end: 2 * month, used });
  await ledger.append([call("evt_1", 0)], [standing(1)]);
  expect(addColumns(path).length).toBeGreaterThan(12);
  await ledger.append([call("evt_2", day), call("evt_3", 2 * day)], [standing(2)]); // folds the days before into their month
  await ledger.append([call("evt_4", month), call("evt_5", 1)], [standing(3)]); // one of a day that is folded
  expect(await records.put("key", key("k"), 0)).toMatchObject({ kind: "stored" });
  expect(await records.put("key", key("k", { name: "other" }), 1)).toMatchObject({ kind: "stored" });
  const requests = async (group_by: readonly ("month" | "day" | "key_id")[]) =>
    (await ledger.query({ from: 0, to: 2 * month, group_by })).map((row) => row.requests);
  expect([await requests(["month"]), await requests(["day"])]).toEqual([
    [4, 1],
    [2, 1, 1, 1],
  ]);
  expect((await ledger.entries({ limit: 9, filters: { key_id: "vk_1" } })).entries).toHaveLength(5);
  expect(await ledger.prune({ before: day, sums: true })).toBe(2);
  expect(await requests(["month"])).toEqual([2, 1]);
  await store.close(); // what is not summed up yet is rolled
  const file = new DatabaseSync(path, { readOnly: true });
  onTestFinished(() => file.close());
  expect(file.prepare("SELECT sum(requests) AS requests FROM usage_by_owner").get()).toEqual({ requests: 3 });
  expect(file.prepare("SELECT counter, used FROM standing").all()).toEqual([{ counter: "c", used: 3 }]);
  expect(file.prepare("SELECT count(*) AS rolls FROM roll").get()).not.toEqual({ rolls: 0 });
});

it("a gateway that starts on a file of a newer one is refused, with the reason", async () => {
  const path = newPath();
  await (await sqliteStore(path)).close();
  addColumns(path);
  const refused = { code: "invalid_configuration", message: expect.stringContaining("written by a newer tollgate") };
  await expect((async () => sqliteStore(path))()).rejects.toMatchObject(refused);
});
