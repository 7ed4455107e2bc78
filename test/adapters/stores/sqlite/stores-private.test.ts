import { chmodSync, existsSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { sqliteStore } from "../../../../adapters/stores/sqlite/index.ts";
import { makeFolder } from "../../../clouds/support/local.ts";
import { withPortalKinds } from "../../../portal-kinds.ts";

const modeOf = (path: string) => statSync(path).mode & 0o777;
const role = {
  ...{ id: "r", created_at: "2026-11-20T00:00:00.000Z", reseller: null, client_id: null },
  ...{ name: "r", permissions: [] },
};

it("a store file, its log and its shared memory are for its owner alone, whatever the umask says", async () => {
  const path = join(await makeFolder(), "a.db");
  const before = process.umask(0);
  const store = withPortalKinds(sqliteStore(path));
  await store.records.put("role", role, 0);
  process.umask(before);
  for (const file of [path, `${path}-wal`, `${path}-shm`]) expect([file, modeOf(file)]).toEqual([file, 0o600]);
  await store.close();
});

it("one that others could read is closed to them when it is opened, with the log that a process left", async () => {
  const path = join(await makeFolder(), "a.db");
  const first = withPortalKinds(sqliteStore(path));
  await first.records.put("role", role, 0);
  for (const file of [path, `${path}-wal`, `${path}-shm`]) chmodSync(file, 0o644);
  const second = withPortalKinds(sqliteStore(path));
  for (const file of [path, `${path}-wal`, `${path}-shm`]) expect([file, modeOf(file)]).toEqual([file, 0o600]);
  await second.close();
  await first.close();
});

it("a file of another program is left as it is", async () => {
  const folder = await makeFolder();
  const path = join(folder, "other.db");
  const database = new DatabaseSync(path);
  database.exec("CREATE TABLE things (id INTEGER)");
  database.close();
  chmodSync(path, 0o644);
  expect(() => withPortalKinds(sqliteStore(path))).toThrow(/belongs to another program/);
  expect(modeOf(path)).toBe(0o644);
  writeFileSync(
    join(folder, "text"),
    "no database at all, but text that is longer than a header of SQLite would be ".repeat(20),
  );
  expect(() => withPortalKinds(sqliteStore(join(folder, "text")))).toThrow();
  expect(existsSync(join(folder, "text"))).toBe(true);
});
