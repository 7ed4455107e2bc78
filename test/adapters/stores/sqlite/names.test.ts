import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, it, onTestFinished } from "vitest";
import { sqliteStore } from "../../../../adapters/stores/sqlite/index.ts";
import type { Records } from "../../../../src/engine/ports/records.ts";
import { key } from "../../../../src/testing/conformance/records/drafts.ts";
import { downgrade } from "../../support/downgrade.ts";

function newFolder() {
  const folder = mkdtempSync(join(tmpdir(), "tollgate-names-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

const claim = async (records: Records, id: string, name: string) => {
  const outcome = await records.batch([
    { kind: "key", put: key(id, { name }), expected: 0 },
    { kind: "key", claimName: id },
  ]);
  return outcome.kind;
};

it("opens an older file in which two keys have one name; both stay, can be changed, and hold it", async () => {
  const folder = newFolder();
  const [path, old] = [join(folder, "new.db"), join(folder, "old.db")];
  const before = await sqliteStore(path);
  for (const id of ["k1", "k2"]) await before.records.put("key", key(id, { name: "e\u0301" }), 0);
  await before.records.put("key", key("k3"), 0);
  downgrade(path, old, 5);
  await before.close();
  const damaged = new DatabaseSync(old);
  damaged.exec("UPDATE record SET body = '{' WHERE id = 'k3'");
  damaged.close();
  const { records, close } = await sqliteStore(old);
  onTestFinished(() => close());
  expect(await claim(records, "k4", "\u00e9")).toBe("refused");
  expect(await records.put("key", key("k1", { name: "\u00e9", description: "changed" }), 1)).toMatchObject({
    version: 2,
  });
  await records.remove("key", "k2");
  expect(await claim(records, "k4", "\u00e9")).toBe("refused");
  await records.remove("key", "k1");
  expect(await claim(records, "k4", "\u00e9")).toBe("stored");
});

it("a name that an older gateway on the same file freed can be claimed", async () => {
  const path = join(newFolder(), "shared.db");
  const { records, close } = await sqliteStore(path);
  onTestFinished(() => close());
  for (const id of ["k1", "k2"]) await records.put("key", key(id, { name: id }), 0);
  // It renames and deletes without the links that it does not know of.
  const older = new DatabaseSync(path);
  older.exec("UPDATE record SET body = json_set(body, '$.name', 'renamed'), version = 2 WHERE id = 'k1'");
  older.exec("DELETE FROM record WHERE id = 'k2'; DELETE FROM record_text WHERE id = 'k2'");
  older.close();
  expect([await claim(records, "k3", "k1"), await claim(records, "k4", "k2")]).toEqual(["stored", "stored"]);
  expect(await claim(records, "k5", "k1")).toBe("refused");
});
