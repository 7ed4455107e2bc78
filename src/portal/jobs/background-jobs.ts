import type { Clock } from "../../engine/ports/clock.ts";
import { createAborter } from "../../engine/runtime/abortable.ts";
import { notifySafely } from "../../engine/runtime/notify.ts";
import { createDeliveries, deliverEveryMs } from "../alerts/channels/deliveries.ts";
import { createEvaluation, evaluateEveryMs } from "../alerts/rules/evaluation.ts";
import { noticeExpiring } from "../alerts/tokens.ts";
import type { PortalDeps } from "../area.ts";
import { lookEveryMs, tickMs } from "../backups/backup-scheduler.ts";
import { operator } from "../call/operator.ts";
import { purgesEveryMs, purgeTick } from "../purge/purge-tick.ts";
import { refreshUsage, refreshUsageEveryMs } from "../quotas/refresh-usage.ts";
import { forgetOld, readRetention } from "../retention.ts";
import { createCalls } from "../run/new-call.ts";
import { runDueTasks } from "../tasks/schedule/due.ts";
import { finishRollbacks, rollbacksEveryMs } from "./rollbacks.ts";

const hour = 3_600_000;

/** Periodic work of a portal. It must be safe to repeat, and to run in several processes at once. */
export interface BackgroundJob {
  /** For the log. */
  readonly name: string;
  /** Milliseconds from the end of one run to the next. */
  readonly everyMs: number;
  perform(): Promise<void>;
  /** Ends what runs have left under way, when the jobs are stopped. */
  close?(): Promise<void>;
}

/** Returns the background jobs of a portal. Add a job here. */
export function backgroundJobsOf(deps: PortalDeps): readonly BackgroundJob[] {
  const { backups, records, notify, clock, retention, ownPrices, credentials } = deps;
  const resolved = readRetention(retention);
  return [
    { name: "own prices", everyMs: 5_000, perform: () => ownPrices.follow() },
    { name: "credentials", everyMs: 5_000, perform: () => credentials.follow() },
    { name: "backups", everyMs: tickMs, perform: () => backups.tick(), close: () => backups.close() },
    { name: "lost backups", everyMs: lookEveryMs, perform: () => backups.look() },
    { name: "scheduled tasks", everyMs: tickMs, perform: () => runDueTasks(deps) },
    { name: "ending tokens", everyMs: hour, perform: () => noticeExpiring(records, notify, clock.now()) },
    { name: "alert rules", everyMs: evaluateEveryMs, perform: createEvaluation(deps) },
    { name: "alert messages", everyMs: deliverEveryMs, perform: createDeliveries(deps) },
    ...cloudJobs(deps),
    { name: "retention", everyMs: hour, perform: () => forgetOld(records, resolved, clock.now()) },
  ];
}

/** Receives the error of a failed job. The job runs again at its next time, even if the report throws. */
export type JobReport = (error: unknown, job: string) => void;

/** Runs each job at once and then periodically, until the returned function is called. That waits for the running jobs. */
export function startBackgroundJobs(
  jobs: readonly BackgroundJob[],
  clock: Clock,
  report: JobReport,
): () => Promise<void> {
  let isStopped = false;
  const running = new Map<BackgroundJob, Promise<void>>();
  const waiting = new Map<BackgroundJob, () => void>();
  const perform = (job: BackgroundJob): void => {
    waiting.delete(job);
    const work = job
      .perform()
      .catch((thrown: unknown) => notifySafely(() => report(thrown, job.name)))
      .finally(() => {
        running.delete(job);
        if (!isStopped)
          waiting.set(
            job,
            clock.after(job.everyMs, () => perform(job)),
          );
      });
    running.set(job, work);
  };
  for (const each of jobs) perform(each);
  return async () => {
    isStopped = true;
    for (const takeBack of waiting.values()) takeBack();
    await Promise.all(running.values());
    await Promise.all(jobs.map((job) => job.close?.()));
  };
}

/** The jobs that ask the clouds of regions, in the operator's name where they need one. */
function cloudJobs(deps: PortalDeps) {
  const newCall = createCalls(deps);
  const callIn = (region: string) =>
    newCall({ caller: operator, region, signal: createAborter(), eventId: deps.newId("evt") });
  return [
    { name: "rollbacks", everyMs: rollbacksEveryMs, perform: () => finishRollbacks(deps) },
    { name: "purges", everyMs: purgesEveryMs, perform: () => purgeTick(deps, callIn) },
    { name: "quota usage", everyMs: refreshUsageEveryMs, perform: () => refreshUsage(deps, callIn) },
  ];
}
