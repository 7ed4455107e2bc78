import type { RecordKinds, Records, Where } from "../../engine/ports/records.ts";
import type { Abortable } from "../../engine/runtime/abortable.ts";
import type { ListPage } from "../../operations/page.ts";
import type { PortalRecordKind } from "../../operations/record-kinds.ts";
import type { WithLease } from "../locks/lease.ts";
import type { TenantScope } from "../tenancy/tenant-scope.ts";
import type { Secrets } from "./secrets.ts";

/** Who calls the portal. */
export interface Caller {
  readonly user: { readonly id: string; readonly username: string };
  /** The user's scope in the tree of tenants: the user lists, reads and changes only what is in it. */
  readonly scope: TenantScope;
  /** The caller's permissions: those of its token that the token's owner has too. */
  readonly permissions: ReadonlySet<string>;
  /** The token that was used; null for a caller of this process. */
  readonly token_id: string | null;
  /** The name of that token, for the audit log. */
  readonly token_name?: string | undefined;
  /** The session of the console that the call came by; absent for any other call. */
  readonly session_id?: string | undefined;
}

/** The context of an operation of the portal. */
export interface PortalCall {
  readonly caller: Caller;
  /** The code of the region; empty where the operation was called without one. */
  readonly region: string;
  /** The codes of the regions that have the same projects as the region of the call, itself among them. */
  readonly projectRegions: ReadonlySet<string>;
  /** Milliseconds since the epoch when the call began. */
  readonly now: number;
  /** Aborted when the caller hangs up. */
  readonly signal: Abortable;
  /** The request's id, as in the audit log and in `x-tg-event-id`. */
  readonly eventId: string;
  /** The version of the thing that the caller looked at, from `if-match`; undefined where it names none. */
  readonly version?: string | undefined;
  /** The languages that the caller accepts, as in `Accept-Language`; undefined where it names none. */
  readonly accepts?: string | undefined;
  /** Tells the caller the version of what the answer shows, as `etag`. */
  showVersion?(version: string): void;
  /** Tells the caller what is probably a mistake, as `x-tg-warnings`. */
  warn?(warnings: readonly string[]): void;
  /** Tells the caller the id of the work that goes on after the answer, as `x-tg-job`. */
  showJob?(id: string): void;
  /** The part of a list that the caller asked for; undefined for all of it. Where the operation does not call `showNext`, it is cut out. */
  readonly page?: ListPage | undefined;
  /** Tells the caller where the next page of a list begins, as `x-tg-next`. Called by an operation that pages itself, also on the last page. */
  showNext?(next: string | undefined): void;
  /**
   * The store's records, restricted to the caller's scope. Use no others to list or change what a caller names. The writes of an operation
   * on records alone reach the store together when it has ended; until then it reads them here.
   */
  readonly records: Records;
  /** The same records of all tenants, for what an operation keeps in order beyond the caller's scope. */
  readonly allRecords: Records;
  /** Runs work once the store has the writes of the call; at once in an operation whose writes the store takes one by one. */
  afterCommit(work: () => void): void;
  /** Seals and opens secrets in records: a back end acts with the key pairs of the caller's projects. */
  readonly secrets: Secrets;
  /**
   * Runs work while no other call holds the lease of that name, in this process or another one on the store: for what is read, changed
   * and written as a whole. Rejects with `store_unavailable` where another process holds the lease for more than half a minute.
   */
  readonly withLease: WithLease;
  /** Returns the records above the caller's scope, which it inherits and cannot change, from the provider's down. */
  listAbove<Kind extends PortalRecordKind>(kind: Kind, where?: Where<Kind>): Promise<RecordKinds[Kind][]>;
}

/** Returns the tenant fields of a new record at the caller's own level. */
export function scopeAt({ reseller, client_id, user_id }: TenantScope) {
  return { reseller: reseller ?? null, client_id: client_id ?? null, user_id: user_id ?? null };
}
