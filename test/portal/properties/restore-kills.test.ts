import fc from "fast-check";
import { expect, it } from "vitest";
import { openstack } from "../../../adapters/clouds/openstack/index.ts";
import { memoryStore } from "../../../adapters/stores/memory/index.ts";
import type { Clock } from "../../../src/engine/ports/clock.ts";
import type { StoredRestoreTarget } from "../../../src/operations/records/backups.ts";
import { createBackupScheduler } from "../../../src/portal/backups/backup-scheduler.ts";
import { newRestore } from "../../../src/portal/backups/planning/restore-states.ts";
import { leaseMs } from "../../../src/portal/backups/planning/state.ts";
import type { Regions } from "../../../src/portal/regions.ts";
import { fakeClock } from "../../../src/testing/index.ts";
import { type Fate, fakeCloud } from "../../clouds/support/openstack/fake-cloud.ts";
import { fakeStorage } from "../../clouds/support/openstack/fake-storage.ts";
import { withPortalKinds } from "../../portal-kinds.ts";

const midnight = Date.UTC(2026, 10, 20);
const minute = 60_000;

const targets: readonly StoredRestoreTarget[] = [
  { kind: "source", resource_id: "v9" },
  { kind: "volume", name: "new", availability_zone: "nova", volume_type: "fast" },
  { kind: "image", name: "golden" },
];

/** What becomes of each request in its order; `pass` behind the end. */
type Fates = (place: number) => Fate;

/** A cloud with a volume and its backup, and a restore that waits for its run. */
async function openGround(target: StoredRestoreTarget, fate: Fates) {
  const clock = fakeClock({ startAt: midnight });
  const storage = fakeStorage(clock.now);
  const cloud = fakeCloud({ fate, serveFirst: storage.serve });
  const own = { "os-vol-tenant-attr:tenant_id": "p-1", "os-backup-project-attr:project_id": "p-1" };
  storage.add("volumes", { id: "v9", name: "source", metadata: {}, ...own }, "available");
  storage.add("backups", { id: "b1", size: 1, ...own }, "available");
  const { records } = withPortalKinds(memoryStore());
  const scope = { reseller: "acme", client_id: "c-1", user_id: null };
  const backup = { id: "bkp_1", ...scope, region: "eu-1", resource_id: "v9" } as Parameters<typeof newRestore>[0];
  const wish = { id: "rst_1", snapshot: "b1", target, by: "rig", now: midnight };
  await records.put("backup_restore", newRestore(backup, wish), 0);
  return { clock, storage, cloud, records };
}

type Ground = Awaited<ReturnType<typeof openGround>>;

/** A process: after so many calls of its ports, the last of which may or may not have been done, nothing is heard of it. */
function openProcess({ clock, cloud, records }: Ground, life: number, isDone: boolean) {
  let left = life;
  let isDead = false;
  const die = () => {
    isDead = true;
    return new Promise<never>(() => {});
  };
  const mortal = <Port extends object>(port: Port): Port =>
    new Proxy(port, {
      get(target, name) {
        const method = Reflect.get(target, name) as (...given: unknown[]) => unknown;
        return async (...given: unknown[]) => {
          left -= 1;
          if (left > 0) return method.apply(target, given);
          if (left === 0 && isDone) await Promise.resolve(method.apply(target, given)).catch(() => {});
          return die();
        };
      },
    });
  const own: Clock = { now: clock.now, after: (ms, then) => clock.after(ms, () => isDead || then()) };
  const { backups } = openstack({
    authUrl: "http://identity.test/v3",
    credentials: { username: "admin", password: "hush-hush" },
    transport: mortal(cloud.transport),
    clock: own,
  });
  const notified: string[] = [];
  let made = 0;
  const { tick } = createBackupScheduler({
    records: mortal(records),
    regions: { "eu-1": { backups } } as unknown as Regions,
    clock: own,
    notify: async ({ type }) => void notified.push(type),
    newId: (prefix) => `${prefix}_${life}_${++made}`,
  });
  /** Ticks as its job does, for so long. */
  const go = async (ms: number, step = 2_000) => {
    let isOver = true;
    for (let passed = 0; passed < ms && !isDead; passed += step) {
      if (isOver) {
        isOver = false;
        tick()
          .catch(() => {}) // reported by the job, which goes on
          .finally(() => {
            isOver = true;
          });
      }
      await clock.advance(step);
    }
  };
  return { go, notified };
}

/** In the end: one restored thing and a record that says so, or a record that says that it failed and nothing. */
async function expectEnd({ storage, records }: Ground, target: StoredRestoreTarget) {
  const { state, discard_at } = (await records.get("backup_restore", "rst_1"))?.record ?? expect.unreachable();
  expect(["done", "failed"]).toContain(state);
  expect(discard_at ?? null).toBeNull();
  const count = state === "done" ? 1 : 0;
  const volumes = storage.list("volumes").filter(({ id }) => id !== "v9");
  expect(volumes.map(({ name }) => name)).toEqual(Array(target.kind === "volume" ? count : 0).fill("new"));
  expect(storage.list("images").map(({ name }) => name)).toEqual(
    Array(target.kind === "image" ? count : 0).fill("golden"),
  );
  if (target.kind === "source") expect(storage.restored.length).toBeGreaterThanOrEqual(count);
  for (const kind of ["volumes", "images", "backups"] as const)
    for (const { status } of storage.list(kind)) expect(["available", "active"]).toContain(status);
  return state;
}

const anyKill = fc.record({ life: fc.integer({ min: 1, max: 90 }), isDone: fc.boolean() });

it.each(targets)(
  "a process that restores is killed at any call: the next ones finish it once, or it has failed and nothing is left: $kind",
  async (target) => {
    const story = async (kills: readonly { life: number; isDone: boolean }[]) => {
      const ground = await openGround(target, () => "pass");
      for (const { life, isDone } of kills) {
        await openProcess(ground, life, isDone).go(2 * minute);
        await ground.clock.advance(leaseMs + 1);
      }
      await openProcess(ground, Number.MAX_SAFE_INTEGER, true).go(40 * minute, 5_000);
      const state = await expectEnd(ground, target);
      if (kills.length < 4) expect(state).toBe("done");
    };
    await fc.assert(fc.asyncProperty(fc.array(anyKill, { minLength: 1, maxLength: 6 }), story), { numRuns: 150 });
  },
  240_000,
);

/** One request goes wrong, in one of the ways there are; and perhaps everything for some minutes after it. */
const anyFault = fc.record({
  place: fc.nat({ max: 40 }),
  fate: fc.constantFrom<Fate>("break", "lose", "drop", "late"),
  length: fc.constantFrom(1, 2, 8),
});

it.each(targets)(
  "any request of a restore goes wrong: it is done once, or it has failed and nothing is left: $kind",
  async (target) => {
    const story = async ({ place: at, fate, length }: { place: number; fate: Fate; length: number }) => {
      const ground = await openGround(target, (place) => (place >= at && place < at + length ? fate : "pass"));
      const process = openProcess(ground, Number.MAX_SAFE_INTEGER, true);
      await process.go(5 * minute);
      ground.cloud.catchUp();
      await process.go(180 * minute, 20_000);
      await expectEnd(ground, target);
    };
    await fc.assert(fc.asyncProperty(anyFault, story), { numRuns: 200 });
  },
  240_000,
);
