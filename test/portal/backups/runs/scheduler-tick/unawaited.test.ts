import { describe, expect, it } from "vitest";
import type { Records } from "../../../../../src/engine/ports/records.ts";
import type { StoredBackupAssignment } from "../../../../../src/operations/records/backups.ts";
import { nextDue, planBackup } from "../../../../../src/portal/backups/planning/plan.ts";
import { readPolicies } from "../../../../../src/portal/backups/planning/policy.ts";
import type { BackupDeps } from "../../../../../src/portal/backups/runs/backup-deps.ts";
import { schedulerTick } from "../../../../../src/portal/backups/runs/scheduler-tick.ts";
import { readAll } from "../../../../../src/portal/tenancy/record-access.ts";
import { fakeBackupDriver, fakeClock } from "../../../../../src/testing/index.ts";
import { noon, stores } from "../../../support/rig.ts";

const policies = readPolicies({ nightly: { schedule: "0 2 * * *", retention_primary: 2 } });
const policy = policies.get("nightly") ?? expect.unreachable();
const due = nextDue(policy, 0, noon);
const assignment: StoredBackupAssignment = {
  ...{ id: "bka_1", created_at: new Date(noon).toISOString(), reseller: "acme", client_id: "c-1", user_id: null },
  ...{ region: "eu-1", policy_id: "nightly", resource_id: "vol-1", resource_type: "volume", project_id: "p-1" },
  ...{ protected_resource_id: null, starting_hour: 0, runs: 0, next_at: due },
};

/** A process over a store in which an earlier version planned a backup, under an id of its own. */
async function openOlder(records: Records) {
  const clock = fakeClock({ startAt: noon });
  const works: BackupDeps = {
    ...{ records, clock, policies, regions: { "eu-1": { backups: fakeBackupDriver() } } },
    ...{ notify: async () => {}, newId: (prefix) => `${prefix}_1`, running: new Map(), wake() {} },
  };
  await records.put("backup_assignment", assignment, 0);
  await records.put("backup", { ...planBackup(assignment, due, policy), id: "bkp_older" }, 0);
  const states = async () =>
    Object.fromEntries((await readAll(records, "backup")).map(({ id, state }) => [id, state] as const));
  return { works, clock, states };
}

describe.each(stores)("a backup that an earlier version of the portal planned: %s", (_name, open) => {
  it("does not stay scheduled: the same one is planned under its id of today, and is made", async () => {
    const { works, clock, states } = await openOlder((await open()).records);
    const { id } = planBackup(assignment, due, policy);
    await schedulerTick(works);
    expect(await states()).toEqual({ bkp_older: "canceled", [id]: "scheduled" });
    await clock.advance(due - noon);
    await schedulerTick(works);
    expect(await states()).toMatchObject({ bkp_older: "canceled", [id]: "available" });
  });

  it("does not stay scheduled either when its time is over, and the next one is kept", async () => {
    const { works, clock, states } = await openOlder((await open()).records);
    await clock.advance(due - noon + 1);
    await schedulerTick(works);
    await schedulerTick(works);
    const { bkp_older, ...others } = await states();
    expect(bkp_older).toBe("canceled");
    expect(Object.values(others).sort()).toEqual(["available", "scheduled"]);
  });
});
