import type { StoredBackup } from "../../../operations/records/backups.ts";

/** Marks copies that the driver no longer has; available → lost with the last one. A backup in another state is left as it is. */
export function loseCopies(backup: StoredBackup, snapshots: ReadonlySet<string>, now: number): StoredBackup {
  if (backup.state !== "available") return backup;
  const copies = backup.copies.map((copy) =>
    snapshots.has(copy.snapshot) && !copy.is_removed ? { ...copy, is_removed: true, lost_at: now } : copy,
  );
  return { ...backup, copies, state: copies.every(({ is_removed }) => is_removed) ? "lost" : "available" };
}

/** Takes back that copies were lost: the driver has them again. Lost → available. */
export function findAgain(backup: StoredBackup, snapshots: ReadonlySet<string>): StoredBackup {
  if (backup.state !== "available" && backup.state !== "lost") return backup;
  const copies = backup.copies.map((copy) =>
    snapshots.has(copy.snapshot) && typeof copy.lost_at === "number"
      ? { ...copy, is_removed: false, lost_at: null }
      : copy,
  );
  return { ...backup, copies, state: copies.some(({ is_removed }) => !is_removed) ? "available" : backup.state };
}
