import {
  chmodSync,
  copyFileSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { sqliteStore } from "../../../../adapters/stores/sqlite/index.ts";
import { migrations } from "../../../../adapters/stores/sqlite/schema.ts";
import { isGatewayError } from "../../../../src/engine/errors.ts";
import { anEntryOf } from "../../support/entries.ts";

const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
const folder = mkdtempSync(join(tmpdir(), "tollgate-sqlite-"));
afterAll(() => rmSync(folder, { recursive: true }));
let files = 0;

function newPath(): string {
  return join(folder, `${files++}.db`);
}

/** The one sentence with which a path is refused. */
function refusalOf(path: string): string {
  try {
    void sqliteStore(path).close();
  } catch (thrown) {
    if (isGatewayError(thrown) && thrown.code === "invalid_configuration" && thrown.param === "store")
      return thrown.message;
    throw thrown;
  }
  return "opened";
}

/** A file with a few thousand entries. */
async function makeStore(path: string): Promise<void> {
  const store = sqliteStore(path);
  await store.ledger.append(Array.from({ length: 3_000 }, () => anEntryOf()));
  await store.close();
}

describe("a file that cannot be used is refused in one sentence that names it", () => {
  it("in a folder that is not there", () => {
    const path = join(folder, "none", "a.db");
    expect(refusalOf(path)).toBe(`The store ${path} cannot be opened: there is no folder ${join(folder, "none")}.`);
  });

  it("that is a folder", () => {
    expect(refusalOf(folder)).toBe(`The store ${folder} cannot be opened: it is a folder.`);
  });

  it("that is no SQLite file, and stays what it is", () => {
    const path = newPath();
    const text = "something else entirely, of some length, so that it is not taken for an empty file ".repeat(20);
    writeFileSync(path, text);
    expect(refusalOf(path)).toBe(`The store ${path} cannot be opened: it is not a SQLite file.`);
    expect(readFileSync(path, "utf8")).toBe(text);
  });

  it("that belongs to another program, and stays what it is", () => {
    const path = newPath();
    const other = new DatabaseSync(path);
    other.exec("CREATE TABLE theirs (a)");
    other.close();
    const before = readFileSync(path);
    expect(refusalOf(path)).toBe(`The store ${path} cannot be opened: it belongs to another program.`);
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it("that a newer tollgate wrote", async () => {
    const path = newPath();
    await makeStore(path);
    const newer = new DatabaseSync(path);
    newer.exec("UPDATE schema_version SET version = 99");
    newer.close();
    expect(refusalOf(path)).toMatch(
      /^The store .*\.db cannot be opened: it was written by a newer tollgate \(its tables are of version 99, /,
    );
  });

  it("that was cut off", async () => {
    const whole = newPath();
    await makeStore(whole);
    const path = newPath();
    copyFileSync(whole, path);
    truncateSync(path, 5_000);
    expect(refusalOf(path)).toBe(`The store ${path} cannot be opened: it is damaged; bring it back from a backup.`);
  });

  it("in a folder that cannot be written", (context) => {
    const locked = join(folder, "locked");
    mkdirSync(locked);
    chmodSync(locked, 0o500);
    // Nobody is kept out of anything who is root, but not even root makes files there.
    const path = process.getuid?.() === 0 ? "/proc/tollgate.db" : join(locked, "a.db");
    if (process.platform === "win32") context.skip("folders have no such permissions here");
    expect(refusalOf(path)).toBe(
      `The store ${path} cannot be opened: it cannot be opened or made there; check the permissions of its folder.`,
    );
    chmodSync(locked, 0o700);
  });

  it("whose ledger another gateway writes", async () => {
    const path = newPath();
    const first = sqliteStore(path);
    await first.ledger.append([anEntryOf()]);
    const second = sqliteStore(path);
    const thrown = await second.ledger.append([anEntryOf()]).catch((error: unknown) => error);
    expect(isGatewayError(thrown) && thrown.message).toBe(
      `The store ${path} is in use by another gateway; a second one needs a store of its own.`,
    );
    expect(() => second.ledger.recover(0)).toThrow(/in use by another gateway/);
    expect((await second.ledger.entries({ limit: 9 })).entries).toHaveLength(1);
    await first.close();
    await second.ledger.append([anEntryOf()]);
    expect((await second.ledger.entries({ limit: 9 })).entries).toHaveLength(2);
    await second.close();
  });

  it("whose ledger another gateway writes, by a symbolic link to it", async (context) => {
    if (process.platform === "win32") context.skip("links need a privilege here");
    const path = newPath();
    const link = newPath();
    symlinkSync(path, link);
    const first = sqliteStore(path);
    await first.ledger.append([anEntryOf()]);
    const second = sqliteStore(link);
    await expect(second.ledger.append([anEntryOf()])).rejects.toThrow(
      `The store ${link} is in use by another gateway; a second one needs a store of its own.`,
    );
    await Promise.all([first.close(), second.close()]);
  });

  it("that has two names", async () => {
    const path = newPath();
    const other = newPath();
    await makeStore(path);
    linkSync(path, other);
    expect(refusalOf(other)).toMatch(/^The store .*\.db cannot be opened: the file has 2 names \(hard links\); /);
    rmSync(path);
    expect(refusalOf(other)).toBe("opened");
  });
});

describe("opening", () => {
  it("makes a file of our own, with a version, that opens again", async () => {
    const path = newPath();
    await makeStore(path);
    const file = new DatabaseSync(path, { readOnly: true });
    expect(file.prepare("PRAGMA application_id").get()).toEqual({ application_id: 0x746c6774 });
    expect(file.prepare("SELECT version FROM schema_version").all()).toEqual([{ version: migrations.length }]);
    expect(file.prepare("PRAGMA journal_mode").get()).toEqual({ journal_mode: "wal" });
    file.close();
    expect(refusalOf(path)).toBe("opened");
  });

  it("for reading begins no sums by hour, since a writer that knows of none may be at work; writing does", async () => {
    const path = newPath();
    const readHourly = () => {
      const file = new DatabaseSync(path, { readOnly: true });
      const hourly = file.prepare("SELECT hourly FROM mark").get()?.hourly;
      file.close();
      return hourly;
    };
    const reader = sqliteStore(path);
    await reader.ledger.query({ from: 0, to: Infinity });
    expect(readHourly()).toBe(Number.MAX_SAFE_INTEGER);
    for (const _start of ["first", "second"]) {
      const writer = sqliteStore(path);
      await writer.ledger.append([anEntryOf()]);
      expect(readHourly()).toBe(0);
      await writer.close();
    }
    await reader.close();
  });
});
