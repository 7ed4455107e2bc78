import type { Records } from "../../../engine/ports/records.ts";
import type { Abortable } from "../../../engine/runtime/abortable.ts";
import { createAborter } from "../../../engine/runtime/abortable.ts";
import type { StoredBackup, StoredBackupCopy } from "../../../operations/records/backups.ts";
import { readAll } from "../../tenancy/record-access.ts";
import { moveBackup } from "../move.ts";
import { findAgain, loseCopies } from "../planning/lost.ts";
import type { BackupDeps } from "./backup-deps.ts";

type LookDeps = Pick<BackupDeps, "regions" | "clock" | "notify">;

/** Which backups are looked for: those of the records, in one region. */
interface LostSearch {
  readonly records: Records;
  readonly region: string;
  readonly signal: Abortable;
}

/** Looks in every region. Rejects with the first failure after all of them. */
export async function lookEverywhere(deps: LookDeps & Pick<BackupDeps, "records">): Promise<void> {
  const { records, regions } = deps;
  const signal = createAborter();
  const looks = Object.keys(regions).map((region) => lookForLost(deps, { records, region, signal }));
  await Promise.allSettled(looks);
  await Promise.all(looks);
}

/**
 * Compares the copies of a region with those that its driver holds. One that is gone, or whose chain is broken, is lost, and each user who sees
 * the backup is notified; one that the driver holds again is found again. A driver that cannot be asked changes nothing.
 */
export async function lookForLost(deps: LookDeps, { records, region, signal }: LostSearch): Promise<void> {
  const { regions, clock } = deps;
  const driver = regions[region]?.backups;
  if (!driver) return;
  const known = (await readAll(records, "backup")).filter(
    ({ state, region: own }) => own === region && (state === "available" || state === "lost"),
  );
  if (known.length === 0) return;
  const held = new Set(await driver.list({ signal, now: clock.now() })); // after the records: a newer copy is not missed
  const isWhole = wholeIn(known, held);
  for (const backup of known) await settle(deps, { records, backup }, isWhole);
}

/** Tells whether the driver holds a copy and all that it builds on. */
function wholeIn(known: readonly StoredBackup[], held: ReadonlySet<string>): (copy: StoredBackupCopy) => boolean {
  const parents = new Map(known.flatMap(({ copies }) => copies.map(({ snapshot, parent }) => [snapshot, parent])));
  return ({ snapshot }) => {
    const seen = new Set<string>();
    for (let at: string | null | undefined = snapshot; typeof at === "string" && !seen.has(at); at = parents.get(at)) {
      if (!held.has(at)) return false;
      seen.add(at);
    }
    return true;
  };
}

async function settle(
  deps: LookDeps,
  { records, backup }: { readonly records: Records; readonly backup: StoredBackup },
  isWhole: (copy: StoredBackupCopy) => boolean,
): Promise<void> {
  const now = deps.clock.now();
  // an expired copy may be removed at this moment
  const gone = backup.copies.filter((copy) => !copy.is_removed && copy.expires_at > now && !isWhole(copy));
  const found = backup.copies.filter((copy) => typeof copy.lost_at === "number" && isWhole(copy));
  if (found.length > 0)
    await moveBackup(records, backup.id, (present) => findAgain(present, new Set(found.map((copy) => copy.snapshot))));
  if (gone.length === 0) return;
  const snapshots = new Set(gone.map(({ snapshot }) => snapshot));
  const moved = await moveBackup(records, backup.id, (present) => loseCopies(present, snapshots, now));
  if (moved !== undefined) await notifyLoss(deps, moved, gone);
}

/** Notifies of a lost backup, or of the copies that were lost while others are left. */
async function notifyLoss(
  { notify }: LookDeps,
  backup: StoredBackup,
  gone: readonly StoredBackupCopy[],
): Promise<void> {
  const { id, resource_id, state } = backup;
  const about = { type: "backup_lost", subject: id, link: `/backup/${id}`, scope: backup } as const;
  const at = gone.map(({ snapshot, lost_at }) => `${snapshot} ${lost_at ?? ""}`).join();
  const event = `${id} ${at}`;
  if (state === "lost") return notify({ ...about, event, key: "notice.backup_lost", params: { resource_id } });
  const zone = gone.map((copy) => copy.zone ?? "-").join(", ");
  await notify({ ...about, event, key: "notice.backup_copy_lost", params: { resource_id, zone } });
}
