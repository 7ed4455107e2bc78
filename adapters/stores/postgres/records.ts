import type { RecordKind, RecordKinds, Records, Stored } from "../../../src/ports/records.ts";
import { freezeAll } from "../../../src/runtime/freeze.ts";
import type { Database } from "../../shared/postgres/database.ts";
import { writeIndexed, writeText } from "../../shared/postgres/texts.ts";
import { countChanges } from "../../shared/records/changes.ts";
import { readCursor, writeCursor } from "../../shared/records/cursor.ts";
import { readWhere } from "../../shared/records/links.ts";
import { damaged } from "./damaged.ts";
import { putRecord, removeRecord, type Writing } from "./record-writes.ts";
import type { StoreSession } from "./session.ts";

interface PostgresRecordRow {
  readonly id: string;
  readonly version: number;
  readonly body: string;
}

/** Records in a schema, and how to tell them what other processes announced. */
export interface PostgresRecords extends Records {
  onNotification(raw: string): void;
}

/**
 * Records in a schema of PostgreSQL, each a row of JSON beside the columns that find it. Every writer notifies all other
 * processes; while no notification can be received, every stamp differs from the last one.
 */
export function postgresRecords(database: Database, session: StoreSession, self: string): PostgresRecords {
  const own = countChanges();
  const others = countChanges();
  const writing: Writing = { database, channel: database.nameFor("changes"), self };
  let unsure = 0;
  let openings = 0;
  const listening = async (): Promise<Database> => {
    if (!session.isListening) await session.begin();
    return database;
  };
  const noting = async <Outcome extends { readonly kind: string }>(kind: RecordKind, work: Promise<Outcome>) => {
    let hasChanged = true; // as far as is known of a write whose answer was lost
    try {
      const outcome = await work;
      hasChanged = outcome.kind === "stored" || outcome.kind === "removed";
      return outcome;
    } finally {
      if (hasChanged) own.note(kind);
    }
  };
  return {
    put: (kind, record, expected) => noting(kind, putRecord(writing, { kind, record, expected })),
    get: async (kind, id) => findOne(await listening(), "id", [kind, writeText(id)]),
    findByHash: async (kind, hash) => findOne(await listening(), "hash", [kind, writeText(hash)]),
    list: async (kind, question) => listRecords(await listening(), kind, question),
    count: async (kind, where) => countRecords(await listening(), kind, readWhere(where)),
    remove: (kind, id, expected) => noting(kind, removeRecord(writing, { kind, id, expected })),
    stamp(kinds) {
      if (!session.isListening || session.openings !== openings) unsure++;
      if (session.isListening) openings = session.openings;
      else void session.begin();
      return own.of(kinds) + others.of(kinds) + unsure; // all only grow, so that their sum tells of each
    },
    onNotification(raw) {
      const [who, kind] = raw.split(" ");
      if (who !== self && kind) others.note(kind as RecordKind);
    },
  };
}

async function findOne<Kind extends RecordKind>(
  { ask, schema }: Database,
  column: "id" | "hash",
  [kind, value]: readonly [Kind, string],
): Promise<Stored<Kind> | undefined> {
  const { rows } = await ask({
    name: `tollgate_${schema}_record_${column}`,
    text: `SELECT id, version, body FROM ${schema}.record WHERE kind = $1 AND ${column} = $2`,
    values: [kind, value],
  });
  const [row] = rows as readonly PostgresRecordRow[];
  return row && readRecord(kind, row);
}

function readRecord<Kind extends RecordKind>(kind: Kind, { id, version, body }: PostgresRecordRow): Stored<Kind> {
  const record = parse(body);
  if (typeof record !== "object" || record === null || !("id" in record) || writeText(String(record.id)) !== id)
    throw damaged(`a record (${kind} ${id})`);
  return freezeAll({ version, record: record as RecordKinds[Kind] }); // written by `put`
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

async function listRecords<Kind extends RecordKind>(
  { ask, schema }: Database,
  kind: Kind,
  { where, limit, after }: Parameters<Records["list"]>[1],
) {
  const context = after === undefined ? undefined : readCursor(after);
  const link = readWhere(where);
  const values: unknown[] = [kind];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const source = link
    ? `${schema}.link AS l JOIN ${schema}.record AS r ON r.kind = l.kind AND r.id = l.id
       WHERE l.kind = $1 AND l.field = ${bind(link[0])} AND l.value = ${bind(writeIndexed(link[1]))}`
    : `${schema}.record AS l WHERE l.kind = $1`;
  const behind = context
    ? `AND (l.created_at, l.id) > (${bind(writeText(context.created_at))}, ${bind(writeText(context.id))})`
    : "";
  const columns = link ? "r.id, r.version, r.body" : "l.id, l.version, l.body";
  const text = `SELECT ${columns} FROM ${source} ${behind} ORDER BY l.created_at, l.id LIMIT ${bind(limit + 1)}`;
  const rows = (await ask({ text, values })).rows as readonly PostgresRecordRow[];
  const records = rows.slice(0, limit).map((row) => readRecord(kind, row));
  const last = records.at(-1);
  return rows.length > limit && last ? { records, next: writeCursor(last.record) } : { records };
}

async function countRecords(
  { ask, schema }: Database,
  kind: RecordKind,
  where: readonly [string, string] | undefined,
): Promise<number> {
  const text = where
    ? `SELECT count(*) AS count FROM ${schema}.link WHERE kind = $1 AND field = $2 AND value = $3`
    : `SELECT count(*) AS count FROM ${schema}.record WHERE kind = $1`;
  const values = where ? [kind, where[0], writeIndexed(where[1])] : [kind];
  const { rows } = await ask({ text, values });
  return Number((rows[0] as { count: string }).count);
}
