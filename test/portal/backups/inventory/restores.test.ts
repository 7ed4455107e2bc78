import { describe, expect, it } from "vitest";
import { GatewayError } from "../../../../src/engine/errors.ts";
import type { StoredBackup } from "../../../../src/operations/records/backups.ts";
import type { BackupDriver, DriverCall } from "../../../../src/portal/backup-driver.ts";
import { backupsArea } from "../../../../src/portal/backups/area.ts";
import { createBackupScheduler } from "../../../../src/portal/backups/backup-scheduler.ts";
import { leaseMs } from "../../../../src/portal/backups/planning/state.ts";
import type { Notice } from "../../../../src/portal/notify.ts";
import type { Regions } from "../../../../src/portal/regions.ts";
import { fakeBackupDriver, fakeClock } from "../../../../src/testing/index.ts";
import { callAt, noon, stores } from "../../support/rig.ts";

const day = 86_400_000;
const settings = { nightly: { schedule: "0 2 * * *", increment_policy: 6, retention_primary: 2, retry: 3 } };

function available(n: number, changes: Partial<StoredBackup> = {}): StoredBackup {
  const scope = { reseller: "acme", client_id: "c-1", user_id: null };
  const copy = {
    zone: null,
    snapshot: `snap-${n}`,
    expires_at: noon + day,
    is_removed: false,
    is_full: true,
    parent: null,
  };
  return {
    ...{ id: `bkp_${n}`, created_at: new Date(noon - n).toISOString(), ...scope, state: "available", region: "eu-1" },
    ...{ resource_id: "vol-1", resource_type: "volume", project_id: "p-1", protected_resource_id: null },
    ...{ policy_id: "nightly", assignment_id: "bka_1", starting_hour: 0, scheduled_at: noon - day, is_full: true },
    ...{ manual: false, retries: 0, maker: null, lease_until: null, copies: [copy], parent_id: null, size: 1 },
    ...{ allocated: 1, volume_type: null, started_at: noon - day, processed_at: noon - day, last_restore: null },
    ...{ canceled_at: null, canceled_by: null, message: null, reason: null, ...changes },
  };
}

describe.each(stores)("restores are jobs: %s", (_name, open) => {
  async function rig(driverOf: (inner: BackupDriver) => Partial<BackupDriver> = () => ({})) {
    const { records } = await open();
    const clock = fakeClock({ startAt: noon });
    const inner = fakeBackupDriver();
    const asked: DriverCall[] = [];
    const restore: BackupDriver["restore"] = async (snapshot, target, call) =>
      void asked.push({ ...call, snapshot, target } as never);
    const driver: BackupDriver = { ...inner, restore, ...driverOf({ ...inner, restore }) };
    const volumes = [{ id: "vol-1", name: "one", size: 1, project_id: "p-1", attachments: [] }];
    const iaas = {
      projects: () => [{ id: "p-1", name: "shop", enabled: true }],
      servers: () => [],
      volumes: () => ({ volumes, snapshots: [], backups: [] }),
    };
    const regions = { "eu-1": { iaas, backups: driver } } as unknown as Regions;
    const told: Notice[] = [];
    let made = 0;
    const notify = async (notice: Notice) => void told.push(notice);
    const parts = { records, clock, regions, notify, newId: (prefix: string) => `${prefix}_${++made}` };
    const process = () => createBackupScheduler(parts, settings);
    const first = process();
    const area = backupsArea(first.deps) as Required<ReturnType<typeof backupsArea>>;
    const jobs: string[] = [];
    const at = (client_id = "c-1") => ({
      ...callAt(records, { reseller: "acme", client_id }, { now: clock.now() }),
      showJob: (id: string) => void jobs.push(id),
    });
    const settle = async () => {
      for (let turn = 0; turn < 60; turn++) await new Promise((resolve) => setImmediate(resolve));
    };
    /** A tick, and those that requests have woken before it; each ends at the latest when the clock has gone on by its grace. */
    const tick = async (scheduler = first) => {
      let isOver = false;
      const ticking = scheduler.tick().finally(() => {
        isOver = true;
      });
      while (!isOver) {
        await settle();
        if (!isOver) clock.advance(5_000);
      }
      await ticking;
    };
    await records.put("backup", available(1), 0);
    const state = async () => (await area.get({ backup_id: "bkp_1" }, at())).state;
    return { records, clock, area, at, jobs, tick, state, told, asked, process, settle };
  }
  const forever = () => new Promise<never>(() => {});

  it("the operation answers at once with the job's id; backup and volume are restoring until the driver reports success", async () => {
    const { area, at, jobs, tick, state, told, asked, clock } = await rig();
    await area.restore({ backup_id: "bkp_1" }, at());
    expect([jobs.length, asked.length, await state()]).toEqual([1, 0, "restoring"]);
    expect(await area.volume({ project_id: "p-1", volume_id: "vol-1" }, at())).toMatchObject({ state: "restoring" });
    expect(await area.list({}, at())).toMatchObject([
      { state: "restoring", restore: { id: jobs[0], target: "source" } },
    ]);
    await tick();
    expect(asked).toMatchObject([
      { snapshot: "snap-1", target: { kind: "source", resource_id: "vol-1" }, job: jobs[0] },
    ]);
    expect(await area.get({ backup_id: "bkp_1" }, at())).toMatchObject({
      ...{ state: "available", last_restore: expect.any(String) },
      restore: { id: jobs[0], state: "done", requested_by: "rig", ended_date: expect.any(String) },
    });
    expect(await area.volume({ project_id: "p-1", volume_id: "vol-1" }, at())).not.toHaveProperty("state");
    expect(told).toMatchObject([{ type: "backup_restored", subject: "bkp_1", event: jobs[0] }]);
    await clock.advance(31 * day);
    await tick();
    expect((await area.get({ backup_id: "bkp_1" }, at())).restore).toBeUndefined();
  });

  it("a driver that fails ends it with its cause, which is told, and the backup can be restored again", async () => {
    const fail = async () => {
      throw new GatewayError("backend_error", "The disk is full.");
    };
    const { area, at, jobs, tick, told } = await rig(() => ({ restore: fail }));
    await area.restoreImage({ backup_id: "bkp_1", volume_name: "image" }, at());
    await tick();
    const shown = await area.get({ backup_id: "bkp_1" }, at());
    expect(shown).toMatchObject({
      state: "available",
      restore: { state: "failed", message: "The disk is full.", name: "image" },
    });
    expect(shown.last_restore).toBeUndefined();
    expect(told).toMatchObject([{ type: "restore_failed", params: { message: "The disk is full." } }]);
    await area.restoreImage({ backup_id: "bkp_1", volume_name: "image" }, at());
    expect(jobs).toHaveLength(2);
  });

  it("what can be known before is refused at once, and leaves no job", async () => {
    const inUse = async () => {
      throw new GatewayError("conflict", "The volume is in-use: detach it first, so that it is available.");
    };
    const { area, at, records } = await rig(() => ({ checkRestore: inUse }));
    await expect(area.restore({ backup_id: "bkp_1" }, at())).rejects.toMatchObject({ code: "conflict" });
    await expect(area.restore({ backup_id: "bkp_1" }, at("c-2"))).rejects.toMatchObject({ code: "not_found" });
    expect(await records.count("backup_restore")).toBe(0);
  });

  it("one that hangs holds neither a tick nor another one; a second one over the same volume is refused", async () => {
    const { area, at, records, tick, asked } = await rig((inner) => ({
      restore: (snapshot, target, call) => (snapshot === "snap-1" ? forever() : inner.restore(snapshot, target, call)),
    }));
    await records.put("backup", available(2), 0);
    await area.restore({ backup_id: "bkp_1" }, at());
    await tick();
    const conflict = { code: "conflict", message: expect.stringContaining("wait for its end") };
    await expect(area.restore({ backup_id: "bkp_1" }, at())).rejects.toMatchObject(conflict);
    await expect(area.restore({ backup_id: "bkp_2" }, at())).rejects.toMatchObject(conflict);
    await area.restoreImage({ backup_id: "bkp_2", volume_name: "other" }, at());
    await tick();
    expect(asked.map((call) => (call as unknown as { snapshot: string }).snapshot).sort()).toEqual(["snap-2"]);
    expect((await area.get({ backup_id: "bkp_2" }, at())).restore?.state).toBe("done");
  });

  it("a process that dies leaves it to the next one, which asks the driver for the same job", async () => {
    let isDead = true;
    const { area, at, jobs, tick, state, asked, clock, process, told } = await rig((inner) => ({
      restore: (...request) => (isDead ? forever() : inner.restore(...request)),
    }));
    await area.restore({ backup_id: "bkp_1" }, at());
    await tick();
    isDead = false;
    const second = process();
    await tick(second);
    expect(asked).toEqual([]); // the lease of the first has not ended
    await clock.advance(leaseMs * 20); // the first process, which lives on in this test, renews its lease
    expect(await state()).toBe("restoring");
    expect([jobs.length, told.length]).toEqual([1, 0]);
  });

  it("one whose lease has ended is taken over with the same id; after four dead processes it has failed", async () => {
    const { area, at, jobs, tick, records, asked, told, clock } = await rig();
    await area.restore({ backup_id: "bkp_1" }, at());
    const id = jobs[0] ?? "";
    const kill = async () => {
      const stored = (await records.get("backup_restore", id)) ?? expect.unreachable();
      const dead = { ...stored.record, state: "running", maker: "mkr_dead", lease_until: clock.now() - 1 } as const;
      await records.put("backup_restore", dead, stored.version);
    };
    await kill();
    await tick();
    expect(asked).toMatchObject([{ job: id }]);
    expect((await records.get("backup_restore", id))?.record).toMatchObject({ state: "done", abandoned: 1 });
    for (let dead = 2; dead <= 4; dead++) {
      await kill();
      await tick();
    }
    expect((await records.get("backup_restore", id))?.record).toMatchObject({ state: "failed", abandoned: 4 });
    expect(told.at(-1)).toMatchObject({ type: "restore_failed" });
  });

  it("a copy that is being restored does not expire", async () => {
    let end = () => {};
    const { area, at, tick, clock, records, settle } = await rig(() => ({
      restore: () =>
        new Promise<void>((resolve) => {
          end = resolve;
        }),
    }));
    await area.restore({ backup_id: "bkp_1" }, at());
    await tick();
    await clock.advance(3 * day);
    await tick();
    expect((await records.get("backup", "bkp_1"))?.record.state).toBe("available");
    end();
    await settle();
    await tick();
    expect((await records.get("backup", "bkp_1"))?.record.state).toBe("expired");
  });
});
