import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it, type TestContext } from "vitest";
import type { Wire } from "../../../adapters/clouds/openstack/client/cloud.ts";
import { openstack } from "../../../adapters/clouds/openstack/index.ts";
import { memoryStore } from "../../../adapters/stores/memory/index.ts";
import type { StoredBackupAssignment } from "../../../src/operations/records/backups.ts";
import { backupsArea } from "../../../src/portal/backups/area.ts";
import { createBackupScheduler } from "../../../src/portal/backups/backup-scheduler.ts";
import type { Notice } from "../../../src/portal/notify.ts";
import { fakeClock } from "../../../src/testing/index.ts";
import { callAt, noon } from "../../portal/support/rig.ts";
import { withPortalKinds } from "../../portal-kinds.ts";
import { useServer } from "../support/servers.ts";
import { adminOptions } from "./iaas-openstack.ts";
import { type CloudAdmin, freeze, openCloudAdmin } from "./keystone-admin.ts";

const server = useServer("openstack");
const [hour, day] = [3_600_000, 86_400_000];

let admin: CloudAdmin;

beforeAll(() => {
  if (server.missing === undefined) admin = openCloudAdmin(server.settings);
});

afterAll(() => admin?.close());

const volumePath = async (path: string[]) => await admin.ask({ service: "volume", path });

/** A volume at the real Cinder, and a portal's scheduler that backs it up every night at two. */
async function openNights(context: TestContext) {
  if (server.missing !== undefined) return context.skip(server.missing);
  const { records } = withPortalKinds(memoryStore());
  const clock = fakeClock({ startAt: noon });
  const timeouts = { connect: 5_000, firstContent: 5_000, gap: 5_000, whole: 20_000 };
  const options = { ...adminOptions(server.settings), pageSize: 1_000, timeouts };
  const { iaas, backups, close } = openstack({ ...options, backupTimes: { poll: 300, whole: 60_000 } });
  context.onTestFinished(close);
  const name = `lost-${randomBytes(4).toString("hex")}`;
  const body = { volume: { size: 1, name } };
  const made = await admin.ask({ service: "volume", method: "POST", path: ["volumes"], body });
  const volume = String((made.volume as Wire).id);
  const status = async () => ((await volumePath(["volumes", volume])).volume as Wire).status;
  await expect.poll(status, { timeout: 30_000, interval: 300 }).toBe("available");
  const told: Notice[] = [];
  let count = 0;
  const { deps, tick } = createBackupScheduler(
    {
      ...{ records, clock, regions: { "eu-1": { iaas, backups } } },
      newId: (prefix: string) => `${prefix}_${name}_${++count}`,
      notify: async (notice) => void told.push(notice),
    },
    { nightly: { schedule: "0 2 * * *", increment_policy: 6, retention_primary: 30, retry: 3 } },
  );
  const assignment: StoredBackupAssignment = {
    ...{
      id: `bka_${name}`,
      created_at: new Date(noon).toISOString(),
      reseller: "acme",
      client_id: "c-1",
      user_id: null,
    },
    ...{ region: "eu-1", policy_id: "nightly", resource_id: volume, resource_type: "volume", project_id: null },
    ...{ protected_resource_id: null, starting_hour: 0, runs: 0, next_at: noon + 14 * hour },
  };
  await records.put("backup_assignment", assignment, 0);
  await clock.advance(14 * hour);
  const area = backupsArea(deps) as Required<ReturnType<typeof backupsArea>>;
  const at = () => callAt(records, {}, { now: clock.now() });
  const shown = async () =>
    (await area.list({}, at()))
      .filter(({ state }) => state !== "scheduled")
      .map(({ state, is_full }) => ({ state, is_full }));
  const held = async () => {
    const query = { all_tenants: "1" };
    const all = await admin.list({ service: "volume", path: ["backups", "detail"], key: "backups", query });
    return all.filter(({ volume_id }) => volume_id === volume).map(({ id }) => String(id));
  };
  const refresh = () => area.refresh({}, at());
  return { clock, tick, shown, held, told, refresh };
}

describe("backups at a real Cinder", () => {
  it("one that is deleted behind the portal's back is lost at the next look, and told of; the next one is full", async (context) => {
    const { clock, tick, shown, held, told, refresh } = await openNights(context);
    await tick();
    expect(await shown()).toMatchObject([{ state: "available", is_full: true }]);
    const [backup = ""] = await held();
    await admin.ask({ service: "volume", method: "DELETE", path: ["backups", backup] });
    await expect.poll(held, { timeout: 30_000, interval: 300 }).toEqual([]);
    await refresh();
    expect(await shown()).toMatchObject([{ state: "lost" }]);
    expect(told).toMatchObject([{ type: "backup_lost" }]);
    await clock.advance(day);
    await tick();
    expect(await shown()).toMatchObject([{ state: "lost" }, { state: "available", is_full: true }]);
    expect(await held()).toHaveLength(1);
  });

  it("a frozen Cinder fails no look: nothing is lost that could not be asked for, and the night's backup is made later", async (context) => {
    const { clock, tick, shown, held, told, refresh } = await openNights(context);
    await tick();
    await clock.advance(day);
    const thaw = freeze("openstack", "cinder-api");
    try {
      await expect(refresh()).rejects.toMatchObject({ code: expect.stringMatching(/^backend_/) });
    } finally {
      thaw();
    }
    expect(await shown()).toMatchObject([{ state: "available" }]);
    expect(told).toEqual([]);
    await tick();
    expect((await shown()).map(({ state }) => state)).toEqual(["available", "available"]);
    expect(await held()).toHaveLength(2);
  });
});
