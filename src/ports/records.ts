import type { Calibration } from "../api/calibrations/calibrations.ts";
import type { Customer, Project } from "../api/governance.ts";
import type { StoredProjectUser } from "../api/portal/ai.ts";
import { type AlertRecords, alertLinks } from "../api/portal/alerts/alerts.ts";
import type { BackupRecords } from "../api/portal/backups.ts";
import type { CloudRecords } from "../api/portal/cloud.ts";
import type { StoredLease } from "../api/portal/leases.ts";
import type { StoredLocalThing } from "../api/portal/local.ts";
import type { StoredNotification } from "../api/portal/notifications.ts";
import type { StoredKeyPair, StoredSharedBucket, StoredSharedUrl } from "../api/portal/objectstore.ts";
import type { StoredPassword, StoredPasswordLink, StoredTotp } from "../api/portal/passwords.ts";
import type { StoredProfile, StoredProfileAssignment } from "../api/portal/profiles.ts";
import type { StoredQuota, StoredResourceUsage } from "../api/portal/quotas.ts";
import type { StoredSession, StoredUserSettings } from "../api/portal/sessions.ts";
import { type StoredProperty, type StoredText, type VendorRecords, vendorLinks } from "../api/portal/settings.ts";
import type { StoredTask, StoredTaskSchedule } from "../api/portal/tasks.ts";
import type { StoredTenant } from "../api/portal/tenants.ts";
import type { AuditEntry, StoredRole, StoredToken, StoredUser } from "../api/portal/users.ts";
import type { MaybePromise } from "../runtime/maybe-promise.ts";
import type { CallRecord } from "./call-records.ts";
import type { EngineRecords } from "./engine-records.ts";
import type { RetiredKey, StoredKey } from "./key-records.ts";

export type { DeletedName } from "./engine-records.ts";
export type { RetiredKey, StoredKey } from "./key-records.ts";

/** What is kept, by kind. Each has an `id`, unique within its kind, and `created_at`, RFC 3339 in UTC with milliseconds. */
export interface RecordKinds extends AlertRecords, BackupRecords, CloudRecords, EngineRecords, VendorRecords {
  customer: Customer;
  project: Project;
  key: StoredKey;
  retired_key: RetiredKey;
  calls: CallRecord;
  calibration: Calibration;
  project_user: StoredProjectUser;
  tenant: StoredTenant;
  user: StoredUser;
  role: StoredRole;
  token: StoredToken;
  session: StoredSession;
  password: StoredPassword;
  password_link: StoredPasswordLink;
  totp: StoredTotp;
  user_settings: StoredUserSettings;
  audit: AuditEntry;
  property: StoredProperty;
  text: StoredText;
  notification: StoredNotification;
  task: StoredTask;
  task_schedule: StoredTaskSchedule;
  profile: StoredProfile;
  profile_assignment: StoredProfileAssignment;
  quota: StoredQuota;
  resource_usage: StoredResourceUsage;
  local_thing: StoredLocalThing;
  keypair: StoredKeyPair;
  shared_bucket: StoredSharedBucket;
  shared_url: StoredSharedUrl;
  turn: StoredLease;
}

/** The name of a kind. */
export type RecordKind = keyof RecordKinds;

/** Where a record lies in the tree of tenants: it is found by each level. Records of the engine have the levels in `metadata`. */
const scope = { reseller: undefined, client_id: undefined } as const;
const owned = { ...scope, user_id: undefined } as const;

/** The name of a record with its owner, as `ownedNameOf` makes it: records of one name with one owner are found by it. */
const name = { owned_name: undefined } as const;

/**
 * The fields by which records are found, and for those that name another record its kind: such a one must exist, and cannot be
 * removed before those that name it. A new kind is a row here, and no change of any adapter.
 */
export const recordLinks = {
  customer: { ...scope, ...name },
  project: { ...scope, ...name, customer_id: "customer" },
  key: { ...scope, ...name, project_id: "project", customer_id: "customer", user: undefined },
  retired_key: { key_id: undefined },
  deleted_name: scope,
  calls: {},
  secret: {},
  calibration: { model: undefined, name: undefined },
  project_user: { ...scope, project_id: undefined, user_id: undefined },
  tenant: { ...scope, status: undefined },
  user: { ...scope, username: undefined },
  role: { ...scope, ...name },
  token: { ...scope, ...name, user_id: "user" },
  session: { ...scope, user_id: undefined, token_id: undefined },
  password: owned,
  password_link: owned,
  totp: owned,
  user_settings: owned,
  audit: { ...scope, user_id: undefined, operation: undefined, outcome: undefined, target_id: undefined },
  property: { ...scope, property: undefined },
  text: { ...scope, lang: undefined },
  notification: owned,
  ...alertLinks,
  ...vendorLinks,
  task: owned,
  task_schedule: scope,
  backup: { ...scope, resource_id: undefined, assignment_id: undefined },
  backup_assignment: { ...scope, resource_id: undefined },
  backup_policy: scope,
  backup_restore: { ...scope, backup_id: undefined, resource_id: undefined },
  profile: scope,
  profile_assignment: { ...scope, holder: undefined, profile_id: "profile" },
  quota: { ...scope, region: undefined },
  resource_usage: { ...scope, region: undefined },
  cloud_project: owned,
  cloud_credential: { ...scope, project_id: undefined },
  cloud_rollback: scope,
  project_purge: scope,
  local_thing: { ...scope, collection: undefined },
  keypair: owned,
  shared_bucket: { ...scope, bucket: undefined },
  shared_url: { ...scope, bucket: undefined },
  turn: {},
  tool_approval: {},
} as const satisfies {
  [Kind in RecordKind]: {
    [Field in keyof RecordKinds[Kind] | keyof typeof scope | keyof typeof name]?: RecordKind | undefined;
  };
};

/** The fields whose texts a record is searched by. A kind without a row here is not searched. */
export const recordTexts = {
  customer: ["id", "name", "description"],
  project: ["id", "name", "description"],
  key: ["id", "name", "description", "last4", "user"],
  tenant: ["id", "name", "reseller", "client_id", "contact"],
  user: ["id", "username", "email", "first_name", "last_name"],
  role: ["id", "name", "description"],
} as const satisfies { [Kind in RecordKind]?: readonly (keyof RecordKinds[Kind])[] };

/** The name that records of a kind are listed in order of. A new kind is a row here, and an index in the stores' schemas. */
export const recordNames = {
  customer: "name",
  project: "name",
  key: "name",
  tenant: "name",
  user: "username",
  role: "name",
} as const satisfies { [Kind in RecordKind]?: keyof RecordKinds[Kind] };

/** A field that records of a kind can be listed by. */
export type LinkOf<Kind extends RecordKind> = Extract<keyof (typeof recordLinks)[Kind], string>;

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
 * By creation, then id; or by name ({@link recordNames}; by the code points of its first 200 characters), then creation, then id. A kind
 * without names is listed by creation. `newest` and `name_reversed` are those orders backwards.
 */
export type ListOrder = "oldest" | "newest" | "name" | "name_reversed";

/** Which records to list: those that all of its parts allow. */
export interface ListQuestion<Kind extends RecordKind> {
  readonly where?: Where<Kind> | undefined;
  /** A text within one of the fields of {@link recordTexts}, in any letter case; a kind that has none there has no such records. */
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
 * Customers, projects and keys. Each method is one transaction. Costs do not grow with the number of records, but for `count` and for a
 * `search` that little matches, which looks at the texts of the kind. Answers need not be promises. An unreadable `after` is refused with
 * `invalid_request`.
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
  /** Writes one after the other, each as `put` and `remove` do; all of them, or none where one of them cannot be done. */
  batch(writes: readonly RecordWrite[]): MaybePromise<BatchOutcome>;
  /** A number that differs whenever records may have changed, by any process; of this one's changes, those of `kinds`. Cheap to ask. */
  stamp(kinds?: readonly RecordKind[]): number;
}
