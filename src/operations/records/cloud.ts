import type { PortalRecord } from "./record.ts";

/**
 * The portal's own data of an infrastructure project: its tenant, and when the portal last changed it. `id` is the project's id in the
 * cloud, which knows no tenants.
 */
export interface StoredCloudProject extends PortalRecord {
  /** The code of the region that the project is in. */
  readonly region: string;
  readonly quota_profile?: string | undefined;
  /** RFC 3339 in UTC with milliseconds. */
  readonly updated_at: string;
}

/** The portal's own data of a project's credential. `id` is the credential's id in the cloud; the secret is not here. */
export interface StoredCloudCredential extends PortalRecord {
  /** The id of the infrastructure project. */
  readonly project_id: string;
  readonly description: string;
  /** True for a credential of the user who created it, false for one of the project's own user. */
  readonly user_bound: boolean;
}

/** A step that takes back a part of what a failed operation began at the cloud. Each may be repeated. */
export type TakeBackStep =
  /** Deletes a project, by its id or, where the answer to its creation was lost, by its name and our mark on it. */
  | {
      readonly kind: "delete_project";
      readonly project_id: string | null;
      readonly name: string;
      readonly mark: string;
    }
  /** Deletes a user of the portal's own making, by its name: the answer to its creation was lost. One that holds credentials stays. */
  | { readonly kind: "delete_user"; readonly name: string; readonly domain_id: string }
  /**
   * Enables a project that was disabled for its deletion, which left our mark on it. Without a mark (of an earlier version) it is enabled
   * whoever has disabled it.
   */
  | {
      readonly kind: "enable_project";
      readonly project_id: string;
      readonly mark?: string | undefined;
      /** The disabling was not answered, and may still be carried out. */
      readonly is_unanswered?: boolean | undefined;
    }
  /** Deletes what Keystone has under a path: a user, a role of a user, a credential. */
  | {
      readonly kind: "delete";
      readonly path: readonly string[];
      /** Its creation was not answered, and may still be carried out. */
      readonly is_unanswered?: boolean | undefined;
    };

/**
 * What a failed operation may have left at the cloud. It is written before the operation begins or as soon as taking back fails, and removed
 * when nothing is left.
 */
export interface StoredCloudRollback extends PortalRecord {
  /** The code of the region. */
  readonly region: string;
  /** `pending` while its operation may still run, `stuck` after that. */
  readonly state: "pending" | "stuck";
  /** In the order in which they are taken. */
  readonly steps: readonly TakeBackStep[];
  /** Why the last attempt failed, in our words. */
  readonly message: string | null;
  readonly attempts: number;
  /** The next attempt, in milliseconds since the epoch. */
  readonly retry_at: number;
}

/** A thing of a project that is being purged, and why it was not deleted at the last attempt; null where nothing was refused. */
export interface StoredLeftover {
  readonly region: string;
  readonly kind: string;
  readonly id: string;
  readonly name: string | null;
  readonly reason: string | null;
}

/** The deletion of a project with all that is in it. `id` is the project's; instants are milliseconds since the epoch. */
export interface StoredProjectPurge extends PortalRecord {
  /** The code of the region in which it was asked for. */
  readonly region: string;
  /** The task that shows it. */
  readonly task_id: string;
  /** `stuck` where nothing went any more: it is not tried again until somebody asks. */
  readonly state: "running" | "stuck";
  /** What is left, of which the first 100 are named. */
  readonly left: readonly StoredLeftover[];
  readonly left_count: number;
  /** The fewest things that were left so far, and when that was first so. */
  readonly fewest: number | null;
  readonly progress_at: number;
  /** Why the last attempt could not go on. */
  readonly message: string | null;
  /** The next attempt; while one is under way, when its process counts as dead. */
  readonly retry_at: number;
}

/** The kinds of records about the clouds of regions. */
export interface CloudRecords {
  project_purge: StoredProjectPurge;
  cloud_project: StoredCloudProject;
  cloud_credential: StoredCloudCredential;
  cloud_rollback: StoredCloudRollback;
}
