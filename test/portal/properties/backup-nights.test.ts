import fc from "fast-check";
import { expect, test } from "vitest";
import { memoryStore } from "../../../adapters/stores/memory/index.ts";
import { GatewayError, isGatewayError } from "../../../src/engine/errors.ts";
import type { StoredBackup, StoredBackupAssignment } from "../../../src/operations/records/backups.ts";
import { backupsArea } from "../../../src/portal/backups/area.ts";
import { createBackupScheduler, tickMs } from "../../../src/portal/backups/backup-scheduler.ts";
import { readAll } from "../../../src/portal/tenancy/record-access.ts";
import { fakeBackupDriver } from "../../../src/testing/backup-driver.ts";
import { fakeClock } from "../../../src/testing/clock.ts";
import { withPortalKinds } from "../../portal-kinds.ts";
import { callAt, noon } from "../support/rig.ts";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const midnight = noon + 12 * hour;
const nights = 7;

/** When somebody presses "start now", and how many of the driver's attempts fail from then on. */
const press = fc.record({
  at: fc.integer({ min: 0, max: nights * 24 * 60 - 1 }),
  failing: fc.constantFrom(0, 0, 0, 0, 1),
});
const story = fc.record({
  presses: fc.array(press, { minLength: 5, maxLength: 5 }),
  /** The night of the outage at 02:00, and its minutes. */
  night: fc.nat({ max: nights - 1 }),
  outage: fc.integer({ min: 1, max: 9 }),
  window: fc.integer({ min: 1, max: 24 }),
  increments: fc.nat({ max: 7 }),
});
type Story = typeof story extends fc.Arbitrary<infer S> ? S : never;

/** Lives through a week minute by minute, and gives every backup there was. */
async function live({ presses, night, outage, window, increments }: Story): Promise<StoredBackup[]> {
  const { records } = withPortalKinds(memoryStore());
  const clock = fakeClock({ startAt: midnight - hour });
  const held = fakeBackupDriver();
  const from = midnight + night * day + 2 * hour;
  const driver = {
    ...held,
    create: async (...args: Parameters<typeof held.create>) => {
      if (clock.now() >= from && clock.now() < from + outage * minute)
        throw new GatewayError("backend_unreachable", "Cinder is away.");
      return held.create(...args);
    },
  };
  let made = 0;
  const { deps, tick } = createBackupScheduler(
    {
      ...{ records, clock, regions: { "eu-1": { backups: driver } }, notify: async () => {} },
      newId: (prefix) => `${prefix}_${++made}`,
    },
    { nightly: { schedule: "0 2 * * *", backup_window: window, increment_policy: increments, retention_primary: 30 } },
  );
  const area = backupsArea(deps);
  const created_at = new Date(clock.now()).toISOString();
  const assignment: StoredBackupAssignment = {
    ...{ id: "bka_1", created_at, reseller: null, client_id: null, user_id: null, region: "eu-1", runs: 0 },
    ...{ policy_id: "nightly", resource_id: "vol-1", resource_type: "volume", project_id: null },
    ...{ protected_resource_id: null, starting_hour: 2, next_at: midnight + 2 * hour },
  };
  await records.put("backup_assignment", assignment, 0);
  const all = async () => readAll(records, "backup");
  await tick();
  const due = [...presses].sort((one, other) => one.at - other.at);
  for (let at = midnight; at < midnight + nights * day; ) {
    const next = due[0] && midnight + due[0].at * minute <= at ? due.shift() : undefined;
    if (next) {
      const scheduled = (await all()).find(({ state }) => state === "scheduled");
      if (next.failing > 0) held.failNext(next.failing);
      await Promise.resolve(
        area.forceStart?.({ backup_id: scheduled?.id ?? "" }, callAt(records, {}, { now: clock.now() })),
      ).catch(
        (thrown: unknown) => expect(isGatewayError(thrown) && thrown.code).toBe("conflict"), // the one before is not over
      );
    } else {
      at = Math.min(
        ...[
          (Math.floor(at / (5 * minute)) + 1) * 5 * minute,
          due[0] ? midnight + due[0].at * minute : Number.POSITIVE_INFINITY,
        ].filter((one) => one > at),
      );
      await clock.advance(at - clock.now());
    }
    await tick();
  }
  return all();
}

test("five presses of start now, failing attempts, and an outage at 02:00: every night of the week has its backup", async () => {
  expect(tickMs).toBeLessThan(5 * minute); // a portal looks more often than this test
  const told = fc.asyncProperty(story, async (one) => {
    const backups = await live(one);
    for (let night = 0; night < nights; night++) {
      const due = midnight + night * day + 2 * hour;
      const own = backups.filter(({ manual, created_at }) => !manual && created_at === new Date(due).toISOString());
      expect(
        own.map(({ state }) => state),
        `night ${night}`,
      ).toEqual(["available"]);
      const { processed_at } = own[0] as StoredBackup;
      expect(processed_at).toBeGreaterThanOrEqual(due);
      expect(processed_at).toBeLessThan(due + one.window * hour);
    }
    const extra = backups.filter(({ manual }) => manual);
    expect(extra.length).toBeGreaterThan(0);
    expect(extra.every(({ state }) => state === "available" || state === "queued")).toBe(true);
  });
  await fc.assert(told, { numRuns: 25 });
});
