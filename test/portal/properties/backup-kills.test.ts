import fc from "fast-check";
import { expect, it } from "vitest";
import type { Records } from "../../../src/engine/ports/records.ts";
import type { StoredBackupAssignment } from "../../../src/operations/records/backups.ts";
import type { BackupDriver } from "../../../src/portal/backup-driver.ts";
import { readPolicies } from "../../../src/portal/backups/planning/policy.ts";
import { leaseMs } from "../../../src/portal/backups/planning/state.ts";
import type { BackupDeps } from "../../../src/portal/backups/runs/backup-deps.ts";
import { schedulerTick } from "../../../src/portal/backups/runs/scheduler-tick.ts";
import { readAll } from "../../../src/portal/tenancy/record-access.ts";
import { type FakeClock, fakeBackupDriver, fakeClock } from "../../../src/testing/index.ts";
import { stores } from "../support/rig.ts";

const hour = 3_600_000;
const midnight = Date.UTC(2026, 10, 20);

const policies = readPolicies({
  daily: {
    schedule: "0 2 * * *",
    increment_policy: 2,
    retention_primary: 3,
    retention_secondary: 2,
    retry: 10,
    backup_backend_rule: "far",
  },
});

const assignment: StoredBackupAssignment = {
  ...{ id: "bka_1", created_at: new Date(midnight).toISOString(), reseller: "acme", client_id: "c-1", user_id: null },
  ...{ region: "eu-1", policy_id: "daily", resource_id: "vol-1", resource_type: "volume", project_id: "p-1" },
  ...{ protected_resource_id: null, starting_hour: 0, runs: 0, next_at: midnight + 2 * hour },
};

/** A process over the store: after so many calls of its ports, the last of which may or may not have been done, nothing is heard of it. */
function openProcess(
  ground: { records: Records; driver: BackupDriver; clock: FakeClock },
  life: number,
  isDone: boolean,
) {
  let left = life;
  let fall = () => {};
  const fallen = new Promise<"killed">((resolve) => {
    fall = () => resolve("killed");
  });
  const mortal = <Port extends object>(port: Port): Port =>
    new Proxy(port, {
      get(target, name) {
        const method = Reflect.get(target, name) as (...given: unknown[]) => unknown;
        return async (...given: unknown[]) => {
          left -= 1;
          if (left > 0) return method.apply(target, given);
          if (left === 0 && isDone) await method.apply(target, given);
          fall();
          return new Promise(() => {});
        };
      },
    });
  let made = 0;
  const works: BackupDeps = {
    records: mortal(ground.records),
    regions: { "eu-1": { backups: mortal(ground.driver) } },
    policies,
    clock: { now: () => ground.clock.now(), after: () => () => {} }, // rounds here are shorter than a lease
    notify: async () => {},
    newId: (prefix) => `${prefix}_${life}_${++made}`,
    running: new Map(),
    wake() {},
  };
  return { go: () => Promise.race([schedulerTick(works), fallen]) };
}

const anyKill = fc.record({ life: fc.integer({ min: 1, max: 60 }), isDone: fc.boolean() });

it.each(stores)(
  "two processes at a time are killed at any call of any port: nothing scheduled is lost, nothing made twice, nothing left behind: %s",
  async (name, open) => {
    const story = async (kills: readonly { life: number; isDone: boolean }[]) => {
      const { records } = await open();
      const driver = fakeBackupDriver();
      const clock = fakeClock({ startAt: midnight });
      const ground = { records, driver, clock };
      await records.put("backup_assignment", assignment, 0);
      for (const { life, isDone } of kills) {
        await Promise.all([openProcess(ground, life, isDone).go(), openProcess(ground, life * 2, isDone).go()]);
        await clock.advance(4 * hour + leaseMs);
      }
      await openProcess(ground, Number.MAX_SAFE_INTEGER, true).go();
      await clock.advance(leaseMs + 1);
      for (let round = 0; round < 3; round++) await openProcess(ground, Number.MAX_SAFE_INTEGER, true).go();

      const backups = await readAll(records, "backup");
      const due = backups.filter(({ scheduled_at }) => scheduled_at <= clock.now());
      const planned = backups.map(({ scheduled_at }) => scheduled_at);
      expect(new Set(planned).size).toBe(planned.length);
      expect(planned[0]).toBe(midnight + 2 * hour);
      for (const at of planned) expect((at - midnight) % (24 * hour)).toBe(2 * hour);
      for (const { state, scheduled_at } of backups) if (scheduled_at > clock.now()) expect(state).toBe("scheduled");
      for (const { state } of due) expect(["available", "expired"]).toContain(state);
      expect(backups.filter(({ state }) => state === "scheduled")).toHaveLength(1);
      const kept = backups.flatMap(({ copies }) =>
        copies.filter(({ is_removed }) => !is_removed).map(({ snapshot }) => snapshot),
      );
      expect([...driver.held.keys()].sort()).toEqual(kept.sort());
      for (const { zone, parent } of driver.held.values())
        if (parent !== undefined) expect(driver.held.get(parent)?.zone).toBe(zone); // a chain has one zone
      for (const backup of due.filter(({ state }) => state === "available")) {
        if (backup.is_full) continue;
        expect(backups.find(({ id }) => id === backup.parent_id)?.state).toBe("available");
      }
    };
    const numRuns = name === "memory" ? 200 : 40;
    await fc.assert(fc.asyncProperty(fc.array(anyKill, { minLength: 1, maxLength: 60, size: "max" }), story), {
      numRuns,
    });
  },
  240_000,
);
