import { LRUCache } from "lru-cache";
import type {
  ListQuestion,
  RecordKind,
  RecordKinds,
  RecordPage,
  Stored,
} from "../../../../src/engine/ports/records.ts";
import { freezeAll } from "../../../../src/engine/runtime/freeze.ts";
import type { Connection } from "../connection.ts";
import { damaged, readStored } from "../stored.ts";

/** Columns of `record` as they are read. */
export interface SqliteRecordRow {
  readonly id: string;
  readonly version: number;
  readonly body: string;
}

/** Records and pages of lists that are kept ready. What is given is shared and frozen. */
export interface Ready {
  /**
   * A row as a record: the same object for as long as the row has the same text, whichever process writes it. An unchanged record
   * is parsed once, and callers may recognise it by its identity.
   */
  read<Kind extends RecordKind>(kind: Kind, row: SqliteRecordRow): Stored<Kind>;
  /** A page of a list; loaded again once a record of the kind was written, by whichever process. */
  page<Kind extends RecordKind>(
    kind: Kind,
    question: ListQuestion<Kind>,
    load: () => RecordPage<Kind>,
  ): RecordPage<Kind>;
}

/** Records of a kind that are kept ready, and records on all pages together. */
const mostRecords = 50_000;

interface CachedRecord {
  readonly body: string;
  readonly stored: Stored<RecordKind>;
}

/** `countOf` counts the changes of a kind's records, as the file has them now. */
export function createReady(connection: Pick<Connection, "path">, countOf: (kind: RecordKind) => number): Ready {
  const byKind = new Map<RecordKind, Map<string, CachedRecord>>();
  const pages = new LRUCache<string, RecordPage<RecordKind>>({
    maxSize: mostRecords,
    sizeCalculation: (page) => page.records.length + 1,
  });
  return {
    read<Kind extends RecordKind>(kind: Kind, { id, version, body }: SqliteRecordRow) {
      const records = byKind.get(kind) ?? new Map<string, CachedRecord>();
      let stored = records.get(id);
      if (stored?.body !== body || stored.stored.version !== version) {
        const record = stored?.body === body ? stored.stored.record : parseRecord(connection, kind, { id, body });
        stored = { body, stored: freezeAll({ version, record }) };
        if (records.size >= mostRecords) records.clear();
        byKind.set(kind, records.set(id, stored));
      }
      return stored.stored as Stored<Kind>; // written by `put`, from a record of the kind
    },
    page<Kind extends RecordKind>(kind: Kind, question: ListQuestion<Kind>, load: () => RecordPage<Kind>) {
      const name = JSON.stringify([kind, countOf(kind), question]);
      const known = pages.get(name);
      if (known) return known as RecordPage<Kind>; // the name says the kind
      const page = freezeAll(load());
      pages.set(name, page as unknown as RecordPage<RecordKind>);
      return page;
    },
  };
}

/** A record as it was written: that of its row. */
function parseRecord(
  connection: Pick<Connection, "path">,
  kind: RecordKind,
  { id, body }: Omit<SqliteRecordRow, "version">,
): RecordKinds[RecordKind] {
  const what = `a record (${kind} ${id})`;
  const record = readStored(connection, what, body);
  if (typeof record !== "object" || record === null || !("id" in record) || record.id !== id)
    throw damaged(connection, what);
  return record as RecordKinds[RecordKind]; // written by `put`
}
