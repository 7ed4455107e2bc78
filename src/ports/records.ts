import type { Customer, Project, VirtualKey } from "../api/governance.ts";
import type { StoredProjectUser } from "../api/portal/ai.ts";
import type { StoredBackup, StoredBackupAssignment } from "../api/portal/backups.ts";
import type { StoredCloudCredential, StoredCloudProject } from "../api/portal/cloud.ts";
import type { StoredLease } from "../api/portal/leases.ts";
import type { StoredLocalThing } from "../api/portal/local.ts";
import type { StoredNotification } from "../api/portal/notifications.ts";
import type { StoredKeyPair, StoredSharedBucket, StoredSharedUrl } from "../api/portal/objectstore.ts";
import type { StoredProfile, StoredProfileAssignment } from "../api/portal/profiles.ts";
import type { StoredQuota } from "../api/portal/quotas.ts";
import type { StoredProperty, StoredText } from "../api/portal/settings.ts";
import type { StoredTask } from "../api/portal/tasks.ts";
import type { AuditEntry, StoredRole, StoredToken, StoredUser } from "../api/portal/users.ts";
import type { MaybePromise } from "../runtime/maybe-promise.ts";

/** A virtual key as it is stored: what is shown, and the SHA-256 of its value in hexadecimal. */
export interface StoredKey extends VirtualKey {
  readonly hash: string;
}

/** A value that a rotated key had before, accepted until it ends. */
export interface RetiredKey {
  readonly id: string;
  readonly key_id: string;
  /** Of the value, as {@link StoredKey} has it. */
  readonly hash: string;
  /** RFC 3339; the value is refused from then on. */
  readonly expires_at: string;
  readonly created_at: string;
}

/** What is kept, by kind. Each has an `id`, unique within its kind, and `created_at`, RFC 3339 in UTC with milliseconds. */
export interface RecordKinds {
  customer: Customer;
  project: Project;
  key: StoredKey;
  retired_key: RetiredKey;
  project_user: StoredProjectUser;
  user: StoredUser;
  role: StoredRole;
  token: StoredToken;
  audit: AuditEntry;
  property: StoredProperty;
  text: StoredText;
  notification: StoredNotification;
  task: StoredTask;
  backup: StoredBackup;
  backup_assignment: StoredBackupAssignment;
  profile: StoredProfile;
  profile_assignment: StoredProfileAssignment;
  quota: StoredQuota;
  cloud_project: StoredCloudProject;
  cloud_credential: StoredCloudCredential;
  local_thing: StoredLocalThing;
  keypair: StoredKeyPair;
  shared_bucket: StoredSharedBucket;
  shared_url: StoredSharedUrl;
  turn: StoredLease;
}

/** The name of a kind. */
export type RecordKind = keyof RecordKinds;

/** Where a record of the portal lies: it is found by each level. */
const scope = { reseller: undefined, client_id: undefined } as const;

/**
 * The fields by which records are found, and for those that name another record its kind: such a one must exist, and cannot be
 * removed before those that name it. A new kind is a row here, and no change of any adapter.
 */
export const recordLinks = {
  customer: {},
  project: { customer_id: "customer" },
  key: { project_id: "project", customer_id: "customer", user: undefined },
  retired_key: { key_id: undefined },
  project_user: { ...scope, project_id: undefined, user_id: undefined },
  user: { ...scope, username: undefined },
  role: scope,
  token: { ...scope, user_id: "user" },
  audit: { ...scope, user_id: undefined },
  property: { ...scope, property: undefined },
  text: { ...scope, lang: undefined },
  notification: { ...scope, user_id: undefined },
  task: { ...scope, user_id: undefined },
  backup: { ...scope, resource_id: undefined, assignment_id: undefined },
  backup_assignment: { ...scope, resource_id: undefined },
  profile: scope,
  profile_assignment: { ...scope, holder: undefined, profile_id: "profile" },
  quota: { ...scope, region: undefined },
  cloud_project: { ...scope, user_id: undefined },
  cloud_credential: { ...scope, project_id: undefined },
  local_thing: { ...scope, collection: undefined },
  keypair: { ...scope, user_id: undefined },
  shared_bucket: { ...scope, bucket: undefined },
  shared_url: { ...scope, bucket: undefined },
  turn: {},
} as const satisfies { [Kind in RecordKind]: { [Field in keyof RecordKinds[Kind]]?: RecordKind | undefined } };

/** A field that records of a kind can be listed by. */
export type LinkOf<Kind extends RecordKind> = Extract<keyof (typeof recordLinks)[Kind], string>;

/** One field and the value that it has. */
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
  /** Another record of the kind has the same `hash`. */
  | { readonly kind: "taken"; readonly field: "hash" }
  /** A field names a record that is not there. */
  | { readonly kind: "dangling"; readonly field: string };

/** What became of a `remove`. */
export type RemoveOutcome =
  | { readonly kind: "removed" }
  | { readonly kind: "missing" }
  | { readonly kind: "moved"; readonly version: number }
  /** Records of another kind name this one: how many of which kind. */
  | { readonly kind: "needed"; readonly by: RecordKind; readonly count: number };

/** Which records to list; at most one field in `where`. */
export interface ListQuestion<Kind extends RecordKind> {
  readonly where?: Where<Kind> | undefined;
  /** 1 to 1,000. */
  readonly limit: number;
  /** `next` of the page before. */
  readonly after?: string | undefined;
}

/** Records in order of creation, then id. */
export interface RecordPage<Kind extends RecordKind> {
  readonly records: readonly Stored<Kind>[];
  /** Where the next page begins; absent on the last. Stays good while records come and go. */
  readonly next?: string | undefined;
}

/**
 * Customers, projects and keys. Each method is one transaction. Costs do not grow with the number of records, but for `count`.
 * Answers need not be promises. An unreadable `after` is refused with `invalid_request`.
 */
export interface Records {
  /** Writes a record that is at version `expected` (0: that is not there yet). */
  put<Kind extends RecordKind>(kind: Kind, record: RecordKinds[Kind], expected: number): MaybePromise<PutOutcome>;
  get<Kind extends RecordKind>(kind: Kind, id: string): MaybePromise<Stored<Kind> | undefined>;
  /** The record of a kind whose `hash` this is. */
  findByHash<Kind extends RecordKind>(kind: Kind, hash: string): MaybePromise<Stored<Kind> | undefined>;
  list<Kind extends RecordKind>(kind: Kind, question: ListQuestion<Kind>): MaybePromise<RecordPage<Kind>>;
  count<Kind extends RecordKind>(kind: Kind, where?: Where<Kind>): MaybePromise<number>;
  /** Removes a record; with `expected`, only at that version. */
  remove(kind: RecordKind, id: string, expected?: number): MaybePromise<RemoveOutcome>;
  /**
   * A number that differs from the last one whenever records may have changed since, in this process or another. Of what this process
   * changes, only the given kinds count. Cheap enough to ask before every use of what was read before.
   */
  stamp(kinds?: readonly RecordKind[]): number;
}
