import { describe, expect, it } from "vitest";
import type { StoredBackup, StoredBackupAssignment } from "../../../../src/operations/records/backups.ts";
import type { BackupDriver } from "../../../../src/portal/backup-driver.ts";
import { createBackupScheduler } from "../../../../src/portal/backups/backup-scheduler.ts";
import { planBackup } from "../../../../src/portal/backups/planning/plan.ts";
import { readPolicies } from "../../../../src/portal/backups/planning/policy.ts";
import { fakeBackupDriver, fakeClock } from "../../../../src/testing/index.ts";
import { noon, stores } from "../../support/rig.ts";

const settings = { nightly: { schedule: "0 2 * * *", increment_policy: 6, retention_primary: 2, retry: 3 } };
const policy = readPolicies(settings).get("nightly") ?? expect.unreachable();

function queued(tenant: string, n: number, region = "eu-1"): StoredBackup {
  const assignment: StoredBackupAssignment = {
    ...{
      id: `bka_${region}_${tenant}_${n}`,
      created_at: new Date(noon).toISOString(),
      reseller: tenant,
      client_id: null,
    },
    ...{ region, policy_id: "nightly", resource_id: `vol-${tenant}-${n}`, resource_type: "volume", project_id: "p" },
    ...{ protected_resource_id: null, starting_hour: 0, runs: 0, next_at: null },
  };
  return { ...planBackup(assignment, noon, policy), state: "queued" };
}

describe.each(stores)("a backup that hangs holds its own place only: %s", (_name, open) => {
  async function rig(backups: readonly StoredBackup[]) {
    const { records } = await open();
    const clock = fakeClock({ startAt: noon });
    const inner = fakeBackupDriver();
    const begun: string[] = [];
    const ends: (() => void)[] = [];
    const driver: BackupDriver = {
      ...inner,
      create(job, call) {
        begun.push(job.resource_id);
        if (!job.resource_id.startsWith("vol-hang")) return inner.create(job, call);
        return new Promise((resolve) => void ends.push(() => resolve(inner.create(job, call))));
      },
    };
    let made = 0;
    const regions = { "eu-1": { backups: driver }, "eu-2": { backups: driver } };
    const parts = { newId: (prefix: string) => `${prefix}_${++made}`, notify: async () => {} };
    const scheduler = createBackupScheduler({ records, clock, regions, ...parts }, settings);
    for (const backup of backups) await records.put("backup", backup, 0);
    const settle = async () => {
      for (let turn = 0; turn < 60; turn++) await new Promise((resolve) => setImmediate(resolve));
    };
    /** A tick that ends at the latest when the clock has gone on by its grace. */
    const tick = async () => {
      const ticking = scheduler.tick();
      await settle();
      clock.advance(5_000);
      await ticking;
    };
    const stateOf = async ({ id }: StoredBackup) => (await records.get("backup", id))?.record.state;
    return { records, clock, scheduler, begun, ends, settle, tick, stateOf, inner };
  }

  it("ten tenants, one of whom hangs: the others are done in the same tick, and the next tick comes", async () => {
    const tenants = ["hang", ..."abcdefghi"];
    const backups = tenants.map((tenant) => queued(tenant, 1));
    const { tick, stateOf, clock, ends, settle, scheduler } = await rig(backups);
    await tick();
    expect(clock.now() - noon).toBeLessThanOrEqual(30_000);
    const states = await Promise.all(backups.map(stateOf));
    expect(states).toEqual(["running", ...tenants.slice(1).map(() => "available")]);
    await tick();
    for (const end of ends) end();
    await settle();
    expect(await stateOf(backups[0] as StoredBackup)).toBe("available");
    await scheduler.close();
  });

  it("a tenant that hangs with all it has leaves room to others, and a region to other regions", async () => {
    const hanging = Array.from({ length: 20 }, (_, n) => queued("hang", n));
    const many = Array.from({ length: 12 }, (_, n) => queued(`hang${n}`, n));
    const others = [queued("a", 1), queued("b", 1)];
    const { tick, begun, stateOf } = await rig([...hanging, ...others]);
    await tick();
    expect(begun.filter((id) => id.startsWith("vol-hang-"))).toHaveLength(2);
    expect(await Promise.all(others.map(stateOf))).toEqual(["available", "available"]);
    const full = await rig([...many, queued("a", 1, "eu-2")]);
    await full.tick();
    expect(full.begun.filter((id) => id.startsWith("vol-hang"))).toHaveLength(8);
    expect(await full.stateOf(queued("a", 1, "eu-2"))).toBe("available");
  });

  it("expiry does not wait for it", async () => {
    const old = queued("a", 1);
    const copy = { zone: null, expires_at: noon - 1, snapshot: "snap-old", is_removed: false };
    const expired: StoredBackup = { ...old, state: "available", processed_at: noon - 2, copies: [copy] };
    const { tick, stateOf } = await rig([queued("hang", 1), expired]);
    await tick();
    expect(await stateOf(expired)).toBe("expired");
  });

  it("what waits is started as soon as a place is free, and nothing more once the scheduler is closed", async () => {
    const hanging = Array.from({ length: 3 }, (_, n) => queued("hang", n));
    const { tick, begun, ends, settle, scheduler } = await rig(hanging);
    await tick();
    expect(begun).toHaveLength(2);
    ends[0]?.();
    await settle();
    expect(begun).toHaveLength(3);
    const more = await rig(hanging);
    await more.tick();
    const closed = more.scheduler.close();
    for (const end of more.ends) end();
    await closed;
    expect(more.begun).toHaveLength(2);
    for (const end of ends) end();
    await scheduler.close();
  });
});
