import type { RecordKind, RecordKinds, Stored } from "../../../src/engine/ports/records.ts";
import { freezeAll } from "../../../src/engine/runtime/freeze.ts";
import { writeText } from "../../shared/postgres/texts.ts";
import { damaged } from "./damaged.ts";

/** Columns of `record` as they are read. */
export interface PostgresRecordRow {
  readonly id: string;
  readonly version: number;
  readonly body: string;
}

/** A row as a record. */
export function readRecord<Kind extends RecordKind>(
  kind: Kind,
  { id, version, body }: PostgresRecordRow,
): Stored<Kind> {
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
