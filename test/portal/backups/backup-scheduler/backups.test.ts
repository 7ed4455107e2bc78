import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Records } from "../../../../src/engine/ports/records.ts";
import { backupsArea } from "../../../../src/portal/backups/area.ts";
import { createBackupScheduler } from "../../../../src/portal/backups/backup-scheduler.ts";
import type { PortalCall } from "../../../../src/portal/call/call.ts";
import type { Regions } from "../../../../src/portal/regions.ts";
import type { TenantScope } from "../../../../src/portal/tenancy/tenant-scope.ts";
import { type FakeBackupDriver, type FakeClock, fakeBackupDriver, fakeClock } from "../../../../src/testing/index.ts";
import { callAt, noon, stores } from "../../support/rig.ts";

const [hour, day] = [3_600_000, 86_400_000];
const client = { reseller: "acme", client_id: "c-1" };

/** A region with one project, a machine with two volumes, and a volume of its own. */
function cloud() {
  const attached = [{ server_id: "vm-1", device: "/dev/vdb" }];
  const volume = (id: string, attachments: object[] = []) => ({
    id,
    name: id,
    size: 1,
    project_id: "p-1",
    attachments,
  });
  const volumes = [volume("vol-1", attached), volume("vol-2", attached), volume("vol-3")];
  return {
    volumes,
    iaas: {
      projects: () => [{ id: "p-1", name: "shop", enabled: true }],
      servers: () => [{ id: "vm-1", name: "web", project_id: "p-1", status: "ACTIVE", flavor: { id: "m1" } }],
      volumes: () => ({ volumes, snapshots: [], backups: [] }),
      domains: () => [],
    },
  };
}

interface Desk {
  readonly area: Required<ReturnType<typeof backupsArea>>;
  readonly clock: FakeClock;
  readonly driver: FakeBackupDriver;
  readonly told: string[];
  readonly volumes: object[];
  at(place?: TenantScope): PortalCall;
  go(): Promise<void>;
}

function openDesk(records: Records): Desk {
  const clock = fakeClock({ startAt: noon });
  const driver = fakeBackupDriver();
  const { iaas, volumes } = cloud();
  const regions = { "eu-1": { iaas, backups: driver }, "eu-2": { iaas } } as unknown as Regions;
  const told: string[] = [];
  let made = 0;
  const { deps: works, tick: go } = createBackupScheduler(
    {
      ...{ records, clock, regions, newId: (prefix: string) => `${prefix}_${++made}` },
      notify: async ({ params: said }) => void told.push(`${said.resource_id}: ${said.message}`),
    },
    {
      nightly: { name: "Nightly", schedule: "0 2 * * *", increment_policy: 1, retention_primary: 2, retry: 1 },
      old: { schedule: "0 3 * * *", retention_primary: 1, disabled: true },
    },
  );
  const area = backupsArea(works) as Desk["area"];
  return {
    area,
    clock,
    driver,
    told,
    volumes,
    go,
    at: (place = client) => callAt(records, place, { now: clock.now() }),
  };
}

const daily = { policy_id: "nightly", resource_id: "vol-3", resource_type: "volume", starting_hour: 0 };

describe.each(stores)("backups: %s", (_name, open) => {
  let desk: Desk;
  beforeEach(async () => {
    desk = openDesk((await open()).records);
  });
  const only = async () => {
    const [backup, ...others] = await desk.area.list({}, desk.at());
    expect(others).toEqual([]);
    return backup as NonNullable<typeof backup>;
  };

  it("a backup is scheduled at once, made when it is due, and the next one scheduled", async () => {
    const { area, clock, go, at, driver } = desk;
    await area.create(daily, at());
    expect(await only()).toMatchObject({
      state: "scheduled",
      schedule_date: "2026-11-21T02:00:00.000Z",
      is_full: true,
    });
    await go();
    expect(driver.calls.size).toBe(0);
    await clock.advance(14 * hour);
    await go();
    const [made, next] = await area.list({}, at());
    expect(made).toMatchObject({ state: "available", is_available: true, size: 1_024, policy_id: "nightly" });
    expect(made?.time_to_live).toBe(new Date(clock.now() + 2 * day).toISOString());
    expect(next).toMatchObject({ state: "scheduled", schedule_date: "2026-11-22T02:00:00.000Z" });
    await clock.advance(day);
    await go();
    expect((await area.list({}, at()))[1]).toMatchObject({ state: "available", is_full: false });
  });

  it("what is not there, not seen, not known or there already is told apart", async () => {
    const { area, at } = desk;
    const refused = (input: object, call = at()) =>
      expect(async () => area.create({ ...daily, ...input }, call)).rejects;
    await refused({ resource_id: "vol-9" }).toMatchObject({ code: "not_found" });
    await refused({ policy_id: "hourly" }).toMatchObject({ code: "invalid_request", param: "policy_id" });
    await refused({ policy_id: "old" }).toMatchObject({ code: "invalid_request", param: "policy_id" });
    for (const resource_type of ["flavor", "constructor", "__proto__"])
      await refused({ resource_type }).toMatchObject({ code: "invalid_request", param: "resource_type" });
    await refused({}, { ...at(), region: "eu-2" }).toMatchObject({ code: "not_implemented" });
    await area.create(daily, at());
    await refused({}).toMatchObject({ code: "conflict" });
  });

  it("a machine stands for its volumes, those that come later included", async () => {
    const { area, at, volumes } = desk;
    await area.create({ ...daily, resource_id: "vm-1", resource_type: "vm" }, at());
    const protectedIds = async () => (await area.list({}, at())).map(({ resource_id }) => resource_id).sort();
    expect(await protectedIds()).toEqual(["vol-1", "vol-2"]);
    volumes.push({ id: "vol-4", name: "vol-4", project_id: "p-1", attachments: [{ server_id: "vm-1" }] });
    await area.refresh({}, at());
    await area.refresh({}, at());
    expect(await protectedIds()).toEqual(["vol-1", "vol-2", "vol-4"]);
    expect(await area.vm({ project_id: "p-1", vm_id: "vm-1" }, at())).toMatchObject({
      policy: "nightly",
      unsafe_volumes: 0,
    });
    expect(await area.volume({ project_id: "p-1", volume_id: "vol-1" }, at())).toMatchObject({
      protected_resource_id: "vm-1",
      allow_remove: false,
    });
    expect(await area.projects({}, at())).toMatchObject([
      { id: "p-1", unsafe_volumes: 1, unsafe_resources: ["vol-3"] },
    ]);
  });

  it("moves by hand do what the states allow", async () => {
    const { area, clock, go, at, driver } = desk;
    await area.create(daily, at());
    let { id: backup_id } = await only();
    await expect(async () => area.extend({ backup_id, ttl: "30d" }, at())).rejects.toMatchObject({ code: "conflict" });
    await expect(async () => area.restore({ backup_id }, at())).rejects.toMatchObject({ code: "conflict" });
    await area.forceStart({ backup_id }, at());
    await go();
    const [made, stays] = await area.list({}, at());
    expect(stays).toMatchObject({ id: backup_id, state: "scheduled" });
    backup_id = made?.id ?? "";
    expect(await area.get({ backup_id }, at())).toMatchObject({ state: "available", manual: true });
    await expect(async () => area.cancel({ backup_id }, at())).rejects.toMatchObject({ code: "conflict" });
    await area.extend({ backup_id, ttl: "30d" }, at());
    const [long, warn] = [new Date(noon + 30 * day).toISOString(), vi.fn()];
    expect((await area.get({ backup_id }, at())).time_to_live).toBe(long);
    await area.extend({ backup_id, ttl: "1h" }, { ...at(), warn });
    expect(warn.mock.calls).toEqual([[[expect.stringContaining(`stay until ${long} at the latest`)]]]);
    await area.restoreVolume({ backup_id, volume_name: "copy", availability_zone: "nova", volume_type: "ssd" }, at());
    await go();
    expect(driver.restored).toMatchObject([{ target: { kind: "volume", name: "copy" } }]);
    const restored = { time_to_live: long, last_restore: new Date(clock.now()).toISOString() };
    expect(await area.get({ backup_id }, at())).toMatchObject(restored);
  });

  it("failures are tried again, then told of; what expires is removed", async () => {
    const { area, clock, go, at, driver, told } = desk;
    await area.create(daily, at());
    driver.failNext(2);
    await clock.advance(14 * hour);
    await go();
    expect((await area.list({}, at()))[0]).toMatchObject({ state: "queued", retries: 1 });
    await clock.advance(10 * 60_000); // the pause
    await go();
    expect((await area.list({}, at()))[0]).toMatchObject({ state: "failed", message: "The driver was set to fail." });
    expect(told).toEqual(["vol-3: The driver was set to fail."]);
    await clock.advance(day);
    await go();
    expect((await area.list({}, at()))[1]).toMatchObject({ state: "available", is_full: true });
    await area.unassign(
      {
        backup_id: (await area.list({}, at()))[1]?.id ?? "",
        policy_id: "nightly",
        resource_id: "vol-3",
        reason: "gone",
        ttl: "1d",
      },
      at(),
    );
    const [, kept, next] = await area.list({}, at());
    expect(kept).toMatchObject({ reason: "gone", time_to_live: new Date(clock.now() + 3 * day).toISOString() });
    expect(next).toMatchObject({ state: "canceled", canceled_by: "rig", reason: "gone" });
    await clock.advance(3 * day + hour);
    await go();
    expect((await area.list({}, at())).map(({ state }) => state)).toEqual(["failed", "expired", "canceled"]);
    expect(driver.held.size).toBe(0);
  });

  it("a policy that is put on again has a backup of its own, also for the day whose backup was canceled when it left", async () => {
    const { area, at, clock, go } = desk;
    await area.create(daily, at());
    const { id: backup_id } = await only();
    await area.unassign({ ...daily, backup_id, reason: "by mistake", ttl: "1d" }, at());
    await clock.advance(1_000);
    await area.create(daily, at());
    const states = async () => (await area.list({}, at())).map(({ state, schedule_date }) => [state, schedule_date]);
    const due = "2026-11-21T02:00:00.000Z";
    expect((await states()).sort().join()).toBe(`canceled,${due},scheduled,${due}`);
    await clock.advance(14 * hour);
    await go();
    expect((await states()).sort().slice(0, 2)).toEqual([
      ["available", due],
      ["canceled", due],
    ]);
  });

  it("a policy that leaves a second time says why of what it has made since; why it left the first time stays written", async () => {
    const { area, at, clock, go } = desk;
    await area.create(daily, at());
    await clock.advance(14 * hour);
    await go();
    for (const reason of ["the first time", "the second time"]) {
      const backup_id = (await area.list({}, at())).at(-1)?.id ?? "";
      await area.unassign({ ...daily, backup_id, reason, ttl: "1d" }, at());
      await clock.advance(1_000);
      await area.create(daily, at());
    }
    const told = (await area.list({}, at())).map(({ state, reason }) => [state, reason]);
    expect(told.sort()).toEqual([
      ["available", "the first time"],
      ["canceled", "the first time"],
      ["canceled", "the second time"],
      ["scheduled", undefined],
    ]);
  });

  it("another client sees none of it", async () => {
    const { area, at } = desk;
    await area.create(daily, at());
    const { id: backup_id } = await only();
    const other = at({ reseller: "acme", client_id: "c-2" });
    expect(await area.list({}, other)).toEqual([]);
    for (const move of [area.get, area.cancel, area.forceStart, area.restore])
      await expect(async () => move({ backup_id }, other)).rejects.toMatchObject({ code: "not_found" });
  });
});
