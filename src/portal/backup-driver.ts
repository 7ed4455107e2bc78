import type { Abortable } from "../ports.ts";

/** What is to be backed up. */
export interface BackupSource {
  readonly resource_id: string;
  /** `volume`, `vm`, `image`, … */
  readonly resource_type: string;
  readonly project_id?: string | undefined;
}

/** One backup to make. The same `backup_id` again is the same backup: a driver that has made it answers with it. */
export interface BackupJob extends BackupSource {
  readonly backup_id: string;
  readonly is_full: boolean;
  /** The driver's own id of the backup that an incremental one builds on. */
  readonly parent?: string | undefined;
  /** Where it is kept; the driver's default zone without one. */
  readonly zone?: string | undefined;
}

/** A backup that was made. */
export interface BackupMade {
  /** The driver's own id of it: restore and remove take it. */
  readonly snapshot: string;
  /** Bytes that it holds, and bytes that it takes. */
  readonly size: number;
  readonly allocated: number;
  readonly is_full: boolean;
  readonly volume_type?: string | undefined;
}

/** Where a backup is restored to: its own source, a new image, or a new volume. */
export type RestoreTarget =
  | { readonly kind: "source"; readonly resource_id: string }
  | { readonly kind: "image"; readonly name: string }
  | {
      readonly kind: "volume";
      readonly name: string;
      readonly availability_zone: string;
      readonly volume_type: string;
    };

/** What a driver is told beside its job. */
export interface DriverCall {
  readonly signal: Abortable;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Does the work of backups in one region. What goes wrong is `backend_error`, `backend_timeout` or `backend_unreachable`. */
export interface BackupDriver {
  create(job: BackupJob, call: DriverCall): Promise<BackupMade>;
  restore(snapshot: string, target: RestoreTarget, call: DriverCall): Promise<void>;
  /** Removing what is not there is no failure. */
  remove(snapshot: string, call: DriverCall): Promise<void>;
  /** The ids of the backups that the driver holds. */
  list(call: DriverCall): Promise<readonly string[]>;
}
