import { GatewayError } from "../engine/errors.ts";
import type { BackupDriver, BackupJob, RestoreTarget } from "../portal/backup-driver.ts";

/** A backup driver that keeps everything in memory and does what a test tells it. */
export interface FakeBackupDriver extends BackupDriver {
  /** The backups that it holds, by their own ids. */
  readonly held: ReadonlyMap<string, BackupJob>;
  /** How often each backup was asked for. */
  readonly calls: ReadonlyMap<string, number>;
  readonly restored: readonly { readonly snapshot: string; readonly target: RestoreTarget }[];
  /** Fails the next so many calls of `create`. */
  failNext(count: number): void;
}

/** A driver in memory: a backup that is asked for again is the one that was made. */
export function fakeBackupDriver(): FakeBackupDriver {
  const held = new Map<string, BackupJob>();
  const calls = new Map<string, number>();
  const restored: { snapshot: string; target: RestoreTarget }[] = [];
  let failures = 0;
  const failing = () => {
    if (failures-- > 0) throw new GatewayError("backend_error", "The driver was set to fail.");
    failures = 0;
  };
  return {
    held,
    calls,
    restored,
    failNext(count) {
      failures = count;
    },
    async create(job) {
      calls.set(job.backup_id, (calls.get(job.backup_id) ?? 0) + 1);
      failing();
      const snapshot = `snap-${job.backup_id}`;
      if (job.parent !== undefined && !held.has(job.parent)) {
        throw new GatewayError("backend_error", "The backup that this one builds on is not there.");
      }
      held.set(snapshot, job);
      return { snapshot, size: 1_024, allocated: 512, is_full: job.is_full };
    },
    async restore(snapshot, target) {
      if (!held.has(snapshot)) throw new GatewayError("backend_error", `There is no backup ${snapshot}.`);
      restored.push({ snapshot, target });
    },
    async remove(snapshot) {
      for (const { parent } of held.values())
        if (parent === snapshot) throw new GatewayError("conflict", "Others build on it.");
      held.delete(snapshot);
    },
    list: async () => [...held.keys()],
  };
}
