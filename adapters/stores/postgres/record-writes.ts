import { ownedNameOf } from "../../../src/engine/ports/owned-names.ts";
import type { KindDefinitions } from "../../../src/engine/ports/record-kinds.ts";
import type {
  BatchOutcome,
  NameClaim,
  PutOutcome,
  RecordKind,
  RecordKinds,
  RecordWrite,
  RemoveOutcome,
} from "../../../src/engine/ports/records.ts";
import type { Database } from "../../shared/postgres/database.ts";
import type { SendQuery } from "../../shared/postgres/pool.ts";
import { writeIndexed, writeText } from "../../shared/postgres/texts.ts";
import { hashOf, listLinks, listReferences, searchTextOf } from "../../shared/records/links.ts";
import { type PostgresRecordRow, readRecord } from "./record-row.ts";

/** Where records are written, and how others hear of it. */
export interface Writing {
  readonly database: Database;
  /** The kinds that the store knows. */
  readonly kinds: KindDefinitions;
  readonly channel: string;
  /** What the announcements of this process begin with. */
  readonly self: string;
}

/** A wish to write a record. */
interface RecordPut {
  readonly kind: RecordKind;
  readonly record: RecordKinds[RecordKind];
  readonly expected: number;
}

/** A wish to remove one. */
interface RecordRemoval {
  readonly kind: RecordKind;
  readonly id: string;
  readonly expected: number | undefined;
}

/** The row of a record that exists. */
interface PresentRecord {
  readonly version: number;
}

/** Those who write records wait for each other: what a record names must be there, and stay, until the end of the transaction. */
function alone<Outcome>(writing: Writing, work: (ask: SendQuery) => Promise<Outcome>): Promise<Outcome> {
  const { database } = writing;
  return database.transact(async (ask) => {
    await ask({
      text: "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))",
      values: [database.nameFor("records")],
    });
    return work(ask);
  });
}

export function putRecord(writing: Writing, put: RecordPut): Promise<PutOutcome> {
  return alone(writing, (ask) => putWithin(writing, put, ask));
}

export function removeRecord(writing: Writing, removal: RecordRemoval): Promise<RemoveOutcome> {
  return alone(writing, (ask) => removeWithin(writing, removal, ask));
}

/** Writes one after the other: all or, where one of them cannot be done, none. */
export function writeBatch(writing: Writing, writes: readonly RecordWrite[]): Promise<BatchOutcome> {
  return alone(writing, async (ask) => {
    await ask({ text: "SAVEPOINT batch" });
    for (const [at, each] of writes.entries()) {
      const outcome = await writeWithin(writing, each, ask);
      if (outcome.kind === "stored" || outcome.kind === "removed") continue;
      await ask({ text: "ROLLBACK TO SAVEPOINT batch" });
      return { kind: "refused", at, outcome };
    }
    return { kind: "stored" };
  });
}

function writeWithin(writing: Writing, each: RecordWrite, ask: SendQuery): Promise<PutOutcome | RemoveOutcome> {
  const { kind } = each;
  if ("claimName" in each) return claimWithin(writing, each, ask);
  if ("put" in each) return putWithin(writing, { kind, record: each.put, expected: each.expected }, ask);
  return removeWithin(writing, { kind, id: each.remove, expected: each.expected }, ask);
}

async function claimWithin(writing: Writing, { kind, claimName }: NameClaim, ask: SendQuery): Promise<PutOutcome> {
  const { schema } = writing.database;
  const id = writeText(claimName);
  const found = await ask({
    text: `SELECT id, version, body FROM ${schema}.record WHERE kind = $1 AND id = $2`,
    values: [kind, id],
  });
  const [row] = found.rows as readonly PostgresRecordRow[];
  const name = row && ownedNameOf(writing.kinds, kind, readRecord(kind, row).record);
  if (name === undefined) return { kind: "stored", version: 0 };
  const others = await ask({
    text: `SELECT 1 FROM ${schema}.link WHERE kind = $1 AND field = 'owned_name' AND value = $2 AND id <> $3 LIMIT 1`,
    values: [kind, writeIndexed(name), id],
  });
  return others.rows.length > 0 ? { kind: "taken", field: "name" } : { kind: "stored", version: row?.version ?? 0 };
}

async function putWithin(writing: Writing, { kind, record, expected }: RecordPut, ask: SendQuery): Promise<PutOutcome> {
  const { schema } = writing.database;
  const [id, created_at, hash] = [record.id, record.created_at, hashOf(record)].map((text) => text && writeText(text));
  const links = listLinks(writing.kinds, kind, record);
  const announcement = [writing.channel, `${writing.self} ${kind}`];
  const { rows } = await ask({
    text: `SELECT (SELECT version FROM ${schema}.record WHERE kind = $1 AND id = $2) AS version,
        (SELECT id FROM ${schema}.record WHERE kind = $1 AND hash = $3) AS holder,
        (SELECT json_agg(n.place) FROM unnest($4::text[], $5::text[], $6::int[]) AS n (kind, id, place)
          WHERE NOT EXISTS (SELECT 1 FROM ${schema}.record AS r WHERE r.kind = n.kind AND r.id = n.id)) AS missing`,
    values: [kind, id, hash ?? null, ...namedBy(links)],
  });
  const found = rows[0] as { version: number | null; holder: string | null; missing: number[] | null };
  const version = found.version ?? 0;
  if (version !== expected) return { kind: "moved", version };
  if (found.holder !== null && found.holder !== id) return { kind: "taken", field: "hash" };
  const dangling = found.missing && links[Math.min(...found.missing)];
  if (dangling) return { kind: "dangling", field: dangling.field };
  await ask({
    text: `WITH gone AS (DELETE FROM ${schema}.link WHERE kind = $1 AND id = $2),
          undescribed AS (DELETE FROM ${schema}.record_text WHERE kind = $1 AND id = $2)
        INSERT INTO ${schema}.record (kind, id, version, created_at, hash, body) VALUES ($1, $2, $3, $4, $5, $6)
        ON CONFLICT (kind, id) DO UPDATE SET version = excluded.version, created_at = excluded.created_at,
          hash = excluded.hash, body = excluded.body
        RETURNING pg_notify($7, $8)`,
    values: [kind, id, version + 1, created_at, hash ?? null, JSON.stringify(record), ...announcement],
  });
  const [fields, values] = [links.map(({ field }) => field), links.map(({ value }) => writeIndexed(value))];
  await ask({
    text: `INSERT INTO ${schema}.link (kind, id, created_at, field, value)
        SELECT $1, $2, $3, l.field, l.value FROM unnest($4::text[], $5::text[]) AS l (field, value)`,
    values: [kind, id, created_at, fields, values],
  });
  const text = searchTextOf(writing.kinds, kind, record);
  if (text !== undefined)
    await ask({
      text: `INSERT INTO ${schema}.record_text (kind, created_at, id, text) VALUES ($1, $2, $3, $4)`,
      values: [kind, created_at, id, writeText(text)],
    });
  return { kind: "stored", version: version + 1 };
}

/** Kinds and ids of the records that links name, and the places of those links. */
function namedBy(links: ReturnType<typeof listLinks>): readonly [RecordKind[], string[], number[]] {
  const named = [...links.entries()].flatMap(([context, { names, value }]) =>
    names === undefined ? [] : [{ scope: context, names, value }],
  );
  return [
    named.map(({ names }) => names),
    named.map(({ value }) => writeText(value)),
    named.map(({ scope: context }) => context),
  ];
}

async function removeWithin(
  writing: Writing,
  { kind, id, expected }: RecordRemoval,
  ask: SendQuery,
): Promise<RemoveOutcome> {
  const { schema } = writing.database;
  const written = writeText(id);
  const known = await ask({
    text: `SELECT version FROM ${schema}.record WHERE kind = $1 AND id = $2`,
    values: [kind, written],
  });
  const [present] = known.rows as readonly PresentRecord[];
  if (!present) return { kind: "missing" };
  if (expected !== undefined && expected !== present.version) return { kind: "moved", version: present.version };
  for (const { kind: by, field } of listReferences(writing.kinds, kind)) {
    const needed = await ask({
      text: `SELECT count(*)::int AS count FROM ${schema}.link WHERE kind = $1 AND field = $2 AND value = $3`,
      values: [by, field, writeIndexed(id)],
    });
    const { count } = needed.rows[0] as { count: number };
    if (count > 0) return { kind: "needed", by, count };
  }
  await ask({
    text: `WITH links AS (DELETE FROM ${schema}.link WHERE kind = $1 AND id = $2),
          texts AS (DELETE FROM ${schema}.record_text WHERE kind = $1 AND id = $2)
        DELETE FROM ${schema}.record WHERE kind = $1 AND id = $2 RETURNING pg_notify($3, $4)`,
    values: [kind, written, writing.channel, `${writing.self} ${kind}`],
  });
  return { kind: "removed" };
}
