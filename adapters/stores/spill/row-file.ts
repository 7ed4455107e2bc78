import { chmodSync, closeSync, existsSync, openSync, readdirSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { GatewayError } from "../../../src/engine/errors.ts";
import type { LedgerEntry } from "../../../src/engine/ports/ledger.ts";
import { loadSqlite } from "../../shared/sqlite-module.ts";

/** An entry in the file, and where it is. */
export interface WaitingRow {
  readonly position: number;
  readonly entry: LedgerEntry;
}

/** Entries of a ledger in a file of their own, which one process has at a time. */
export interface RowFile {
  readonly path: string;
  /** How many wait. */
  readonly count: number;
  /** The position of the last that an earlier process left; 0 without any. */
  readonly inherited: number;
  /** Adds entries, all or none; throws where the disk or the file is full. They survive the death of the process and of the machine. */
  add(entries: readonly LedgerEntry[]): void;
  /** The first that wait, oldest first, behind a position. */
  first(limit: number, after?: number): readonly WaitingRow[];
  remove(positions: readonly number[]): void;
  close(): void;
}

/** Files of one name: its own, and `-2`, `-3` … of other processes in the same folder. */
const mostFiles = 64;
const pageSize = 4_096;
/** Marks the file as one of these: "tgrw". */
const applicationId = 0x74677277;

/**
 * Opens the first file of this name that no other process has, and moves in what processes that are gone left in others. Throws
 * `invalid_configuration` with the path where none can be used.
 */
export function openRowFile(path: string, maxBytes: number): RowFile {
  for (let number = 1; number <= mostFiles; number++) {
    const own = lockFile(numbered(path, number));
    if (!own) continue;
    own.database.exec(`PRAGMA max_page_count = ${Math.max(16, Math.floor(maxBytes / pageSize))}`);
    const file = wrap(own);
    for (const other of siblingsOf(path, own.path)) adopt(file, other);
    return file;
  }
  throw unusable(path, `${mostFiles} other processes use files of this name`);
}

function numbered(path: string, number: number): string {
  return number === 1 ? path : `${path}-${number}`;
}

/** The other files of this name. */
function siblingsOf(path: string, own: string): string[] {
  const name = basename(path);
  const isSibling = (file: string) =>
    file === name || (file.startsWith(`${name}-`) && /^\d+$/.test(file.slice(name.length + 1)));
  const files = readdirSync(dirname(path)).filter(isSibling);
  return files.map((file) => join(dirname(path), file)).filter((file) => file !== own);
}

/** Moves the rows of a process that is gone. One that dies meanwhile leaves rows in both files; their ids identify them. */
function adopt(file: RowFile, path: string): void {
  const other = lockFile(path);
  if (!other) return;
  const left = wrap(other);
  for (let rows = left.first(500); rows.length > 0; rows = left.first(500)) {
    file.add(rows.map(({ entry }) => entry));
    left.remove(rows.map(({ position }) => position));
  }
  left.close();
}

interface LockedFile {
  readonly path: string;
  readonly database: DatabaseSync;
}

/** Opens a file for this process alone; `undefined` where another one has it. */
function lockFile(name: string): LockedFile | undefined {
  const path = resolve(name);
  const { DatabaseSync } = loadSqlite();
  let database: DatabaseSync | undefined;
  try {
    if (!existsSync(path)) closeSync(openSync(path, "a", 0o600)); // entries hold labels of callers
    chmodSync(path, 0o600);
    database = new DatabaseSync(path);
    database.exec(`PRAGMA busy_timeout = 0; PRAGMA page_size = ${pageSize}; PRAGMA locking_mode = EXCLUSIVE`);
    database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; BEGIN IMMEDIATE");
    checkOwner(database, path);
    database.exec(`PRAGMA application_id = ${applicationId}`);
    database.exec("CREATE TABLE IF NOT EXISTS waiting (position INTEGER PRIMARY KEY, entry TEXT NOT NULL); COMMIT");
    return { path, database };
  } catch (thrown) {
    database?.close();
    if (Object(thrown).errcode === locked) return undefined;
    throw thrown instanceof GatewayError ? thrown : unusable(path, (thrown as Error).message, thrown);
  }
}

/** SQLite's SQLITE_BUSY. */
const locked = 5;

function checkOwner(database: DatabaseSync, path: string): void {
  const owner = Number(database.prepare("PRAGMA application_id").get()?.application_id);
  const tables = Number(database.prepare("SELECT count(*) AS count FROM sqlite_schema").get()?.count);
  if (owner !== applicationId && tables > 0) throw unusable(path, "it belongs to another program");
}

function unusable(path: string, why: string, cause?: unknown): GatewayError {
  const message = `\`path\` of spillingStore names ${path}, which cannot be used: ${why}.`;
  return new GatewayError("invalid_configuration", message, { param: "path", cause });
}

function wrap({ path, database }: LockedFile): RowFile {
  const insert = database.prepare("INSERT INTO waiting (entry) VALUES (?)");
  const select = database.prepare("SELECT position, entry FROM waiting WHERE position > ? ORDER BY position LIMIT ?");
  const remove = database.prepare("DELETE FROM waiting WHERE position IN (SELECT value FROM json_each(?))");
  const inherited = Number(database.prepare("SELECT max(position) AS last FROM waiting").get()?.last);
  let count = Number(database.prepare("SELECT count(*) AS count FROM waiting").get()?.count);
  const transact = (work: () => void) => {
    database.exec("BEGIN IMMEDIATE");
    try {
      work();
      database.exec("COMMIT");
    } catch (thrown) {
      if (database.isTransaction) database.exec("ROLLBACK");
      throw thrown;
    }
  };
  return {
    ...{ path, inherited },
    get count() {
      return count;
    },
    add(entries) {
      const texts = entries.map((entry) => JSON.stringify(entry));
      transact(() => {
        for (const text of texts) insert.run(text);
      });
      count += entries.length;
    },
    first: (limit, after = 0) =>
      select.all(after, limit).map(({ position, entry }) => ({
        position: Number(position),
        entry: JSON.parse(String(entry)) as LedgerEntry, // written above
      })),
    remove(positions) {
      transact(() => void remove.run(JSON.stringify(positions)));
      count -= positions.length;
      if (count === 0) database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    },
    close: () => database.close(),
  };
}
