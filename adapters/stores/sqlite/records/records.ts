import type {
  PutOutcome,
  RecordKind,
  RecordKinds,
  Records,
  RemoveOutcome,
  Stored,
} from "../../../../src/ports/records.ts";
import { countChanges } from "../../../shared/records/changes.ts";
import { readCursor, writeCursor } from "../../../shared/records/cursor.ts";
import { hashOf, listLinks, listReferences, readWhere } from "../../../shared/records/links.ts";
import type { Connection } from "../connection.ts";
import { inWords } from "../fault.ts";
import { readStored } from "../stored.ts";
import { createReady, type Ready, type SqliteRecordRow } from "./record-cache.ts";

/** Records in a store file, each a row of JSON beside what it is found by. */
export function sqliteRecords(connection: Connection): Records {
  const changes = countChanges();
  const readVersion = () => Number(connection.prepare("PRAGMA data_version").get()?.data_version);
  const countOthersChanges = countSteps(nowAndThen(readVersion));
  const ready = createReady(connection, readVersion);
  const changed = <Outcome extends PutOutcome | RemoveOutcome>(kind: RecordKind, outcome: Outcome): Outcome => {
    if (outcome.kind !== "stored" && outcome.kind !== "removed") return outcome;
    changes.note(kind);
    ready.forget(kind);
    return outcome;
  };
  const findOne = <Kind extends RecordKind>(
    column: "id" | "hash",
    kind: Kind,
    value: string,
  ): Stored<Kind> | undefined => {
    const sql = `SELECT id, version, body FROM record WHERE kind = ? AND ${column} = ?`;
    const row = connection.prepare(sql).get(kind, value);
    return row && ready.read(kind, row as unknown as SqliteRecordRow);
  };
  const inStore = <Result>(work: () => Result): Result => inWords(connection, work);
  const write = <Result>(work: () => Result): Result => inStore(() => connection.write(work));
  return {
    put(kind, record, expected) {
      const request = { kind, record, expected };
      return changed(
        kind,
        write(() => putRecord(connection, request)),
      );
    },
    get: (kind, id) => inStore(() => findOne("id", kind, id)),
    findByHash: (kind, hash) => inStore(() => findOne("hash", kind, hash)),
    list: (kind, question) =>
      inStore(() => ready.page(kind, question, () => listRecords({ connection, ready }, kind, question))),
    count: (kind, where) => inStore(() => countRecords(connection, kind, readWhere(where))),
    remove: (kind, id, expected) =>
      changed(
        kind,
        write(() => removeRecord(connection, { kind, id, expected })),
      ),
    stamp: (kinds) => changes.of(kinds) + countOthersChanges(), // both only grow, so that their sum tells of either
  };
}

/** How often a number was another than before. */
function countSteps(ask: () => number): () => number {
  let last = ask();
  let steps = 0;
  return () => {
    const present = ask();
    if (present !== last) steps++;
    last = present;
    return steps;
  };
}

/**
 * Milliseconds after which what another process wrote is seen: less than that process takes to end. To ask SQLite costs 7 µs, and more
 * under load.
 */
const unseenMs = 10;

/** Asks again when some time has passed since the last time, at the end of the turn in which it has. */
function nowAndThen(ask: () => number): () => number {
  let answer: number | undefined;
  return () => {
    if (answer !== undefined) return answer;
    setTimeout(() => {
      answer = undefined;
    }, unseenMs).unref();
    answer = ask();
    return answer;
  };
}

/** A wish to write a record. */
interface SqliteRecordPut<Kind extends RecordKind> {
  readonly kind: Kind;
  readonly record: RecordKinds[Kind];
  readonly expected: number;
}

function putRecord<Kind extends RecordKind>(
  connection: Connection,
  { kind, record, expected }: SqliteRecordPut<Kind>,
): PutOutcome {
  const { id, created_at } = record;
  const version = readVersionOf(connection, kind, id);
  if (version !== expected) return { kind: "moved", version };
  const hash = hashOf(record) ?? null;
  const holder = connection.prepare("SELECT id FROM record WHERE kind = ? AND hash = ?").get(kind, hash);
  if (holder && holder.id !== id) return { kind: "taken", field: "hash" };
  const links = listLinks(kind, record);
  const dangling = links.find(
    ({ names, value }) => names !== undefined && readVersionOf(connection, names, value) === 0,
  );
  if (dangling) return { kind: "dangling", field: dangling.field };
  dropLinks(connection, kind, id);
  connection
    .prepare(
      `INSERT INTO record (kind, id, version, created_at, hash, body) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (kind, id) DO UPDATE SET version = excluded.version, created_at = excluded.created_at,
       hash = excluded.hash, body = excluded.body`,
    )
    .run(kind, id, version + 1, created_at, hash, JSON.stringify(record));
  const insert = connection.prepare("INSERT INTO link (kind, field, value, created_at, id) VALUES (?, ?, ?, ?, ?)");
  for (const { field, value } of links) insert.run(kind, field, value, created_at, id);
  return { kind: "stored", version: version + 1 };
}

function readVersionOf(connection: Connection, kind: RecordKind, id: string): number {
  return Number(connection.prepare("SELECT version FROM record WHERE kind = ? AND id = ?").get(kind, id)?.version ?? 0);
}

/** Links are found through the record that has them, so that no index by id is needed. */
function dropLinks(connection: Connection, kind: RecordKind, id: string): void {
  const row = connection.prepare("SELECT body FROM record WHERE kind = ? AND id = ?").get(kind, id);
  if (!row) return;
  const record = readStored(connection, `a record (${kind} ${id})`, String(row.body)) as RecordKinds[RecordKind];
  const sql = "DELETE FROM link WHERE kind = ? AND field = ? AND value = ? AND created_at = ? AND id = ?";
  for (const { field, value } of listLinks(kind, record)) {
    connection.prepare(sql).run(kind, field, value, record.created_at, id);
  }
}

interface RecordSource {
  readonly connection: Connection;
  readonly ready: Ready;
}

function listRecords<Kind extends RecordKind>(
  { connection, ready }: RecordSource,
  kind: Kind,
  { where, limit, after }: Parameters<Records["list"]>[1],
) {
  const context = after === undefined ? undefined : readCursor(after);
  const link = readWhere(where);
  const source = link
    ? "link AS l CROSS JOIN record AS r ON r.kind = l.kind AND r.id = l.id WHERE l.kind = ? AND l.field = ? AND l.value = ?"
    : "record AS l WHERE l.kind = ?";
  const columns = link ? "r.id, r.version, r.body" : "l.id, l.version, l.body";
  const behind = context ? "AND (l.created_at, l.id) > (?, ?)" : "";
  const sql = `SELECT ${columns} FROM ${source} ${behind} ORDER BY l.created_at, l.id LIMIT ?`;
  const parameters = [kind, ...(link ?? []), ...(context ? [context.created_at, context.id] : []), limit + 1];
  const rows = connection.prepare(sql).all(...parameters) as unknown as SqliteRecordRow[];
  const records = rows.slice(0, limit).map((row) => ready.read(kind, row));
  const last = records.at(-1);
  return rows.length > limit && last ? { records, next: writeCursor(last.record) } : { records };
}

function countRecords(connection: Connection, kind: RecordKind, where: readonly [string, string] | undefined): number {
  const sql = where
    ? "SELECT count(*) AS count FROM link WHERE kind = ? AND field = ? AND value = ?"
    : "SELECT count(*) AS count FROM record WHERE kind = ?";
  return Number(connection.prepare(sql).get(kind, ...(where ?? []))?.count);
}

/** A wish to remove a record. */
interface SqliteRecordRemoval {
  readonly kind: RecordKind;
  readonly id: string;
  readonly expected: number | undefined;
}

function removeRecord(connection: Connection, { kind, id, expected }: SqliteRecordRemoval): RemoveOutcome {
  const version = readVersionOf(connection, kind, id);
  if (version === 0) return { kind: "missing" };
  if (expected !== undefined && expected !== version) return { kind: "moved", version };
  for (const { kind: by, field } of listReferences(kind)) {
    const count = countRecords(connection, by, [field, id]);
    if (count > 0) return { kind: "needed", by, count };
  }
  dropLinks(connection, kind, id);
  connection.prepare("DELETE FROM record WHERE kind = ? AND id = ?").run(kind, id);
  return { kind: "removed" };
}
