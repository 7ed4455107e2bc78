import { ownedNameOf } from "../../../../src/engine/ports/owned-names.ts";
import type { KindDefinitions } from "../../../../src/engine/ports/record-kinds.ts";
import type {
  BatchOutcome,
  NameClaim,
  PutOutcome,
  RecordKind,
  RecordKinds,
  RecordWrite,
  RemoveOutcome,
} from "../../../../src/engine/ports/records.ts";
import { hashOf, listLinks, listReferences, searchTextOf } from "../../../shared/records/links.ts";
import type { Connection } from "../connection.ts";
import { readStored } from "../stored.ts";

/** An open store file, and the kinds that the store knows. */
export interface RecordFile {
  readonly connection: Connection;
  readonly kinds: KindDefinitions;
}

/** A wish to write a record. */
interface SqliteRecordPut<Kind extends RecordKind> {
  readonly kind: Kind;
  readonly record: RecordKinds[Kind];
  readonly expected: number;
}

/** Writes a record, within a transaction. */
export function putRecord<Kind extends RecordKind>(
  file: RecordFile,
  { kind, record, expected }: SqliteRecordPut<Kind>,
): PutOutcome {
  const { connection, kinds } = file;
  const { id, created_at } = record;
  const version = readVersionOf(connection, kind, id);
  if (version !== expected) return { kind: "moved", version };
  const hash = hashOf(record) ?? null;
  const holder = connection.prepare("SELECT id FROM record WHERE kind = ? AND hash = ?").get(kind, hash);
  if (holder && holder.id !== id) return { kind: "taken", field: "hash" };
  const links = listLinks(kinds, kind, record);
  const dangling = links.find(
    ({ names, value }) => names !== undefined && readVersionOf(connection, names, value) === 0,
  );
  if (dangling) return { kind: "dangling", field: dangling.field };
  dropIndexed(file, kind, id);
  connection
    .prepare(
      `INSERT INTO record (kind, id, version, created_at, hash, body) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (kind, id) DO UPDATE SET version = excluded.version, created_at = excluded.created_at,
       hash = excluded.hash, body = excluded.body`,
    )
    .run(kind, id, version + 1, created_at, hash, JSON.stringify(record));
  // An older version, at work on the same file, leaves the link of a name that it changes or deletes.
  const insert = connection.prepare(
    "INSERT OR IGNORE INTO link (kind, field, value, created_at, id) VALUES (?, ?, ?, ?, ?)",
  );
  for (const { field, value } of links) insert.run(kind, field, value, created_at, id);
  const text = searchTextOf(kinds, kind, record);
  const describe = "INSERT INTO record_text (kind, created_at, id, text) VALUES (?, ?, ?, ?)";
  if (text !== undefined) connection.prepare(describe).run(kind, created_at, id, text);
  return { kind: "stored", version: version + 1 };
}

function readVersionOf(connection: Connection, kind: RecordKind, id: string): number {
  return Number(connection.prepare("SELECT version FROM record WHERE kind = ? AND id = ?").get(kind, id)?.version ?? 0);
}

/** Links and texts are found through the record that has them, so that no index by id is needed. */
function dropIndexed({ connection, kinds }: RecordFile, kind: RecordKind, id: string): void {
  const row = connection.prepare("SELECT body FROM record WHERE kind = ? AND id = ?").get(kind, id);
  if (!row) return;
  const record = readStored(connection, `a record (${kind} ${id})`, String(row.body)) as RecordKinds[RecordKind];
  const sql = "DELETE FROM link WHERE kind = ? AND field = ? AND value = ? AND created_at = ? AND id = ?";
  for (const { field, value } of listLinks(kinds, kind, record)) {
    connection.prepare(sql).run(kind, field, value, record.created_at, id);
  }
  if (searchTextOf(kinds, kind, record) === undefined) return;
  const forget = "DELETE FROM record_text WHERE kind = ? AND created_at = ? AND id = ?";
  connection.prepare(forget).run(kind, record.created_at, id);
}

/** A wish to remove a record. */
interface SqliteRecordRemoval {
  readonly kind: RecordKind;
  readonly id: string;
  readonly expected: number | undefined;
}

/** Removes a record, within a transaction. */
export function removeRecord(file: RecordFile, { kind, id, expected }: SqliteRecordRemoval): RemoveOutcome {
  const { connection, kinds } = file;
  const version = readVersionOf(connection, kind, id);
  if (version === 0) return { kind: "missing" };
  if (expected !== undefined && expected !== version) return { kind: "moved", version };
  for (const { kind: by, field } of listReferences(kinds, kind)) {
    const sql = "SELECT count(*) AS count FROM link WHERE kind = ? AND field = ? AND value = ?";
    const count = Number(connection.prepare(sql).get(by, field, id)?.count);
    if (count > 0) return { kind: "needed", by, count };
  }
  dropIndexed(file, kind, id);
  connection.prepare("DELETE FROM record WHERE kind = ? AND id = ?").run(kind, id);
  return { kind: "removed" };
}

/** Writes one after the other, within a transaction: all or, where one of them cannot be done, none. */
export function writeBatch(file: RecordFile, writes: readonly RecordWrite[]): BatchOutcome {
  const { connection } = file;
  connection.prepare("SAVEPOINT batch").run();
  for (const [at, each] of writes.entries()) {
    const outcome = writeOne(file, each);
    if (outcome.kind === "stored" || outcome.kind === "removed") continue;
    connection.prepare("ROLLBACK TO batch").run();
    return { kind: "refused", at, outcome };
  }
  return { kind: "stored" };
}

function writeOne(file: RecordFile, each: RecordWrite): PutOutcome | RemoveOutcome {
  const { kind } = each;
  if ("claimName" in each) return claimName(file, each);
  if ("put" in each) return putRecord(file, { kind, record: each.put, expected: each.expected });
  return removeRecord(file, { kind, id: each.remove, expected: each.expected });
}

/** Compares the records themselves too: an older version leaves links of names that are gone. */
function claimName({ connection, kinds }: RecordFile, { kind, claimName: id }: NameClaim): PutOutcome {
  const row = connection.prepare("SELECT version, body FROM record WHERE kind = ? AND id = ?").get(kind, id);
  const nameIn = (body: unknown) =>
    ownedNameOf(kinds, kind, readStored(connection, `a record (${kind})`, String(body)) as object);
  const name = row && nameIn(row.body);
  if (name === undefined) return { kind: "stored", version: 0 };
  const sql = `SELECT r.body FROM link AS l CROSS JOIN record AS r ON r.kind = l.kind AND r.id = l.id
     WHERE l.kind = ? AND l.field = 'owned_name' AND l.value = ? AND l.id <> ?`;
  const others = connection.prepare(sql).all(kind, name, id);
  if (others.some(({ body }) => nameIn(body) === name)) return { kind: "taken", field: "name" };
  return { kind: "stored", version: Number(row?.version) };
}
