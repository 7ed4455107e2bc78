import { describe, expect, it } from "vitest";
import { GatewayError } from "../../../../../src/engine/errors.ts";
import type { Records } from "../../../../../src/engine/ports/records.ts";
import type { StoredBackup, StoredBackupAssignment } from "../../../../../src/operations/records/backups.ts";
import type { BackupDriver, BackupJob } from "../../../../../src/portal/backup-driver.ts";
import { planBackup } from "../../../../../src/portal/backups/planning/plan.ts";
import { readPolicies } from "../../../../../src/portal/backups/planning/policy.ts";
import { leaseMs } from "../../../../../src/portal/backups/planning/state.ts";
import type { BackupDeps } from "../../../../../src/portal/backups/runs/backup-deps.ts";
import { makeBackup } from "../../../../../src/portal/backups/runs/make.ts";
import { schedulerTick } from "../../../../../src/portal/backups/runs/scheduler-tick.ts";
import { type FakeBackupDriver, fakeBackupDriver, fakeClock } from "../../../../../src/testing/index.ts";
import { noon, stores } from "../../../support/rig.ts";

const day = 86_400_000;
const policies = readPolicies({
  nightly: { schedule: "0 2 * * *", increment_policy: 6, retention_primary: 2, retry: 3 },
  twice: { schedule: "0 2 * * *", increment_policy: 6, retention_primary: 2, backup_backend_rule: "cellar" },
});
const policy = policies.get("nightly") ?? expect.unreachable();
const assignment: StoredBackupAssignment = {
  ...{ id: "bka_1", created_at: new Date(noon).toISOString(), reseller: "acme", client_id: "c-1", user_id: null },
  ...{ region: "eu-1", policy_id: "nightly", resource_id: "vol-1", resource_type: "volume", project_id: "p-1" },
  ...{ protected_resource_id: null, starting_hour: 0, runs: 0, next_at: noon + day },
};

/** A driver whose calls of `create` end when they are told to; one that is stopped removes what it has begun, as Cinder's does. */
function slowDriver(held: FakeBackupDriver) {
  const waiting: { job: BackupJob; end(): Promise<void>; fail(): void }[] = [];
  const driver: BackupDriver = {
    ...held,
    create: (job, call) =>
      new Promise((resolve, reject) => {
        waiting.push({
          job,
          end: async () => resolve(await held.create(job, call)),
          fail: () => reject(new GatewayError("backend_timeout", "It took too long.")),
        });
        call.signal.addEventListener("abort", () => {
          void held.remove(`snap-${job.backup_id}`, call).then(() => reject(call.signal.reason));
        });
      }),
  };
  return { driver, waiting };
}

/** Two processes over one store and one cloud, and a backup that is queued. */
async function openTwo(records: Records, parts: Partial<StoredBackup> = {}) {
  const clock = fakeClock({ startAt: noon });
  const held = fakeBackupDriver();
  const { driver, waiting } = slowDriver(held);
  let made = 0;
  const process = (): BackupDeps => ({
    ...{ records, clock, policies, regions: { "eu-1": { backups: driver } } },
    ...{ notify: async () => {}, newId: (prefix) => `${prefix}_${++made}`, running: new Map(), wake() {} },
  });
  const backup: StoredBackup = { ...planBackup(assignment, noon, policy), state: "queued", ...parts };
  await records.put("backup_assignment", assignment, 0);
  await records.put("backup", backup, 0);
  const stored = async () => (await records.get("backup", backup.id))?.record ?? expect.unreachable();
  const settle = async () => {
    for (let turn = 0; turn < 30; turn++) await new Promise((resolve) => setImmediate(resolve));
  };
  return { clock, held, waiting, process, backup, stored, settle, ...{ slow: process(), quick: process() } };
}

describe.each(stores)("who makes a backup: %s", (_name, open) => {
  /** The first maker sleeps through its lease, and another takes over: both wait for the same backup of the driver. */
  async function takenOver() {
    const { records } = await open();
    const two = await openTwo(records);
    const first = makeBackup(two.slow, two.backup.id);
    await two.settle();
    const { record, version } = (await records.get("backup", two.backup.id)) ?? expect.unreachable();
    await records.put("backup", { ...record, lease_until: two.clock.now() - 1 }, version);
    const second = schedulerTick(two.quick);
    await two.settle();
    expect(two.waiting).toHaveLength(2);
    return { ...two, records, first, second };
  }

  it("whoever lost its lease leaves what it made to whoever took over, who waits for the same", async () => {
    const { waiting, stored, held, first, second, backup } = await takenOver();
    await waiting[0]?.end();
    await first;
    expect([...held.held.keys()]).toEqual([`snap-${backup.id}`]);
    await waiting[1]?.end();
    await second;
    expect(await stored()).toMatchObject({ state: "available", copies: [{ snapshot: `snap-${backup.id}` }] });
    expect([...held.held.keys()]).toEqual([`snap-${backup.id}`]);
  });

  it("whoever lost its lease removes nothing that is noted already", async () => {
    const { waiting, stored, held, first, second, backup } = await takenOver();
    await waiting[1]?.end();
    await second;
    await waiting[0]?.end();
    await first;
    expect(await stored()).toMatchObject({ state: "available" });
    expect([...held.held.keys()]).toEqual([`snap-${backup.id}`]);
  });

  it("whoever finds out that it lost its lease does not stop the driver, which would remove what the other waits for", async () => {
    const { waiting, stored, held, first, second, clock, settle, backup } = await takenOver();
    await held.create(
      { ...(waiting[1]?.job ?? expect.unreachable()) },
      { signal: new AbortController().signal, now: 0 },
    );
    await clock.advance(leaseMs / 3 + 1);
    await settle();
    expect([...held.held.keys()]).toEqual([`snap-${backup.id}`]);
    for (const { end } of waiting) await end();
    await Promise.all([first, second]);
    expect(await stored()).toMatchObject({ state: "available" });
  });

  it("a failure of whoever lost its lease is not the other's", async () => {
    const { waiting, stored, first, second } = await takenOver();
    const { maker, retries } = await stored();
    waiting[0]?.fail();
    await first;
    expect(await stored()).toMatchObject({ state: "running", maker, retries });
    await waiting[1]?.end();
    await second;
    expect(await stored()).toMatchObject({ state: "available", message: null });
  });

  it("a backup that was canceled is stopped in every process, and nothing of it stays", async () => {
    const { waiting, stored, held, first, second, clock, settle, records, backup } = await takenOver();
    const { record, version } = (await records.get("backup", backup.id)) ?? expect.unreachable();
    await records.put("backup", { ...record, state: "canceled", maker: null, lease_until: null }, version);
    await clock.advance(leaseMs / 3 + 1);
    await settle();
    await Promise.all([first, second]);
    expect(waiting).toHaveLength(2);
    expect(await stored()).toMatchObject({ state: "canceled", copies: [] });
    expect(held.held.size).toBe(0);
  });

  it("what a backup builds on is kept while it is being made, however long that takes", async () => {
    const { records } = await open();
    const full: StoredBackup = {
      ...planBackup(assignment, noon - day, policy),
      ...{ state: "available", processed_at: noon - day },
      copies: [{ zone: null, snapshot: "snap-full", expires_at: noon + 1_000, is_removed: false }],
    };
    await records.put("backup", full, 0);
    const { waiting, process, slow, clock, settle, stored, held, backup } = await openTwo(records, { is_full: false });
    await held.create(
      { backup_id: "full", resource_id: "vol-1", resource_type: "volume", is_full: true },
      { signal: new AbortController().signal, now: 0 },
    );
    const making = makeBackup(slow, backup.id);
    await settle();
    expect(waiting[0]?.job).toMatchObject({ is_full: false, parent: "snap-full" });
    await clock.advance(10_000);
    await schedulerTick(process());
    expect(held.held.has("snap-full")).toBe(true);
    await waiting[0]?.end();
    await making;
    expect(await stored()).toMatchObject({ state: "available", parent_id: full.id, is_full: false });
  });

  it("nothing builds on what is about to be removed: the backup is a full one then", async () => {
    const { records } = await open();
    const full: StoredBackup = {
      ...planBackup(assignment, noon - day, policy),
      ...{ state: "available", processed_at: noon - day },
      copies: [{ zone: null, snapshot: "snap-full", expires_at: noon, is_removed: false }],
    };
    await records.put("backup", full, 0);
    const { waiting, slow, settle, stored, backup } = await openTwo(records, { is_full: false });
    const making = makeBackup(slow, backup.id);
    await settle();
    await waiting[0]?.end();
    await making;
    expect(await stored()).toMatchObject({ state: "available", parent_id: null, is_full: true });
  });

  it("a second copy builds on nothing, and is of the same backup", async () => {
    const { records } = await open();
    const full: StoredBackup = {
      ...planBackup(assignment, noon - day, policy),
      ...{ state: "available", processed_at: noon - day, policy_id: "twice" },
      copies: [{ zone: null, snapshot: "snap-full", expires_at: noon + day, is_removed: false }],
    };
    await records.put("backup", full, 0);
    const parts = { is_full: false, policy_id: "twice" };
    const { waiting, slow, settle, stored, held, backup } = await openTwo(records, parts);
    await held.create(
      { backup_id: "full", resource_id: "vol-1", resource_type: "volume", is_full: true },
      { signal: new AbortController().signal, now: 0 },
    );
    const making = makeBackup(slow, backup.id);
    for (const at of [0, 1]) {
      await settle();
      await waiting[at]?.end();
    }
    await making;
    const jobs = waiting.map(({ job: { backup_id, is_full, parent, zone } }) => ({ backup_id, is_full, parent, zone }));
    expect(jobs).toEqual([
      { backup_id: backup.id, is_full: false, parent: "snap-full", zone: undefined },
      { backup_id: `${backup.id}-2`, is_full: true, parent: undefined, zone: "cellar" },
    ]);
    expect(await stored()).toMatchObject({ state: "available", parent_id: full.id });
  });
});
