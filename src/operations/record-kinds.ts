import {
  type EngineRecords,
  engineKinds,
  type KindDefinition,
  type KindDefinitionOf,
  type LinksIn,
  nameLink,
  type RecordKind,
  scopeLinks,
} from "../engine/ports/record-kinds.ts";
import type { StoredProjectUser } from "./records/ai.ts";
import type { AlertRecords } from "./records/alerts/alerts.ts";
import type { BackupRecords } from "./records/backups.ts";
import type { CloudRecords } from "./records/cloud.ts";
import type { StoredLease } from "./records/leases.ts";
import type { StoredLocalThing } from "./records/local.ts";
import type { StoredNotification } from "./records/notifications.ts";
import type { StoredKeyPair, StoredSharedBucket, StoredSharedUrl } from "./records/objectstore.ts";
import type { StoredPassword, StoredPasswordLink, StoredTotp } from "./records/passwords.ts";
import type { StoredProfile, StoredProfileAssignment } from "./records/profiles.ts";
import type { StoredQuota, StoredResourceUsage } from "./records/quotas.ts";
import type { StoredSession, StoredUserSettings } from "./records/sessions.ts";
import type { StoredProperty, StoredText, VendorRecords } from "./records/settings.ts";
import type { StoredTask, StoredTaskSchedule } from "./records/tasks.ts";
import type { StoredTenant } from "./records/tenants.ts";
import type { AuditEntry, StoredRole, StoredToken, StoredUser } from "./records/users.ts";

/** The portal's records, by kind; those of users, tenants and the audit log have fields beyond what the engine knows. */
export interface PortalRecords extends AlertRecords, BackupRecords, CloudRecords, VendorRecords {
  /** A user of an AI project. */
  project_user: StoredProjectUser;
  /** An entry of the audit log. */
  audit: AuditEntry;
  /** A reseller or a client. */
  tenant: StoredTenant;
  /** A user of the portal. */
  user: StoredUser;
  /** A role. */
  role: StoredRole;
  /** An API token. */
  token: StoredToken;
  /** A session of the console. */
  session: StoredSession;
  /** The digest of a password. */
  password: StoredPassword;
  /** A link that sets a password. */
  password_link: StoredPasswordLink;
  /** One-time codes of a user. */
  totp: StoredTotp;
  /** What a user set for the console. */
  user_settings: StoredUserSettings;
  /** A setting of a tenant. */
  property: StoredProperty;
  /** A text that a tenant set. */
  text: StoredText;
  /** A notification. */
  notification: StoredNotification;
  /** A task. */
  task: StoredTask;
  /** When a task runs by itself. */
  task_schedule: StoredTaskSchedule;
  /** A profile of permissions or quotas. */
  profile: StoredProfile;
  /** Who has a profile. */
  profile_assignment: StoredProfileAssignment;
  /** A quota. */
  quota: StoredQuota;
  /** What a project was seen to use. */
  resource_usage: StoredResourceUsage;
  /** A thing of the embedded cloud. */
  local_thing: StoredLocalThing;
  /** A key pair. */
  keypair: StoredKeyPair;
  /** A bucket that is shared. */
  shared_bucket: StoredSharedBucket;
  /** An address that an object is shared by. */
  shared_url: StoredSharedUrl;
  /** A lease. */
  turn: StoredLease;
}

const scope = { links: scopeLinks } as const;
const owned = { links: { ...scopeLinks, user_id: undefined } } as const;

/** How they are found. `Records.define` hands this to a store. A new kind is a row here, and no change of any adapter. */
export const portalKinds = {
  project_user: { links: { ...scopeLinks, project_id: undefined, user_id: undefined } },
  tenant: {
    links: { ...scopeLinks, status: undefined },
    texts: ["id", "name", "reseller", "client_id", "contact"],
    name: "name",
  },
  user: {
    links: { ...scopeLinks, username: undefined },
    texts: ["id", "username", "email", "first_name", "last_name"],
    name: "username",
  },
  role: {
    links: { ...scopeLinks, ...nameLink },
    texts: ["id", "name", "description"],
    name: "name",
    owner: ({ reseller, client_id }) => [reseller, client_id],
  },
  token: { links: { ...scopeLinks, ...nameLink, user_id: "user" }, owner: ({ user_id }) => [user_id] },
  session: { links: { ...scopeLinks, user_id: undefined, token_id: undefined } },
  password: owned,
  password_link: owned,
  totp: owned,
  user_settings: owned,
  property: { links: { ...scopeLinks, property: undefined } },
  text: { links: { ...scopeLinks, lang: undefined } },
  notification: owned,
  alert_rule: owned,
  alert_channel: owned,
  alert_channel_state: scope,
  alert: { links: { ...scopeLinks, rule_id: undefined, status: undefined } },
  alert_delivery: { links: { ...scopeLinks, channel_id: undefined } },
  own_price: { links: {} },
  provider_credential: { links: {} },
  task: owned,
  task_schedule: scope,
  backup: { links: { ...scopeLinks, resource_id: undefined, assignment_id: undefined } },
  backup_assignment: { links: { ...scopeLinks, resource_id: undefined } },
  backup_policy: scope,
  backup_restore: { links: { ...scopeLinks, backup_id: undefined, resource_id: undefined } },
  profile: scope,
  profile_assignment: { links: { ...scopeLinks, holder: undefined, profile_id: "profile" } },
  quota: { links: { ...scopeLinks, region: undefined } },
  resource_usage: { links: { ...scopeLinks, region: undefined } },
  cloud_project: owned,
  cloud_credential: { links: { ...scopeLinks, project_id: undefined } },
  cloud_rollback: scope,
  project_purge: scope,
  local_thing: { links: { ...scopeLinks, collection: undefined } },
  keypair: owned,
  shared_bucket: { links: { ...scopeLinks, bucket: undefined } },
  shared_url: { links: { ...scopeLinks, bucket: undefined } },
  turn: { links: {} },
} as const satisfies {
  [Kind in Exclude<keyof PortalRecords, keyof EngineRecords>]: KindDefinitionOf<PortalRecords[Kind]>;
};

/** The fields that the portal's records are found by, by kind. */
export type PortalLinks = LinksIn<typeof portalKinds>;

// scripts/merge-declarations.ts has this hold in the declarations of `dist` too.
declare module "../engine/ports/record-kinds.ts" {
  interface RecordKinds extends PortalRecords {}
  interface RecordLinks extends PortalLinks {}
  interface UserRecord extends StoredUser {}
  interface TenantRecord extends StoredTenant {}
  interface AuditLogRecord extends AuditEntry {}
}

/** The name of a kind: the engine's own, or the portal's. */
export type PortalRecordKind = keyof EngineRecords | keyof PortalRecords;

/** Every kind of records of a gateway with a portal. */
export const recordKinds: Readonly<Record<RecordKind, KindDefinition>> = { ...engineKinds, ...portalKinds };
