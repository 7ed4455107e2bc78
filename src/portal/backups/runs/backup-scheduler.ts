import { warn } from "../../../runtime/notify.ts";
import { type BackupPolicySettings, readPolicies } from "../planning/policy.ts";
import type { BackupDeps } from "./backup-deps.ts";
import { schedulerTick } from "./scheduler-tick.ts";

/** Milliseconds between two ticks. */
export const tickMs = 20_000;

/** The scheduler of backups in this process. */
export interface BackupScheduler {
  readonly deps: BackupDeps;
  /** Runs one tick. A call during a tick waits for the next one. */
  tick(): Promise<void>;
}

type SchedulerDeps = Omit<BackupDeps, "policies" | "running" | "wake">;

/** Returns the scheduler, which runs one tick at a time. Throws `invalid_configuration` for invalid policies. */
export function createBackupScheduler(
  schedulerDeps: SchedulerDeps,
  settings?: Readonly<Record<string, BackupPolicySettings>>,
): BackupScheduler {
  const policies = readPolicies(settings);
  let running: Promise<void> = Promise.resolve();
  let isWorking = false;
  const tick = () => {
    isWorking = true;
    running = running.catch(() => {}).then(() => schedulerTick(deps)); // the caller of the former tick receives its failure
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
  return { deps, tick };
}
