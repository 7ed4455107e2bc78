import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { memoryStore } from "../../../../adapters/stores/memory/index.ts";
import { GatewayError } from "../../../../src/engine/errors.ts";
import type { Records } from "../../../../src/engine/ports/records.ts";
import type { StoredBackupAssignment } from "../../../../src/operations/records/backups.ts";
import { backupsArea } from "../../../../src/portal/backups/area.ts";
import { createBackupScheduler } from "../../../../src/portal/backups/backup-scheduler.ts";
import { lookEverywhere } from "../../../../src/portal/backups/runs/look-for-lost.ts";
import type { Notice } from "../../../../src/portal/notify.ts";
import type { Regions } from "../../../../src/portal/regions.ts";
import { fakeBackupDriver, fakeClock } from "../../../../src/testing/index.ts";
import { withPortalKinds } from "../../../portal-kinds.ts";
import { callAt, noon, stores } from "../../support/rig.ts";

const [hour, day] = [3_600_000, 86_400_000];

/** A volume with a full backup and incremental ones on the following nights, in one zone or two. */
async function nights(records: Records, { count, far }: { count: number; far: boolean }) {
  const clock = fakeClock({ startAt: noon });
  const driver = fakeBackupDriver();
  const held = driver.held as Map<string, never>; // what happens behind the portal's back
  let failing: GatewayError | undefined;
  const list = async () => {
    if (failing !== undefined) throw failing;
    return [...held.keys()];
  };
  const iaas = { projects: () => [], servers: () => [], volumes: () => ({ volumes: [], snapshots: [], backups: [] }) };
  const regions = { "eu-1": { iaas, backups: { ...driver, list } } } as unknown as Regions;
  const told: Notice[] = [];
  let made = 0;
  const policy = { schedule: "0 2 * * *", increment_policy: 6, retention_primary: 30 };
  const { deps, tick } = createBackupScheduler(
    {
      ...{ records, clock, regions, newId: (prefix: string) => `${prefix}_${++made}` },
      notify: async (notice) => void told.push(notice),
    },
    { nightly: far ? { ...policy, backup_backend_rule: "far" } : policy },
  );
  const assignment: StoredBackupAssignment = {
    ...{ id: "bka_1", created_at: new Date(noon).toISOString(), reseller: "acme", client_id: "c-1", user_id: null },
    ...{ region: "eu-1", policy_id: "nightly", resource_id: "vol-1", resource_type: "volume", project_id: null },
    ...{ protected_resource_id: null, starting_hour: 0, runs: 0, next_at: noon + 14 * hour },
  };
  await records.put("backup_assignment", assignment, 0);
  for (let night = 0; night < count; night++) {
    await clock.advance(night === 0 ? 14 * hour : day);
    await tick();
  }
  const area = backupsArea(deps) as Required<ReturnType<typeof backupsArea>>;
  const at = () => callAt(records, { reseller: "acme", client_id: "c-1" }, { now: clock.now() });
  const shown = async () => (await area.list({}, at())).filter(({ state }) => state !== "scheduled");
  const states = async () => (await shown()).map(({ state }) => state);
  const refresh = () => area.refresh({}, at());
  const fail = (error: GatewayError) => {
    failing = error;
  };
  return { clock, driver, held, told, deps, tick, states, refresh, fail, made: shown };
}

describe.each(stores)("backups that their driver no longer has: %s", (_name, open) => {
  it("are lost at the next refresh, told of once, and found again when the driver has them again", async () => {
    const { held, told, states, refresh, deps } = await nights((await open()).records, { count: 2, far: false });
    const [, last] = [...held.keys()];
    const gone = held.get(last ?? "") as never;
    held.delete(last ?? "");
    await refresh();
    expect(await states()).toEqual(["available", "lost"]);
    await lookEverywhere(deps);
    expect(told).toMatchObject([{ type: "backup_lost", key: "notice.backup_lost", params: { resource_id: "vol-1" } }]);
    held.set(last ?? "", gone);
    await lookEverywhere(deps);
    expect(await states()).toEqual(["available", "available"]);
  });

  it("take those along that build on them, and the next one is full", async () => {
    const { held, states, refresh, clock, tick, made } = await nights((await open()).records, { count: 3, far: false });
    held.delete([...held.keys()][0] ?? "");
    await refresh();
    expect(await states()).toEqual(["lost", "lost", "lost"]);
    await clock.advance(day);
    await tick();
    expect((await made()).at(-1)).toMatchObject({ state: "available", is_full: true });
  });

  it("stay available by their copy in another zone, which forms a chain of its own", async () => {
    const { held, told, states, refresh, made } = await nights((await open()).records, { count: 2, far: true });
    const zones = new Map(
      [...held.values()].map((job: { backup_id: string; zone?: string }) => [job.backup_id, job.zone]),
    );
    expect(zones.size).toBe(4);
    for (const { parent, zone, backup_id } of held.values() as Iterable<{
      parent?: string;
      zone?: string;
      backup_id: string;
    }>)
      if (parent !== undefined) expect([backup_id, zones.get(parent.replace("snap-", ""))]).toEqual([backup_id, zone]);
    expect([...held.values()].filter(({ is_full }: { is_full: boolean }) => is_full)).toHaveLength(2);
    held.delete([...held.keys()][0] ?? ""); // the full one in the primary zone
    await refresh();
    expect(await states()).toEqual(["available", "available"]);
    expect(told.map(({ key }) => key)).toEqual(["notice.backup_copy_lost", "notice.backup_copy_lost"]);
    expect((await made()).map(({ snapshot }) => snapshot)).toEqual([...held.keys()].filter((id) => id.endsWith("-2")));
  });

  it("are not inferred from a driver that cannot be asked", async () => {
    const { held, states, refresh, fail, deps, told } = await nights((await open()).records, { count: 1, far: false });
    held.clear();
    fail(new GatewayError("backend_error", "Our token is no administrator's."));
    await expect(refresh()).rejects.toMatchObject({ code: "backend_error" });
    await expect(lookEverywhere(deps)).rejects.toMatchObject({ code: "backend_error" });
    expect([await states(), told]).toEqual([["available"], []]);
  });
});

it("after a look a backup is available exactly when the driver holds one of its copies with all that it builds on", async () => {
  const story = fc.record({
    count: fc.integer({ min: 1, max: 6 }),
    far: fc.boolean(),
    drops: fc.array(fc.nat(11), { maxLength: 6 }),
  });
  await fc.assert(
    fc.asyncProperty(story, async ({ count, far, drops }) => {
      const { records } = withPortalKinds(memoryStore());
      const { held, deps } = await nights(records, { count, far });
      const jobs = new Map(
        [...held].map(([snapshot, job]) => [snapshot, job as { parent?: string; backup_id: string }]),
      );
      for (const drop of drops) held.delete([...jobs.keys()][drop % jobs.size] ?? "");
      await lookEverywhere(deps);
      const isWhole = (snapshot: string): boolean => {
        const parent = jobs.get(snapshot)?.parent;
        return held.has(snapshot) && (parent === undefined || isWhole(parent));
      };
      for (const { record } of (await records.list("backup", { limit: 100 })).records) {
        if (record.state === "scheduled") continue;
        const own = [...jobs].filter(([, { backup_id }]) => backup_id === record.id || backup_id === `${record.id}-2`);
        expect(record.state).toBe(own.some(([snapshot]) => isWhole(snapshot)) ? "available" : "lost");
      }
    }),
    { numRuns: 60 },
  );
});
