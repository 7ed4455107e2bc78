import type { KindDefinitions } from "../../../src/engine/ports/record-kinds.ts";
import type { ListQuestion, RecordKind, RecordPage, Where } from "../../../src/engine/ports/records.ts";
import type { Database } from "../../shared/postgres/database.ts";
import { writeIndexed, writeText } from "../../shared/postgres/texts.ts";
import { writeCursor } from "../../shared/records/cursor.ts";
import {
  countSql,
  countStartSql,
  fewest,
  type ListNarrowing,
  type ListStart,
  listSql,
  type RecordsDialect,
  startsOf,
} from "../../shared/records/list-sql.ts";
import { type PostgresRecordRow, readRecord } from "./record-row.ts";

/** A database, and the kinds that the store knows. */
export interface Asking extends Pick<Database, "ask" | "schema"> {
  readonly kinds: KindDefinitions;
}

/** How PostgreSQL writes a statement, and the values of one. */
function createDialect({
  schema,
  kinds,
}: Pick<Asking, "schema" | "kinds">): RecordsDialect & { readonly values: (string | number)[] } {
  const values: (string | number)[] = [];
  return {
    ...{ kinds, schema: `${schema}.`, join: "JOIN", values, writeIndexed, writeText },
    contains: (text, wanted) => `strpos(${text}, ${wanted}) > 0`,
    bind: (value) => `$${values.push(value)}`,
    names: {
      of: (row, field) => `(${schema}.record_name(${row}.body, '${field}') COLLATE "C")`,
      using: () => "",
      show: (name) => name,
      bind: (shown) => `$${values.push(shown)}`,
    },
  };
}

/** The number that a statement counts; undefined without a statement. */
async function countOf<Sql extends string | undefined>(
  asking: Asking,
  sqlOf: (dialect: RecordsDialect) => Sql,
): Promise<number | Extract<Sql, undefined>> {
  const dialect = createDialect(asking);
  const text = sqlOf(dialect);
  if (text === undefined) return undefined as Extract<Sql, undefined>;
  const { rows } = await asking.ask({ text, values: dialect.values });
  return Number((rows[0] as { count: string }).count);
}

async function findStart(asking: Asking, kind: RecordKind, question: ListNarrowing): Promise<ListStart> {
  const starts = startsOf(asking.kinds, kind, question);
  if (starts.length === 1) return starts[0] as ListStart;
  const count = async (start: ListStart) =>
    countOf(asking, (dialect) => countStartSql(dialect, { kind, start }, question));
  return fewest(await Promise.all(starts.map(async (start) => [start, await count(start)] as const)));
}

/** A row of a list, with its name where they are in order of names. */
interface PostgresListRow extends PostgresRecordRow {
  readonly name?: string;
}

/** Returns one page of a list. */
export async function listRecords<Kind extends RecordKind>(
  asking: Asking,
  kind: Kind,
  question: ListQuestion<Kind>,
): Promise<RecordPage<Kind>> {
  const { limit } = question;
  const dialect = createDialect(asking);
  const start = await findStart(asking, kind, question);
  const text = listSql(dialect, { kind, start }, question);
  const rows = (await asking.ask({ text, values: dialect.values })).rows as readonly PostgresListRow[];
  const records = rows.slice(0, limit).map((row) => readRecord(kind, row));
  const last = records.at(-1);
  return rows.length > limit && last ? { records, next: writeCursor(last.record, rows[limit - 1]?.name) } : { records };
}

/** Returns the number of records of a kind that have the values. */
export async function countRecords<Kind extends RecordKind>(
  asking: Asking,
  kind: Kind,
  where: Where<Kind> | undefined,
): Promise<number> {
  const start = await findStart(asking, kind, { where });
  return countOf(asking, (dialect) => countSql(dialect, { kind, start }, where));
}
