import type { KindDefinitions } from "../../../src/engine/ports/record-kinds.ts";
import type { ListQuestion, RecordKind } from "../../../src/engine/ports/records.ts";
import { readCursor, readNameCursor } from "./cursor.ts";
import { nameFieldOf, readWhere } from "./links.ts";

/** What differs between databases in a statement that finds records. */
export interface RecordsDialect {
  /** The kinds that the store knows. */
  readonly kinds: KindDefinitions;
  /** Before the name of a table; empty, or ends with a dot. */
  readonly schema: string;
  /** Forces the order of a join. */
  readonly join: "CROSS JOIN" | "JOIN";
  /** The condition that a text contains another. */
  readonly contains: (text: string, wanted: string) => string;
  /** A value as an index of links holds it, and as any other column does. */
  readonly writeIndexed: (value: string) => string;
  readonly writeText: (value: string) => string;
  /** Adds a value to the statement and returns its place in it. */
  readonly bind: (value: string | number) => string;
  readonly names: NamesDialect;
}

/** How a database orders records by their names. */
export interface NamesDialect {
  /** The name in the body of a row, as the index of names has it. */
  readonly of: (row: string, field: string) => string;
  /** Behind `record AS l`: has the index of a kind's names used. */
  readonly using: (kind: RecordKind) => string;
  /** A name as a column that a cursor can hold. */
  readonly show: (name: string) => string;
  /** Adds the name of a cursor to the statement and returns its place in it. */
  readonly bind: (shown: string) => string;
}

type FieldValues = ReturnType<typeof readWhere>;

/** Rows of links that are counted to find the most selective field. */
const mostCounted = 1_000;

/** FieldValues a list begins to look: the index of a field and its value, the texts of the kind, or all records in order. */
export type ListStart = FieldValues[number] | "texts" | "records";

/** What decides where a list begins to look. */
export type ListNarrowing = Pick<ListQuestion<RecordKind>, "where" | "search" | "order">;

/**
 * Returns the candidates for the start of a list. One alone needs no count. In order of names few records are found by a field or a text
 * and sorted; where there are many, the index of names is walked.
 */
export function startsOf(
  kinds: KindDefinitions,
  kind: RecordKind,
  { where, search, order }: ListNarrowing,
): readonly ListStart[] {
  const links = readWhere(where);
  const texts = search === undefined ? [] : (["texts"] as const);
  if (nameFieldOf(kinds, kind, order) !== undefined) return ["records", ...links, ...texts];
  return links.length + texts.length === 0 ? ["records"] : [...links, ...texts];
}

/**
 * Returns the statement that counts the rows of a start, at most a thousand; undefined for one that is taken to have that many: all
 * records, and, unless they are to be sorted by name, texts, which are looked through only where every field has many rows.
 */
export function countStartSql(
  dialect: RecordsDialect,
  { kind, start }: ListSource,
  { search = "", order }: ListNarrowing,
): string | undefined {
  const { schema, bind, kinds } = dialect;
  if (start === "records" || (start === "texts" && nameFieldOf(kinds, kind, order) === undefined)) return undefined;
  const [table, is] =
    start === "texts"
      ? ["record_text", dialect.contains("text", bind(dialect.writeText(search.toLowerCase())))]
      : ["link", `field = ${bind(start[0])} AND value = ${bind(dialect.writeIndexed(start[1]))}`];
  const rows = `SELECT 1 FROM ${schema}${table} WHERE kind = ${bind(kind)} AND ${is} LIMIT ${mostCounted}`;
  return `SELECT count(*) AS count FROM (${rows}) AS counted`;
}

/** The start whose rows are the fewest, the first of several; without a count it is taken to have as many as are counted. */
export function fewest(counted: readonly (readonly [start: ListStart, count: number | undefined])[]): ListStart {
  const known = counted.map(([start, count = mostCounted]) => [start, count] as const);
  return known.reduce((best, each) => (each[1] < best[1] ? each : best), known[0] ?? ["records", 0])[0];
}

/** The kind of a list, and where it begins to look. */
interface ListSource {
  readonly kind: RecordKind;
  readonly start: ListStart;
}

/**
 * Returns the statement of one page and the first row of the next, from a start: `id`, `version` and `body` of records, and their `name`
 * where they are in order of names.
 */
export function listSql(
  dialect: RecordsDialect,
  { kind, start }: ListSource,
  question: ListQuestion<RecordKind>,
): string {
  const { schema, join, bind, names } = dialect;
  const { limit, from, until, where, search, order = "oldest" } = question;
  const table = start === "records" ? "record" : start === "texts" ? "record_text" : "link";
  const row = table === "record" ? "l" : "r";
  const field = nameFieldOf(dialect.kinds, kind, order);
  const name = field === undefined ? undefined : names.of(row, field);
  const ofKind = name !== undefined && row === "l" ? `'${kind}'` : bind(kind); // the index of names is for rows of one kind
  const conditions = [`l.kind = ${ofKind}`, ...conditionsOf(dialect, start, { where, search })];
  if (row === "r") conditions.push("r.kind = l.kind AND r.id = l.id");
  if (from !== undefined) conditions.push(`l.created_at >= ${bind(from)}`);
  if (until !== undefined) conditions.push(`l.created_at < ${bind(until)}`);
  const places = [...(name === undefined ? [] : [name]), "l.created_at", "l.id"];
  const isBackwards = order === "newest" || order === "name_reversed";
  const behind = placeBehind(dialect, question.after, name !== undefined);
  if (behind) conditions.push(`(${places.join(", ")}) ${isBackwards ? "<" : ">"} (${behind.join(", ")})`);
  const joined = row === "l" ? "" : `${join} ${schema}record AS r${join === "JOIN" ? " ON true" : ""}`;
  const using = name !== undefined && row === "l" ? names.using(kind) : "";
  const columns = [`${row}.id`, `${row}.version`, `${row}.body`];
  if (name !== undefined) columns.push(`${names.show(name)} AS name`);
  const ordered = places.map((place) => `${place} ${isBackwards ? "DESC" : "ASC"}`).join(", ");
  return `SELECT ${columns.join(", ")} FROM ${schema}${table} AS l ${using} ${joined} WHERE ${conditions.join(" AND ")} ORDER BY ${ordered} LIMIT ${bind(limit + 1)}`;
}

/** The values of a cursor, in the order of the columns that a list is sorted by. */
function placeBehind(
  { bind, writeText, names }: RecordsDialect,
  after: string | undefined,
  isByName: boolean,
): readonly string[] | undefined {
  if (after === undefined) return undefined;
  const { created_at, id } = readCursor(after);
  const place = [created_at, id].map((value) => bind(writeText(value)));
  return isByName ? [names.bind(readNameCursor(after).name), ...place] : place;
}

/** Returns the statement that counts the records of a question, from a start. */
export function countSql(
  dialect: RecordsDialect,
  { kind, start }: ListSource,
  where: ListQuestion<RecordKind>["where"],
): string {
  const table = start === "records" ? "record" : "link";
  const conditions = [`l.kind = ${dialect.bind(kind)}`, ...conditionsOf(dialect, start, { where, search: undefined })];
  return `SELECT count(*) AS count FROM ${dialect.schema}${table} AS l WHERE ${conditions.join(" AND ")}`;
}

function conditionsOf(
  dialect: RecordsDialect,
  start: ListStart,
  { where, search }: Pick<ListQuestion<RecordKind>, "where" | "search">,
): string[] {
  const { schema, bind } = dialect;
  const same = "f.kind = l.kind AND f.created_at = l.created_at AND f.id = l.id";
  const conditions: string[] = [];
  const first = typeof start === "string" ? undefined : start[0];
  for (const [field, value] of readWhere(where)) {
    const is = (table: string) =>
      `${table}.field = ${bind(field)} AND ${table}.value = ${bind(dialect.writeIndexed(value))}`;
    conditions.push(
      field === first ? is("l") : `EXISTS (SELECT 1 FROM ${schema}link AS f WHERE ${same} AND ${is("f")})`,
    );
  }
  if (search === undefined) return conditions;
  const has = (table: string) => dialect.contains(`${table}.text`, bind(dialect.writeText(search.toLowerCase())));
  const found =
    start === "texts" ? has("l") : `EXISTS (SELECT 1 FROM ${schema}record_text AS f WHERE ${same} AND ${has("f")})`;
  return [...conditions, found];
}
