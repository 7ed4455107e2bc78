import type { MaybePromise } from "../runtime/maybe-promise.ts";
import type { KindDefinitions, LinkOf, RecordKind, RecordKinds } from "./record-kinds.ts";

export type { RetiredKey, StoredKey } from "./key-records.ts";
export type { DeletedName, RecordKind, RecordKinds } from "./record-kinds.ts";

/** Fields and the values that they have, all of them. */
export type Where<Kind extends RecordKind> = { readonly [Field in LinkOf<Kind>]?: string };

/** A record and how often it was written: 1 when it is new. */
export interface Stored<Kind extends RecordKind> {
  readonly version: number;
  /** Not to be changed: others may hold the same object. */
  readonly record: RecordKinds[Kind];
}

/** What became of a `put`. */
export type PutOutcome =
  | { readonly kind: "stored"; readonly version: number }
  /** The record is at another version than expected; 0 when it is not there. */
  | { readonly kind: "moved"; readonly version: number }
  /** Another record of the kind has the same `hash`, or the name that is claimed. */
  | { readonly kind: "taken"; readonly field: "hash" | "name" }
  /** A field names a record that is not there. */
  | { readonly kind: "dangling"; readonly field: string };

/** What became of a `remove`. */
export type RemoveOutcome =
  | { readonly kind: "removed" }
  | { readonly kind: "missing" }
  | { readonly kind: "moved"; readonly version: number }
  /** Records of another kind name this one: how many of which kind. */
  | { readonly kind: "needed"; readonly by: RecordKind; readonly count: number };

/** A change of a batch: a record at the version `expected`, or the removal of one; without `expected`, at any version. */
export type RecordChange =
  | { readonly kind: RecordKind; readonly put: RecordKinds[RecordKind]; readonly expected: number }
  | { readonly kind: RecordKind; readonly remove: string; readonly expected?: number | undefined };

/**
 * A condition of a batch: no other record of the kind has the name of this one with the same owner once the batch is written, or it is
 * refused with `taken`. A record that is not there claims nothing.
 */
export interface NameClaim {
  readonly kind: RecordKind;
  /** The record's id. */
  readonly claimName: string;
}

/** One write of a batch. Claims come after the changes. */
export type RecordWrite = RecordChange | NameClaim;

/** What became of a batch. */
export type BatchOutcome =
  | { readonly kind: "stored" }
  /** Nothing was written: the first write that cannot be done, by its place in the batch, and why. */
  | { readonly kind: "refused"; readonly at: number; readonly outcome: PutOutcome | RemoveOutcome };

/**
 * By creation, then id; or by name (the `name` of its definition; by the code points of its first 200 characters), then creation, then id. A kind
 * without names is listed by creation. `newest` and `name_reversed` are those orders backwards.
 */
export type ListOrder = "oldest" | "newest" | "name" | "name_reversed";

/** Which records to list: those that all of its parts allow. */
export interface ListQuestion<Kind extends RecordKind> {
  readonly where?: Where<Kind> | undefined;
  /** A text within one of the `texts` of the kind's definition, in any letter case; a kind that has none has no such records. */
  readonly search?: string | undefined;
  /** Created at this instant or later, and before that one: RFC 3339 in UTC with milliseconds. */
  readonly from?: string | undefined;
  readonly until?: string | undefined;
  /** Oldest first unless given. */
  readonly order?: ListOrder | undefined;
  /** 1 to 1,000. */
  readonly limit: number;
  /** `next` of the page before. */
  readonly after?: string | undefined;
}

/** Records in the order that was asked for. */
export interface RecordPage<Kind extends RecordKind> {
  readonly records: readonly Stored<Kind>[];
  /** Where the next page begins; absent on the last. Stays good while records come and go. */
  readonly next?: string | undefined;
}

/**
 * Customers, projects, keys and what else is kept. Each method is one transaction. Costs do not grow with the number of records, but for `count` and for a
 * `search` that little matches, which looks at the texts of the kind. Answers need not be promises. An unreadable `after` is refused with
 * `invalid_request`.
 */
export interface Records {
  /**
   * Has the store know kinds beyond the engine's own (`engineKinds`), with the fields that their records are found by, before any of them is written or
   * removed: that of an unknown kind throws. A kind that is known stays as it is.
   */
  define(kinds: KindDefinitions): void;
  /** Writes a record that is at version `expected` (0: that is not there yet). */
  put<Kind extends RecordKind>(kind: Kind, record: RecordKinds[Kind], expected: number): MaybePromise<PutOutcome>;
  get<Kind extends RecordKind>(kind: Kind, id: string): MaybePromise<Stored<Kind> | undefined>;
  /** The record of a kind whose `hash` this is. */
  findByHash<Kind extends RecordKind>(kind: Kind, hash: string): MaybePromise<Stored<Kind> | undefined>;
  list<Kind extends RecordKind>(kind: Kind, question: ListQuestion<Kind>): MaybePromise<RecordPage<Kind>>;
  count<Kind extends RecordKind>(kind: Kind, where?: Where<Kind>): MaybePromise<number>;
  /** Removes a record; with `expected`, only at that version. */
  remove(kind: RecordKind, id: string, expected?: number): MaybePromise<RemoveOutcome>;
  /** Writes one after the other, each as `put` and `remove` do; all of them, or none where one of them cannot be done. */
  batch(writes: readonly RecordWrite[]): MaybePromise<BatchOutcome>;
  /** A number that differs whenever records may have changed, by any process; of this one's changes, those of `kinds`. Cheap to ask. */
  stamp(kinds?: readonly RecordKind[]): number;
}
