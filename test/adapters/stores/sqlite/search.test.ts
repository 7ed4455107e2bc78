import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { sqliteStore } from "../../../../adapters/stores/sqlite/index.ts";
import { key } from "../../../../src/testing/conformance/records/drafts.ts";
import { downgrade } from "../../support/downgrade.ts";

it("finds the records of an older file by their texts and tenants", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tollgate-search-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [path, old] = [join(folder, "new.db"), join(folder, "old.db")];
  const before = await sqliteStore(path);
  await before.records.put("key", key("k1", { name: "Older", metadata: { reseller: "r", client_id: "c" } }), 0);
  await before.records.put("key", key("k2"), 0);
  downgrade(path, old, 3);
  await before.close();
  const store = await sqliteStore(old);
  onTestFinished(() => store.close());
  for (const question of [{ search: "older" }, { where: { reseller: "r", client_id: "c" } }])
    expect((await store.records.list("key", { ...question, limit: 9 })).records).toMatchObject([
      { record: { id: "k1" } },
    ]);
  expect(await store.records.put("key", key("k1", { name: "newer" }), 1)).toMatchObject({ kind: "stored" });
  expect((await store.records.list("key", { search: "older", limit: 9 })).records).toEqual([]);
});
