import { chmodSync, closeSync, existsSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { GatewayError, isGatewayError } from "../../../src/engine/errors.ts";
import { loadSqlite } from "../../shared/sqlite-module.ts";
import { describeFault } from "./fault.ts";
import { applicationId, migrations } from "./schema.ts";

/** An open store file. All of it is synchronous. */
export interface Connection {
  readonly path: string;
  /** A prepared statement, kept for the next time. */
  prepare(sql: string): StatementSync;
  /** Runs `work` in a transaction that writes, all or nothing. */
  write<Result>(work: () => Result): Result;
  /** Runs `work` in a transaction that sees one state of the file, whatever other processes write meanwhile. */
  read<Result>(work: () => Result): Result;
  /** From now on, a write waits this many milliseconds for another process's lock; the wait blocks this process's event loop. */
  waitFor(ms: number): void;
  /** From now on, a transaction that leaves so many pages in the log copies them into the file. */
  checkpointAt(pages: number): void;
  close(): void;
}

/** Milliseconds for a lock where nobody else is kept waiting: commands, and the opening and closing of a store. */
export const lockTimeoutMs = 5_000;

/** Pages of the log that a transaction copies into the file, unless a thread does. */
export const ownCheckpointPages = 2_000;

/** Statements that are kept; more means that questions of usage differ a lot, and they are prepared anew. */
const mostStatements = 300;

/**
 * Opens a store file, makes it when it is not there, and brings its tables up to date. Whatever is wrong with the file or its folder
 * is `invalid_configuration`, in one sentence that names the path; a file of another program is left untouched.
 */
export function openConnection(path: string): Connection {
  let database: DatabaseSync | undefined;
  try {
    checkAddress(path);
    createPrivate(path);
    database = openFile(path);
    checkOwner(database, path);
    keepPrivate(path);
    database.exec("PRAGMA page_size = 8192"); // of a new file: rows that are appended begin a page half as often
    database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;");
    database.exec(`PRAGMA wal_autocheckpoint = ${ownCheckpointPages}`);
    database.exec("PRAGMA cache_size = -32000; PRAGMA temp_store = MEMORY;");
    migrate(database, path);
    return wrap(database, path);
  } catch (thrown) {
    database?.close();
    if (isGatewayError(thrown)) throw thrown;
    throw broken(path, describeFault(thrown), thrown);
  }
}

/** Opens a file without looking into it. */
export function openFile(path: string): DatabaseSync {
  const { DatabaseSync } = loadSqlite();
  const database = new DatabaseSync(path);
  database.exec(`PRAGMA busy_timeout = ${lockTimeoutMs}`);
  return database;
}

function checkAddress(path: string): void {
  if (path === ":memory:") return;
  const folder = dirname(path);
  if (!existsSync(folder)) throw broken(path, `there is no folder ${folder}`);
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory()) throw broken(path, "it is a folder");
  // SQLite keeps its log beside the name that a file was opened by: two names, two logs, one damaged file.
  if (found?.isFile() && found.nlink > 1)
    throw broken(
      path,
      `the file has ${found.nlink} names (hard links); remove all but one, a symbolic link may stand in`,
    );
}

/** Permission bits of everybody but the owner. */
const ofOthers = 0o077;

/**
 * Leaves a store file to its owner alone (mode 0600); SQLite gives its log and its shared memory the permissions of the file when it
 * makes them. What belongs to another user is left as it is; Windows has no such permissions.
 */
function keepPrivate(path: string): void {
  if (path === ":memory:" || process.platform === "win32") return;
  try {
    for (const file of [path, `${path}-wal`, `${path}-shm`]) {
      const found = statSync(file, { throwIfNoEntry: false });
      if (found?.isFile() && (found.mode & ofOthers) !== 0) chmodSync(file, 0o600);
    }
  } catch {
    // of another user, who has given it to us
  }
}

/** Makes a store file that is not there, empty, with the permissions that it keeps. */
function createPrivate(path: string): void {
  if (path === ":memory:" || existsSync(path)) return;
  try {
    closeSync(openSync(path, "a", 0o600));
  } catch {
    // SQLite reports a folder that cannot be used, in its own words
  }
}

function checkOwner(database: DatabaseSync, path: string): void {
  const owner = readNumber(database, "PRAGMA application_id");
  if (owner === applicationId) return;
  const isEmpty = owner === 0 && readNumber(database, "SELECT count(*) FROM sqlite_schema") === 0;
  if (!isEmpty) throw broken(path, "it belongs to another program");
}

/**
 * What is up to date is not written: who only reads then opens a file that is locked or on a full disk, and no gateway takes it for a
 * change.
 */
function migrate(database: DatabaseSync, path: string): void {
  if (isUpToDate(database)) return;
  database.exec("BEGIN IMMEDIATE");
  try {
    database.exec("CREATE TABLE IF NOT EXISTS schema_version (version INTEGER NOT NULL)");
    const version = readNumber(database, "SELECT coalesce(max(version), 0) FROM schema_version");
    if (version > migrations.length) {
      const versions = `version ${version}, and this one knows up to ${migrations.length}`;
      throw broken(path, `it was written by a newer tollgate (its tables are of ${versions})`);
    }
    for (const step of migrations.slice(version)) {
      if (typeof step === "string") database.exec(step);
      else step(database);
    }
    database.exec(`PRAGMA application_id = ${applicationId}`);
    database.exec(`DELETE FROM schema_version; INSERT INTO schema_version VALUES (${migrations.length})`);
    database.exec("COMMIT");
  } catch (thrown) {
    rollBack(database);
    throw thrown;
  }
}

function isUpToDate(database: DatabaseSync): boolean {
  if (readNumber(database, "PRAGMA application_id") !== applicationId) return false;
  return readNumber(database, "SELECT coalesce(max(version), 0) FROM schema_version") === migrations.length;
}

/** Ends a transaction that failed. On a full disk and the like SQLite has ended it already; its first error is the one to tell. */
function rollBack(database: DatabaseSync): void {
  try {
    database.exec("ROLLBACK");
  } catch {
    // no transaction is open any more
  }
}

function readNumber(database: DatabaseSync, sql: string): number {
  return Number(Object.values(database.prepare(sql).get() ?? {})[0]);
}

function broken(path: string, why: string, cause?: unknown): GatewayError {
  return new GatewayError("invalid_configuration", `The store ${path} cannot be opened: ${why}.`, {
    param: "store",
    cause,
  });
}

function wrap(database: DatabaseSync, path: string): Connection {
  const statements = new Map<string, StatementSync>();
  const prepare = (sql: string): StatementSync => {
    const known = statements.get(sql);
    if (known) return known;
    if (statements.size >= mostStatements) statements.clear();
    const statement = database.prepare(sql);
    statements.set(sql, statement);
    return statement;
  };
  let waits: number | undefined;
  let checkpointPages = ownCheckpointPages;
  const transact = <Result>(begin: string, work: () => Result): Result => {
    prepare(begin).run();
    try {
      const result = work();
      prepare("COMMIT").run();
      return result;
    } catch (thrown) {
      rollBack(database);
      throw thrown;
    }
  };
  return {
    path,
    prepare,
    write: (work) => transact("BEGIN IMMEDIATE", work),
    read: (work) => transact("BEGIN", work),
    waitFor(ms) {
      if (ms !== waits) database.exec(`PRAGMA busy_timeout = ${ms}`);
      waits = ms;
    },
    checkpointAt(pages) {
      if (pages !== checkpointPages) database.exec(`PRAGMA wal_autocheckpoint = ${pages}`);
      checkpointPages = pages;
    },
    close: () => database.close(),
  };
}
