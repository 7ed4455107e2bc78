import { warn } from "../../engine/runtime/notify.ts";
import { type BackupPolicySettings, readPolicies } from "./planning/policy.ts";
import { restoreTick } from "./restores/restore-tick.ts";
import type { BackupDeps } from "./runs/backup-deps.ts";
import { lookEverywhere } from "./runs/look-for-lost.ts";
import { type BackupPlaces, createRunQueue, type RunQueue } from "./runs/run-queue.ts";
import { schedulerTick } from "./runs/scheduler-tick.ts";

/** Milliseconds between two ticks. */
export const tickMs = 20_000;

/** Milliseconds between two looks for lost backups. */
export const lookEveryMs = 3_600_000;

/** The scheduler of backups in this process. */
export interface BackupScheduler {
  readonly deps: BackupDeps;
  /** Runs one tick. A call during a tick waits for the next one. */
  tick(): Promise<void>;
  /** Looks for backups that their drivers no longer have. */
  look(): Promise<void>;
  /** Starts no more backups, and resolves when those under way have ended. */
  close(): Promise<void>;
}

type SchedulerDeps = Omit<BackupDeps, "policies" | "running" | "wake">;

/** Returns the scheduler, which runs one tick at a time. Throws `invalid_configuration` for invalid policies. */
export function createBackupScheduler(
  schedulerDeps: SchedulerDeps,
  settings?: Readonly<Record<string, BackupPolicySettings>>,
  places?: BackupPlaces,
): BackupScheduler {
  const policies = readPolicies(settings);
  let running: Promise<void> = Promise.resolve();
  let isWorking = false;
  const queues = { backups: createRunQueue(places), restores: createRunQueue(places) };
  const tick = () => {
    isWorking = true;
    running = running.catch(() => {}).then(() => bothTicks(deps, queues)); // the caller of the former tick receives its failure
    return running;
  };
  const deps: BackupDeps = {
    ...schedulerDeps,
    policies,
    running: new Map(),
    wake() {
      if (isWorking) tick().catch(warn);
    },
  };
  const close = async () => void (await Promise.all([queues.backups.close(), queues.restores.close()]));
  return { deps, tick, close, look: () => lookEverywhere(deps) };
}

/** Backups and restores have places of their own: neither waits for the other. Rejects with the first failure when both have ended. */
async function bothTicks(deps: BackupDeps, queues: Readonly<Record<"backups" | "restores", RunQueue>>): Promise<void> {
  const work = [schedulerTick(deps, queues.backups), restoreTick(deps, queues.restores)];
  await Promise.allSettled(work);
  await Promise.all(work);
}
