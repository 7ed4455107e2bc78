import type { BackupJob, RestoreTarget } from "../../src/portal/backup-driver.ts";

/** The cloud that the child and its parent open. */
export function settingsOf(folder: string) {
  return { region: "eu-1", folder: `${folder}/cloud`, secret: "a secret of the test" };
}

/** The one backup that is made. */
export const backupJob: BackupJob = {
  backup_id: "b-1",
  resource_id: "vol-1",
  resource_type: "volume",
  is_full: true,
};

/** What it is restored to, by the work's name. */
export const restoreTargets = {
  source: { kind: "source", resource_id: "vol-1" },
  volume: { kind: "volume", name: "copy", availability_zone: "nova", volume_type: "standard" },
  image: { kind: "image", name: "image" },
} as const satisfies Record<string, RestoreTarget>;
