import type { RecordKind } from "../../../src/engine/ports/records.ts";

/** How often records were changed, in all and by kind. The numbers only grow. */
export interface Changes {
  note(kind: RecordKind): void;
  /** How often those of the given kinds were changed; without any, all. */
  of(kinds?: readonly RecordKind[]): number;
}

export function countChanges(): Changes {
  const counts = new Map<RecordKind, number>();
  let all = 0;
  return {
    note(kind) {
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
      all++;
    },
    of(kinds) {
      if (kinds === undefined) return all;
      let sum = 0;
      for (const kind of kinds) sum += counts.get(kind) ?? 0;
      return sum;
    },
  };
}
