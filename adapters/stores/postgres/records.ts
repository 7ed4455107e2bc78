import type { RecordKind, Records, Stored } from "../../../src/engine/ports/records.ts";
import type { Database } from "../../shared/postgres/database.ts";
import { writeText } from "../../shared/postgres/texts.ts";
import { countChanges } from "../../shared/records/changes.ts";
import { knowKinds } from "../../shared/records/known-kinds.ts";
import { type Asking, countRecords, listRecords } from "./record-lists.ts";
import { type PostgresRecordRow, readRecord } from "./record-row.ts";
import { putRecord, removeRecord, type Writing, writeBatch } from "./record-writes.ts";
import type { StoreSession } from "./session.ts";

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
  const { kinds, define } = knowKinds();
  const writing: Writing = { database, kinds, channel: database.nameFor("changes"), self };
  let unsure = 0;
  let openings = 0;
  const listening = async (): Promise<Database> => {
    if (!session.isListening) await session.begin();
    return database;
  };
  const noting = async <Outcome extends { readonly kind: string }>(
    kinds: readonly RecordKind[],
    work: Promise<Outcome>,
  ) => {
    let hasChanged = true; // as far as is known of a write whose answer was lost
    try {
      const outcome = await work;
      hasChanged = outcome.kind === "stored" || outcome.kind === "removed";
      return outcome;
    } finally {
      if (hasChanged) for (const kind of kinds) own.note(kind);
    }
  };
  const asking = async (): Promise<Asking> => {
    const { ask, schema } = await listening();
    return { ask, schema, kinds };
  };
  return {
    define,
    put: (kind, record, expected) => noting([kind], putRecord(writing, { kind, record, expected })),
    get: async (kind, id) => findOne(await listening(), "id", [kind, writeText(id)]),
    findByHash: async (kind, hash) => findOne(await listening(), "hash", [kind, writeText(hash)]),
    list: async (kind, question) => listRecords(await asking(), kind, question),
    count: async (kind, where) => countRecords(await asking(), kind, where),
    remove: (kind, id, expected) => noting([kind], removeRecord(writing, { kind, id, expected })),
    batch: async (writes) => noting([...new Set(writes.map(({ kind }) => kind))], writeBatch(writing, writes)),
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
