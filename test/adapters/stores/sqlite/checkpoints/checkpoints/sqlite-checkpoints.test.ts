import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openCheckpoints } from "../../../../../../adapters/stores/sqlite/checkpoints/checkpoints.ts";
import { type Connection, openConnection } from "../../../../../../adapters/stores/sqlite/connection.ts";

let folder = "";
let connection: Connection;
const path = () => join(folder, "tollgate.db");

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tg-checkpoints-"));
  connection = openConnection(path());
  connection.write(() => connection.prepare("CREATE TABLE filler (text TEXT)").run());
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** One transaction of some eight pages. */
function fill(): void {
  const text = "x".repeat(60_000);
  connection.write(() => connection.prepare("INSERT INTO filler VALUES (?)").run(text));
}

function pragma(name: string): number {
  return Number(Object.values(connection.prepare(`PRAGMA ${name}`).get() ?? {})[0]);
}

test("a thread copies the log into the file, and the connection leaves it to that thread", async () => {
  const checkpoints = openCheckpoints(connection);
  for (let n = 0; n < 200; n++) fill();
  const before = statSync(path()).size;
  checkpoints.afterWrite(8_000);
  await expect.poll(() => pragma("wal_autocheckpoint"), { timeout: 10_000 }).toBe(32_000);
  expect(statSync(path()).size).toBeGreaterThan(before + 10_000_000);
  await checkpoints.close();
  connection.close();
  expect(existsSync(`${path()}-wal`)).toBe(false);
});

test("no thread is started for a few transactions", async () => {
  const checkpoints = openCheckpoints(connection);
  for (let n = 0; n < 400; n++) checkpoints.afterWrite(1);
  await checkpoints.close();
  expect(pragma("wal_autocheckpoint")).toBe(2_000);
  connection.close();
});

test("where the thread fails, the connection checkpoints by itself", async () => {
  const checkpoints = openCheckpoints({ ...connection, path: join(folder, "nowhere", "tollgate.db") });
  connection.checkpointAt(32_000);
  checkpoints.afterWrite(8_000);
  await expect.poll(() => pragma("wal_autocheckpoint"), { timeout: 10_000 }).toBe(2_000);
  checkpoints.afterWrite(8_000);
  await checkpoints.close();
  connection.close();
});
