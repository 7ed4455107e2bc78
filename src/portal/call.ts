import type { RecordKind, RecordKinds, Records, Where } from "../ports/records.ts";
import type { Abortable } from "../ports.ts";
import type { Place } from "./scope.ts";
import type { Secrets } from "./secrets.ts";
import type { Turns } from "./turn.ts";

/** Who calls the portal. */
export interface Caller {
  readonly user: { readonly id: string; readonly username: string };
  /** The user's place in the tree of tenants: everything it lists, reads or changes lies there or below. */
  readonly place: Place;
  /** What the caller may do: the token's permissions, as far as its owner has them. */
  readonly permissions: ReadonlySet<string>;
  /** The token that was used; null for a caller of this process. */
  readonly token_id: string | null;
}

/** What an operation of the portal is told beside its input. */
export interface PortalCall {
  readonly caller: Caller;
  /** The code of the region; empty where the operation was called without one. */
  readonly region: string;
  /** Milliseconds since the epoch when the call began. */
  readonly now: number;
  /** Aborted when the caller hangs up. */
  readonly signal: Abortable;
  /** The request's id, as in the audit log and in `x-tg-event-id`. */
  readonly eventId: string;
  /** The store's records, narrowed to the caller's scope: use no other. */
  readonly records: Records;
  /** Seals and opens what the records keep unreadable: a back end acts with the key pairs of the caller's projects. */
  readonly secrets: Secrets;
  /**
   * Runs work while no other call under the same name does, of this process or another one over the store: for what is read, changed and
   * written as a whole. Rejects with `store_unavailable` where another process does not end within half a minute.
   */
  readonly turns: Turns;
  /** The records above the caller's place, which it inherits and cannot change, from the provider's down. */
  listAbove<Kind extends RecordKind>(kind: Kind, where?: Where<Kind>): Promise<RecordKinds[Kind][]>;
}

/** The fields of a new record that lies at the caller's own place. */
export function placeAt({ reseller, client_id, user_id }: Place) {
  return { reseller: reseller ?? null, client_id: client_id ?? null, user_id: user_id ?? null };
}
