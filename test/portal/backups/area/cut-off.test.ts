import { describe, expect, it } from "vitest";
import { GatewayError } from "../../../../src/engine/errors.ts";
import type { Records } from "../../../../src/engine/ports/records.ts";
import { backupsArea } from "../../../../src/portal/backups/area.ts";
import { createBackupScheduler } from "../../../../src/portal/backups/backup-scheduler.ts";
import type { Regions } from "../../../../src/portal/regions.ts";
import { readAll } from "../../../../src/portal/tenancy/record-access.ts";
import { fakeBackupDriver, fakeClock } from "../../../../src/testing/index.ts";
import { callAt, noon, stores } from "../../support/rig.ts";

const day = 86_400_000;
const client = { reseller: "acme", client_id: "c-1" };

/** A store that takes so many writes, and fails from then on. */
function failingAfter(writes: number, records: Records): Records {
  let left = writes;
  const spend = () => {
    if (left-- <= 0) throw new GatewayError("store_unavailable", "The disk is full.");
  };
  return {
    ...records,
    async put(kind, record, expected) {
      spend();
      return records.put(kind, record, expected);
    },
    async remove(kind, id, expected) {
      spend();
      return records.remove(kind, id, expected);
    },
  };
}

/** A machine with two volumes, and who may put it under a policy while the store fails. */
function openDesk(records: Records) {
  const attachments = [{ server_id: "vm-1", device: "/dev/vdb" }];
  const volumes = ["vol-1", "vol-2"].map((id) => ({ id, name: id, size: 1, project_id: "p-1", attachments }));
  const iaas = {
    projects: () => [{ id: "p-1", name: "shop", enabled: true }],
    servers: () => [{ id: "vm-1", name: "web", project_id: "p-1", status: "ACTIVE" }],
    volumes: () => ({ volumes, snapshots: [], backups: [] }),
  };
  const clock = fakeClock({ startAt: noon });
  const regions = { "eu-1": { iaas, backups: fakeBackupDriver() } } as unknown as Regions;
  const { deps: works, tick: go } = createBackupScheduler(
    { records, clock, regions, newId: (prefix: string) => `${prefix}_1`, notify: async () => {} },
    { nightly: { schedule: "0 2 * * *", retention_primary: 2 } },
  );
  const area = backupsArea(works) as Required<ReturnType<typeof backupsArea>>;
  const at = (writes = Number.POSITIVE_INFINITY) => callAt(failingAfter(writes, records), client, { now: clock.now() });
  const covered = async () =>
    (await readAll(records, "backup_assignment")).map(({ resource_id }) => resource_id).sort();
  return { area, clock, go, at, covered };
}

const machine = { policy_id: "nightly", resource_id: "vm-1", resource_type: "vm", starting_hour: 0 };
/** Whether something was done before the store failed. */
async function isDone(work: () => unknown): Promise<boolean> {
  try {
    await work();
    return true;
  } catch {
    return false;
  }
}

const everyWrite = [0, 1, 2, 3, 4, 5, 6];

describe.each(stores)("who is cut off by a failing store: %s", (_name, open) => {
  it.each(everyWrite)(
    "may put a machine under a policy again after %i writes, and no volume is left out",
    async (writes) => {
      const { area, at, covered } = openDesk((await open()).records);
      if (!(await isDone(() => area.create(machine, at(writes))))) await area.create(machine, at());
      expect(await covered()).toEqual(["vm-1", "vol-1", "vol-2"]);
      await expect(area.create(machine, at())).rejects.toMatchObject({ code: "conflict" });
    },
  );

  it.each(everyWrite)(
    "may take a policy off again after %i writes, and what is kept lives so much longer",
    async (writes) => {
      const { area, at, go, clock, covered } = openDesk((await open()).records);
      await area.create(machine, at());
      await clock.advance(day);
      await go();
      const [backup] = (await area.list({}, at())).filter(({ state }) => state === "available");
      const leaving = {
        backup_id: backup?.id ?? "",
        policy_id: "nightly",
        resource_id: "vm-1",
        reason: "",
        ttl: "30d",
      };
      if (!(await isDone(() => area.unassign(leaving, at(writes))))) await area.unassign(leaving, at());
      expect(await covered()).toEqual([]);
      await go();
      const kept = (await area.list({}, at())).filter(({ state }) => state === "available");
      expect(kept).toHaveLength(2);
      for (const { time_to_live } of kept) expect(Date.parse(String(time_to_live))).toBeGreaterThan(noon + 30 * day);
      expect((await area.list({}, at())).some(({ state }) => state === "scheduled")).toBe(false);
    },
  );
});
