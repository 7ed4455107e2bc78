import type { SQLInputValue } from "node:sqlite";
import type { KindDefinitions } from "../../../../src/engine/ports/record-kinds.ts";
import type {
  ListQuestion,
  RecordKind,
  RecordPage,
  Records,
  Stored,
  Where,
} from "../../../../src/engine/ports/records.ts";
import { writeCursor } from "../../../shared/records/cursor.ts";
import { knowKinds } from "../../../shared/records/known-kinds.ts";
import {
  countSql,
  countStartSql,
  fewest,
  type ListNarrowing,
  type ListStart,
  listSql,
  type RecordsDialect,
  startsOf,
} from "../../../shared/records/list-sql.ts";
import type { Connection } from "../connection.ts";
import { inWords } from "../fault.ts";
import { nameIndexOf, recordName } from "../schema.ts";
import { createReady, type Ready, type SqliteRecordRow } from "./record-cache.ts";
import { openRecordChanges } from "./record-changes.ts";
import { putRecord, type RecordFile, removeRecord, writeBatch } from "./record-writes.ts";

/** Records in a store file, each a row of JSON beside what it is found by. */
export function sqliteRecords(connection: Connection): Records {
  const { kinds, define } = knowKinds();
  const file: RecordFile = { connection, kinds };
  const changes = openRecordChanges(connection);
  const ready = createReady(connection, changes.countOf);
  const changed = <Outcome extends { readonly kind: string }>(kind: RecordKind, outcome: Outcome): Outcome => {
    if (outcome.kind !== "stored" && outcome.kind !== "removed") return outcome;
    changes.note(kind);
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
    define,
    put: (kind, record, expected) => {
      const outcome = write(() => putRecord(file, { kind, record, expected }));
      return changed(kind, outcome);
    },
    get: (kind, id) => inStore(() => findOne("id", kind, id)),
    findByHash: (kind, hash) => inStore(() => findOne("hash", kind, hash)),
    list: (kind, question) =>
      inStore(() => ready.page(kind, question, () => listRecords({ ...file, ready }, kind, question))),
    count: (kind, where) => inStore(() => countRecords(file, kind, where)),
    remove: (kind, id, expected) =>
      changed(
        kind,
        write(() => removeRecord(file, { kind, id, expected })),
      ),
    batch(writes) {
      const outcome = write(() => writeBatch(file, writes));
      if (outcome.kind === "stored") for (const { kind } of writes) changed(kind, outcome);
      return outcome;
    },
    stamp: changes.stamp,
  };
}

interface RecordSource extends RecordFile {
  readonly ready: Ready;
}

/** How SQLite writes a statement, and the values of one by name: Node 22.13 binds no numbered ones (`?1`). */
function createDialect(kinds: KindDefinitions): RecordsDialect & { readonly values: Record<string, SQLInputValue> } {
  const values: Record<string, SQLInputValue> = {};
  let bound = 0;
  const bind = (value: SQLInputValue) => {
    const name = `:v${++bound}`;
    values[name] = value;
    return name;
  };
  return {
    ...{ kinds, schema: "", join: "CROSS JOIN", values },
    contains: (text, wanted) => `instr(${text}, ${wanted}) > 0`,
    writeIndexed: (value) => value,
    writeText: (value) => value,
    bind,
    names: {
      of: (row, field) => recordName(`${row}.body`, field),
      using: (kind) => `INDEXED BY ${nameIndexOf(kind)}`,
      show: (name) => `CAST(${name} AS BLOB)`, // a text with half a surrogate pair would not come back as it is
      bind: (shown) => `CAST(${bind(Buffer.from(shown, "base64"))} AS TEXT)`,
    },
  };
}

/** The number that a statement counts; undefined without a statement. */
function countOf<Sql extends string | undefined>(
  { connection, kinds }: RecordFile,
  sqlOf: (dialect: RecordsDialect) => Sql,
): number | Extract<Sql, undefined> {
  const dialect = createDialect(kinds);
  const sql = sqlOf(dialect);
  if (sql === undefined) return undefined as Extract<Sql, undefined>;
  return Number(connection.prepare(sql).get(dialect.values)?.count);
}

function findStart(file: RecordFile, kind: RecordKind, question: ListNarrowing): ListStart {
  const starts = startsOf(file.kinds, kind, question);
  if (starts.length === 1) return starts[0] as ListStart;
  const count = (start: ListStart) => countOf(file, (dialect) => countStartSql(dialect, { kind, start }, question));
  return fewest(starts.map((start) => [start, count(start)]));
}

/** A row of a list, with its name where they are in order of names. */
interface SqliteListRow extends SqliteRecordRow {
  readonly name?: Uint8Array;
}

function listRecords<Kind extends RecordKind>(
  source: RecordSource,
  kind: Kind,
  question: ListQuestion<Kind>,
): RecordPage<Kind> {
  const { connection, kinds, ready } = source;
  const { limit } = question;
  const dialect = createDialect(kinds);
  const start = findStart(source, kind, question);
  const sql = listSql(dialect, { kind, start }, question);
  const rows = connection.prepare(sql).all(dialect.values) as unknown as SqliteListRow[];
  const records = rows.slice(0, limit).map((row) => ready.read(kind, row));
  const last = records.at(-1);
  if (rows.length <= limit || !last) return { records };
  const name = rows[limit - 1]?.name;
  return { records, next: writeCursor(last.record, name && Buffer.from(name).toString("base64")) };
}

function countRecords<Kind extends RecordKind>(file: RecordFile, kind: Kind, where?: Where<Kind>): number {
  const start = findStart(file, kind, { where });
  return countOf(file, (dialect) => countSql(dialect, { kind, start }, where));
}
