import { type Database, longMs } from "../../../shared/postgres/database.ts";

/** Returns when the newest request of each key came in, by one question: the index by key holds its newest request at its end. */
export async function readLastUsed(
  { ask, schema }: Database,
  keyIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (keyIds.length === 0) return new Map();
  const text = `SELECT k.id, r.at FROM unnest($1::text[]) AS k (id)
    CROSS JOIN LATERAL (SELECT at FROM ${schema}.request WHERE key_id = k.id AND key_id <> '' ORDER BY id DESC LIMIT 1) AS r`;
  const { rows } = await ask({ text, values: [keyIds], query_timeout: longMs });
  return new Map((rows as readonly { id: string; at: unknown }[]).map(({ id, at }) => [id, Number(at)]));
}
