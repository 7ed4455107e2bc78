import type { Abortable } from "../engine/runtime/abortable.ts";
import type { StoredRestoreTarget } from "../operations/records/backups.ts";

/** The resource to back up. */
export interface BackupSource {
  readonly resource_id: string;
  /** `volume`, `vm`, `image`, … */
  readonly resource_type: string;
  readonly project_id?: string | undefined;
}

/** One backup to make. A repeated `backup_id` is the same backup: a driver that has made it returns it again. */
export interface BackupJob extends BackupSource {
  readonly backup_id: string;
  readonly is_full: boolean;
  /** The driver's own id of the parent of an incremental backup. */
  readonly parent?: string | undefined;
  /** The zone to store it in; absent means the driver's default zone. */
  readonly zone?: string | undefined;
}

/** A backup that was made. */
export interface BackupMade {
  /** The driver's own id of it: restore and remove take it. */
  readonly snapshot: string;
  /** The size of its content, and the space that it takes, in bytes. */
  readonly size: number;
  readonly allocated: number;
  readonly is_full: boolean;
  readonly volume_type?: string | undefined;
}

/** Where a backup is restored to: its own source, a new image, or a new volume. */
export type RestoreTarget = StoredRestoreTarget;

/** The context of a call of a driver. */
export interface DriverCall {
  readonly signal: Abortable;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** The id of the restore. Asked again with it after its process died, a driver goes on with what it began. */
  readonly job?: string | undefined;
}

/** Makes, restores and removes backups in one region. Throws `backend_error`, `backend_timeout` or `backend_unreachable`. */
export interface BackupDriver {
  create(job: BackupJob, call: DriverCall): Promise<BackupMade>;
  restore(snapshot: string, target: RestoreTarget, call: DriverCall): Promise<void>;
  /**
   * Removes what a restore that has failed made and left, by its `job`, and waits until it is gone; nothing where it was complete in
   * a place that is in use. May be repeated. A driver that leaves nothing needs none.
   */
  discard?(snapshot: string, target: RestoreTarget, call: DriverCall & { readonly job: string }): Promise<void>;
  /** Throws what `restore` would throw, as far as it can be known at once. Changes nothing. */
  checkRestore?(snapshot: string, target: RestoreTarget, call: DriverCall): Promise<void>;
  /** Removes a backup. Succeeds for one that does not exist. */
  remove(snapshot: string, call: DriverCall): Promise<void>;
  /** Returns the ids of the backups that the driver stores. */
  list(call: DriverCall): Promise<readonly string[]>;
}
