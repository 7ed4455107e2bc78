import type { RecordChange, RecordKind, RecordKinds, Records } from "../../engine/ports/records.ts";

/** A write of a call, and the record that it replaced or removed where that is known. */
export interface RecordedWrite {
  readonly write: RecordChange;
  readonly before: RecordKinds[RecordKind] | undefined;
}

/** Records that take each write at once, and a list of what they took. */
export function recordWrites(records: Records): {
  readonly records: Records;
  readonly writes: readonly RecordedWrite[];
} {
  const writes: RecordedWrite[] = [];
  const taken = <Outcome extends { readonly kind: string }>(outcome: Outcome, write: RecordChange): Outcome => {
    if (outcome.kind === "stored" || outcome.kind === "removed") writes.push({ write, before: undefined });
    return outcome;
  };
  return {
    writes,
    records: {
      define: (kinds) => records.define(kinds),
      get: (kind, id) => records.get(kind, id),
      findByHash: (kind, hash) => records.findByHash(kind, hash),
      list: (kind, question) => records.list(kind, question),
      count: (kind, where) => records.count(kind, where),
      stamp: (kinds) => records.stamp(kinds),
      put: async (kind, record, expected) =>
        taken(await records.put(kind, record, expected), { kind, put: record, expected }),
      remove: async (kind, id, expected) =>
        taken(await records.remove(kind, id, expected), { kind, remove: id, expected }),
      async batch(all) {
        const outcome = await records.batch(all);
        if (outcome.kind === "stored") for (const write of all) if (!("claimName" in write)) taken(outcome, write);
        return outcome;
      },
    },
  };
}
