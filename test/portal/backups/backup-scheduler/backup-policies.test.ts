import { beforeEach, describe, expect, it } from "vitest";
import type { Records } from "../../../../src/engine/ports/records.ts";
import { backupsArea } from "../../../../src/portal/backups/area.ts";
import { createBackupScheduler } from "../../../../src/portal/backups/backup-scheduler.ts";
import type { PortalCall } from "../../../../src/portal/call/call.ts";
import type { Regions } from "../../../../src/portal/regions.ts";
import type { TenantScope } from "../../../../src/portal/tenancy/tenant-scope.ts";
import { type FakeClock, fakeBackupDriver, fakeClock } from "../../../../src/testing/index.ts";
import { callAt, noon, stores } from "../../support/rig.ts";

const hour = 3_600_000;
const reseller = { reseller: "acme" };
const client = { reseller: "acme", client_id: "c-1" };
const nightly = { name: "Roman nights", schedule: "30 2 * * *", timezone: "Europe/Rome", retention_primary: 7 };
const volume = { resource_id: "vol-1", resource_type: "volume", starting_hour: 0 };

interface Desk {
  readonly area: Required<ReturnType<typeof backupsArea>>;
  readonly clock: FakeClock;
  at(place?: TenantScope): PortalCall;
  tick(): Promise<void>;
}

function openDesk(records: Records): Desk {
  const clock = fakeClock({ startAt: noon });
  const iaas = {
    projects: () => [{ id: "p-1", name: "shop", enabled: true }],
    servers: () => [],
    volumes: () => ({
      volumes: [{ id: "vol-1", name: "vol-1", size: 1, project_id: "p-1" }],
      snapshots: [],
      backups: [],
    }),
    domains: () => [],
  };
  const regions = { "eu-1": { iaas, backups: fakeBackupDriver() } } as unknown as Regions;
  let made = 0;
  const newId = (prefix: string) => `${prefix}_${++made}`;
  const { deps, tick } = createBackupScheduler({ records, clock, regions, newId, notify: async () => {} });
  const area = backupsArea(deps) as Desk["area"];
  return { area, clock, tick, at: (place = client) => callAt(records, place, { now: clock.now() }) };
}

describe.each(stores)("backup policies: %s", (_name, open) => {
  let desk: Desk;
  beforeEach(async () => {
    desk = openDesk((await open()).records);
  });

  it("a policy is made with its defaults, is seen by the levels below, and backs up by its own clocks", async () => {
    const { area, at, clock, tick } = desk;
    const policy = await area.createPolicy(nightly, at(reseller));
    expect(policy).toMatchObject({ ...nightly, is_configured: false, retry: 2, retention_secondary: 7 });
    const seen = async (place: TenantScope) => (await area.policies({}, at(place))).map(({ name }) => name);
    expect(await seen(client)).toContain("Roman nights");
    expect(await seen({ reseller: "other" })).toEqual(["Daily", "Weekly"]);
    await area.create({ ...volume, policy_id: policy.id }, at());
    const [scheduled] = await area.list({}, at());
    expect(scheduled).toMatchObject({ state: "scheduled", schedule_date: "2026-11-21T01:30:00.000Z" });
    await clock.advance(Date.parse("2026-11-21T01:30:00Z") - clock.now());
    await tick();
    expect(await area.list({}, at())).toMatchObject([
      { state: "available" },
      { state: "scheduled", schedule_date: "2026-11-22T01:30:00.000Z" },
    ]);
  });

  it("a policy in use is not deleted: the refusal names what uses it, across all clients", async () => {
    const { area, at } = desk;
    const { id: policy_id } = await area.createPolicy(nightly, at(reseller));
    await area.create({ ...volume, policy_id }, at());
    const refusal = { code: "conflict", message: expect.stringContaining("volume `vol-1`") };
    await expect(async () => area.deletePolicy({ policy_id }, at(reseller))).rejects.toMatchObject(refusal);
    const [backup] = await area.list({}, at());
    await area.unassign({ backup_id: backup?.id ?? "", policy_id, resource_id: "vol-1", reason: "x", ttl: "1d" }, at());
    await area.deletePolicy({ policy_id }, at(reseller));
    expect((await area.policies({ show_all: true }, at())).map(({ name }) => name)).toEqual(["Daily", "Weekly"]);
    const again = expect(async () => area.create({ ...volume, policy_id }, at())).rejects;
    await again.toMatchObject({ code: "invalid_request", param: "policy_id" });
  });

  it("a changed schedule plans the next backup anew, there and back, and leaves the rest", async () => {
    const { area, at, tick } = desk;
    const { id: policy_id } = await area.createPolicy(nightly, at());
    await area.create({ ...volume, policy_id }, at());
    const planned = async () => (await area.list({}, at())).map(({ state, schedule_date }) => [state, schedule_date]);
    const before = await planned();
    await area.changePolicy({ policy_id, timezone: "America/New_York" }, at());
    await tick();
    expect(await planned()).toEqual([["scheduled", "2026-11-21T07:30:00.000Z"]]);
    await area.changePolicy({ policy_id, timezone: "Europe/Rome", retry: 0 }, at());
    await tick();
    expect(await planned()).toEqual(before);
  });

  it("a disabled policy takes nothing new; enabled again it does", async () => {
    const { area, at } = desk;
    const { id: policy_id } = await area.createPolicy({ ...nightly, description: "once" }, at());
    const disabled = await area.changePolicy({ policy_id, disabled: true, description: null }, at());
    expect(disabled).toMatchObject({ disabled_at: new Date(noon).toISOString(), disabled_by: expect.any(String) });
    expect(disabled).not.toHaveProperty("description");
    await expect(async () => area.create({ ...volume, policy_id }, at())).rejects.toMatchObject({ param: "policy_id" });
    expect(await area.changePolicy({ policy_id, disabled: false }, at())).not.toHaveProperty("disabled_at");
    await area.create({ ...volume, policy_id }, at());
  });

  it("those of the configuration and those above are not changed, and a schedule must be one", async () => {
    const { area, at } = desk;
    const { id } = await area.createPolicy(nightly, at(reseller));
    for (const [policy_id, code] of [
      ["daily", "conflict"],
      [id, "not_found"],
    ] as const) {
      await expect(async () => area.changePolicy({ policy_id, retry: 1 }, at())).rejects.toMatchObject({ code });
      await expect(async () => area.deletePolicy({ policy_id }, at())).rejects.toMatchObject({ code });
    }
    const wrong = { code: "invalid_request", param: "schedule" };
    for (const schedule of ["", "daily", "0 2 30 2 *", "* * * * * *"])
      await expect(async () => area.createPolicy({ ...nightly, schedule }, at())).rejects.toMatchObject(wrong);
  });

  it("a preview shows the runs over a change of the clocks, with their offsets", async () => {
    const { area, clock, at } = desk;
    await clock.advance(Date.parse("2027-03-27T00:00:00Z") - clock.now());
    const { runs } = await area.previewPolicy({ ...nightly, starting_hour: "00:00", count: 3 }, at());
    expect(runs).toEqual([
      { at: "2027-03-27T01:30:00.000Z", local: "2027-03-27T02:30:00+01:00" },
      { at: "2027-03-28T01:00:00.000Z", local: "2027-03-28T03:00:00+02:00" },
      { at: "2027-03-29T00:30:00.000Z", local: "2027-03-29T02:30:00+02:00" },
    ]);
    await clock.advance(5 * hour);
    const worst = { schedule: "* 1-23 * * *", starting_hour: 0, backup_window: 1, count: 50, timezone: "Asia/Tokyo" };
    expect((await area.previewPolicy(worst, at())).runs).toHaveLength(50);
  });
});
