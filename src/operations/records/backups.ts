import type { PortalRecord } from "./record.ts";

/** `scheduled → queued → running → available → expired`, `failed`, `lost`, `canceled` (portal-resolved.md, section 4). */
export type BackupState = "scheduled" | "queued" | "running" | "available" | "expired" | "failed" | "lost" | "canceled";

/** A policy that was made through the portal. Instants are RFC 3339. */
export interface StoredBackupPolicy extends PortalRecord {
  readonly name: string;
  readonly description: string | null;
  /** Cron, five fields, by the wall clock of the time zone. */
  readonly schedule: string;
  readonly timezone: string;
  readonly backup_window: number;
  readonly increment_policy: number;
  readonly retention_primary: number;
  readonly retention_secondary: number;
  readonly retry: number;
  readonly backup_backend_rule: string | null;
  readonly primary_zone: string | null;
  readonly backup_strictness: string | null;
  readonly notification_email: string | null;
  readonly avatar: string | null;
  /** The user's name. */
  readonly created_by: string;
  /** Since when it accepts no new resources, and by whom. */
  readonly disabled_at: string | null;
  readonly disabled_by: string | null;
}

/** The assignment of a policy to a resource. Instants are milliseconds since the epoch. */
export interface StoredBackupAssignment extends PortalRecord {
  readonly region: string;
  readonly policy_id: string;
  readonly resource_id: string;
  /** The type of the resource. A machine or a project represents its volumes, each of which has an assignment of its own. */
  readonly resource_type: "volume" | "vm" | "project";
  readonly project_id: string | null;
  /** The machine or project that this volume is protected with. */
  readonly protected_resource_id: string | null;
  /** Hour of the day at which the window begins, in the policy's time zone. */
  readonly starting_hour: number;
  /** When the scheduled backup is due; null for an assignment that only represents volumes. */
  readonly next_at: number | null;
  /** How many backups were due so far. */
  readonly runs: number;
}

/** The zone of a copy, and when it expires. */
export interface StoredBackupCopy {
  readonly zone: string | null;
  /** The driver's own id. */
  readonly snapshot: string;
  readonly expires_at: number;
  readonly is_removed: boolean;
  /** What the driver says of this copy; absent in copies of older versions. */
  readonly is_full?: boolean | undefined;
  /** The driver's id of the copy in the same zone that this one builds on; null for a full one, absent in copies of older versions. */
  readonly parent?: string | null | undefined;
  /** Since when the driver no longer has it, without a removal through the portal; absent or null while it does. */
  readonly lost_at?: number | null | undefined;
}

/** One backup, from the moment it is planned. Instants are milliseconds since the epoch. */
export interface StoredBackup extends PortalRecord {
  readonly state: BackupState;
  readonly region: string;
  readonly resource_id: string;
  readonly resource_type: "volume";
  readonly project_id: string | null;
  readonly protected_resource_id: string | null;
  readonly policy_id: string;
  readonly assignment_id: string;
  readonly starting_hour: number;
  readonly scheduled_at: number;
  readonly is_full: boolean;
  /** Started by hand. */
  readonly manual: boolean;
  /** Attempts that failed. */
  readonly retries: number;
  /** When a failed backup may be tried again; absent or null for at once. */
  readonly retry_at?: number | null;
  /** The process that makes it, and the end of its lease; null while none does. */
  readonly maker: string | null;
  readonly lease_until: number | null;
  readonly copies: readonly StoredBackupCopy[];
  /** The parent of an incremental backup: that of its first copy. */
  readonly parent_id: string | null;
  /** The driver's id of what the copy that is being made builds on; absent or null while none does. */
  readonly pending_parent?: string | null | undefined;
  readonly size: number | null;
  readonly allocated: number | null;
  readonly volume_type: string | null;
  readonly started_at: number | null;
  readonly processed_at: number | null;
  readonly last_restore: number | null;
  readonly canceled_at: number | null;
  readonly canceled_by: string | null;
  readonly message: string | null;
  readonly reason: string | null;
}

/** Where a backup is restored to: over the volume that it was made of, or as something new. */
export type StoredRestoreTarget =
  | { readonly kind: "source"; readonly resource_id: string }
  | { readonly kind: "image"; readonly name: string }
  | {
      readonly kind: "volume";
      readonly name: string;
      readonly availability_zone: string;
      readonly volume_type: string;
    };

/** One restore of a backup, from the request to its end. Instants are milliseconds since the epoch. It belongs to the backup's tenant. */
export interface StoredBackupRestore extends PortalRecord {
  readonly state: "queued" | "running" | "done" | "failed";
  readonly region: string;
  readonly backup_id: string;
  /** The driver's id of the copy that is restored. */
  readonly snapshot: string;
  /** The volume that the backup was made of. */
  readonly resource_id: string;
  readonly target: StoredRestoreTarget;
  /** The name of the user who asked for it. */
  readonly requested_by: string;
  readonly requested_at: number;
  /** The processes that died while they restored. */
  readonly abandoned: number;
  /** The process that restores, and the end of its lease; null while none does. */
  readonly maker: string | null;
  readonly lease_until: number | null;
  readonly ended_at: number | null;
  /** Why it failed. */
  readonly message: string | null;
  /** When what it may have left is looked for next, after a failure; null when nothing is left. */
  readonly discard_at?: number | null | undefined;
}

/** The kinds of records about backups. */
export interface BackupRecords {
  backup: StoredBackup;
  backup_assignment: StoredBackupAssignment;
  backup_policy: StoredBackupPolicy;
  backup_restore: StoredBackupRestore;
}
