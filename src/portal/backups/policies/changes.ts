import { GatewayError } from "../../../engine/errors.ts";
import type { RowInput } from "../../../operations/portal/table.ts";
import type { StoredBackupPolicy } from "../../../operations/records/backups.ts";
import type { PortalCall } from "../../call/call.ts";
import type { AreaBackend } from "../../regions.ts";
import { zonedClock } from "../../schedules/zoned-clock.ts";
import { add, change, read, readAll, remove } from "../../tenancy/record-access.ts";
import { showPolicy } from "../inventory/show.ts";
import { hourOf } from "../planning/lifetime.ts";
import { checkSchedule, storedPolicy } from "../planning/policy.ts";
import { runsOf } from "../planning/schedule.ts";
import type { BackupDeps } from "../runs/backup-deps.ts";
import { draftPolicy, patchPolicy } from "./draft.ts";
import { type Configured, withPolicy } from "./known.ts";
import { planAnew, refuseUsed } from "./uses.ts";

/** The most policies that a caller's branch of the tree may have. */
const mostPolicies = 500;

/** Creates, changes and deletes the policies that are records; those of the configuration only the configuration changes. */
export function policyChanges(deps: BackupDeps): AreaBackend<"backups"> {
  return {
    async createPolicy(draft, call) {
      if ((await readAll(call.records, "backup_policy")).length >= mostPolicies)
        throw new GatewayError(
          "quota_exceeded",
          `There are ${mostPolicies} backup policies. Delete those that nothing uses.`,
        );
      const policy = draftPolicy(deps.newId("bpl"), draft, call);
      await add(call.records, "backup_policy", policy);
      return showPolicy(storedPolicy(policy));
    },
    changePolicy: ({ policy_id: id, ...patch }, call) =>
      withPolicy(deps, call, {
        id,
        async work() {
          const present = await readOwn(deps, call, id);
          const changed = patchPolicy(present, patch, call);
          await change(call.records, "backup_policy", { id, by: () => changed });
          await planAnew(present, changed, call);
          return showPolicy(storedPolicy(changed));
        },
      }),
    deletePolicy: ({ policy_id: id }, call) =>
      withPolicy(deps, call, {
        id,
        async work() {
          await refuseUsed(await readOwn(deps, call, id), call);
          await remove(call.records, "backup_policy", id);
          return undefined;
        },
      }),
    previewPolicy: (schedule, { now }) => previewRuns(schedule, now),
  };
}

/** Returns a policy that is a record. Throws `conflict` for one of the configuration. */
async function readOwn({ policies }: Configured, { records }: PortalCall, id: string): Promise<StoredBackupPolicy> {
  if (!policies.has(id)) return read(records, "backup_policy", id);
  const message = `The policy \`${id}\` is set in the configuration, under \`backupPolicies\`: it can be changed or removed only there.`;
  throw new GatewayError("conflict", message, { param: "policy_id" });
}

/** A run of a schedule: its instant, and what the clocks of the time zone show then. */
interface PreviewedRun {
  readonly at: string;
  readonly local: string;
}

/** Returns the next runs of a schedule after an instant, as backups of a resource would begin. */
function previewRuns(
  {
    schedule,
    starting_hour,
    timezone = "UTC",
    backup_window: window = 24,
    count = 5,
  }: RowInput<"backups.previewPolicy">,
  now: number,
): { timezone: string; runs: PreviewedRun[] } {
  checkSchedule(schedule);
  const nextAfter = runsOf({ schedule, timezone, window, startingHour: hourOf(starting_hour) });
  const { read } = zonedClock(timezone);
  const runs: PreviewedRun[] = [];
  for (let at = nextAfter(now); runs.length < count; at = nextAfter(at))
    runs.push({ at: new Date(at).toISOString(), local: writeLocal(at, read(at)) });
  return { timezone, runs };
}

/** `2026-03-29T03:00:00+02:00`. */
function writeLocal(at: number, reading: number): string {
  const minutes = Math.round(Math.abs(reading - at) / 60_000);
  const pad = (part: number) => String(part).padStart(2, "0");
  const sign = reading < at ? "-" : "+";
  return `${new Date(reading).toISOString().slice(0, 19)}${sign}${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}`;
}
