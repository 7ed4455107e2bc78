import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openConnection } from "../../../../../adapters/stores/sqlite/connection.ts";
import { type SqliteLedger, sqliteLedger } from "../../../../../adapters/stores/sqlite/ledger/ledger.ts";
import { anEntryOf } from "../../../support/entries.ts";

/** What an append is refused with while the file is locked. */
const locked = {
  code: "store_unavailable",
  message: "The store cannot be used just now: another process has locked it.",
};

/** A ledger over a file whose next transactions find it locked, as many as `fail` was told. */
function openFaulty(path: string) {
  const connection = openConnection(path);
  let faults = 0;
  let errcode = 5;
  const write = <Result>(work: () => Result): Result => {
    if (faults-- > 0) throw Object.assign(new Error("database is locked"), { errcode });
    faults = 0;
    return connection.write(work);
  };
  const ledger = sqliteLedger({ ...connection, write }, { rollEvery: 1_000, mostWaiting: 10_000 });
  const fail = (count: number, code = 5) => {
    faults = count;
    errcode = code;
  };
  const close = async () => {
    try {
      await ledger.close();
    } finally {
      connection.close();
    }
  };
  return { ledger, fail, close };
}

function newPath(): string {
  const folder = mkdtempSync(join(tmpdir(), "tollgate-journal-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "a.db");
}

async function countRequests(ledger: SqliteLedger): Promise<number | undefined> {
  const [row] = await ledger.query({ from: 0, to: Infinity, group_by: [], filters: {} });
  return row?.requests;
}

it.each([1, 2, 3])("what is not yet summed is not lost when %d writes in a row find the file locked", async (count) => {
  const { ledger, fail, close } = openFaulty(newPath());
  await ledger.append([anEntryOf(), anEntryOf()]);
  fail(count);
  await expect(ledger.append([anEntryOf()])).rejects.toMatchObject(locked);
  fail(0);
  await ledger.append([anEntryOf()]);
  ledger.checkpoint();
  expect(await countRequests(ledger)).toBe(4);
  await close();
});

it("a gateway that finds the file locked at its first request writes the next ones behind what is there", async () => {
  const path = newPath();
  const before = openFaulty(path);
  await before.ledger.append([anEntryOf(), anEntryOf()]);
  before.close();
  const { ledger, fail, close } = openFaulty(path);
  fail(1);
  await expect(ledger.append([anEntryOf()])).rejects.toMatchObject(locked);
  await ledger.append([anEntryOf()]);
  expect(await countRequests(ledger)).toBe(4);
  await close();
});

it("a checkpoint after a write that failed sums what the file holds, not what was to be written", async () => {
  const path = newPath();
  const { ledger, fail, close } = openFaulty(path);
  await ledger.append([anEntryOf()]);
  fail(1);
  await expect(ledger.append([anEntryOf()])).rejects.toMatchObject(locked);
  ledger.checkpoint();
  expect(await countRequests(ledger)).toBe(1);
  await close();
  const again = openFaulty(path);
  expect(await countRequests(again.ledger)).toBe(2); // what waited was written by the closing
  await again.close();
});

it("a closing that finds the file locked lets go of it all the same", async () => {
  const path = newPath();
  const { ledger, fail, close } = openFaulty(path);
  await ledger.append([anEntryOf()]);
  fail(1);
  await expect(close()).rejects.toMatchObject(locked);
  const next = openFaulty(path);
  await next.ledger.append([anEntryOf()]);
  expect(await countRequests(next.ledger)).toBe(2);
  await next.close();
});

it("a line that cannot be drawn in a damaged file is told in words", async () => {
  const path = newPath();
  const { ledger, fail, close } = openFaulty(path);
  await ledger.append([anEntryOf()]);
  fail(1, 11);
  const message = `The store ${path} cannot be used: it is damaged; bring it back from a backup.`;
  expect(() => ledger.checkpoint()).toThrow(expect.objectContaining({ code: "internal", message }));
  await close();
});

it("a row that lay ready when another one could not be written is not written with the next ones", async () => {
  const connection = openConnection(newPath());
  let faults = 1;
  const prepare: typeof connection.prepare = (sql) => {
    if (sql.startsWith("INSERT INTO request ") && faults-- > 0) throw new Error("disk is full");
    return connection.prepare(sql);
  };
  const ledger = sqliteLedger({ ...connection, prepare }, { rollEvery: 1_000, mostWaiting: 10_000 });
  await expect(ledger.append([anEntryOf(), anEntryOf({ user: "u" })])).rejects.toThrow("disk is full");
  await ledger.append([anEntryOf(), anEntryOf({ user: "v" })]);
  ledger.checkpoint();
  expect(await countRequests(ledger)).toBe(2);
  const { entries } = await ledger.entries({ limit: 9 });
  expect(entries.map(({ user }) => user).toSorted()).toEqual(["v", undefined]);
  await ledger.close();
  connection.close();
});
