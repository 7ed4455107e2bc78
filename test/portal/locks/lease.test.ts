import { randomBytes } from "node:crypto";
import { describe, expect, it, onTestFinished } from "vitest";
import { local } from "../../../adapters/providers/local/index.ts";
import { memoryStore } from "../../../adapters/stores/memory/index.ts";
import { createEngine } from "../../../src/index.ts";
import { createPortal, operator } from "../../../src/portal/index.ts";
import { createLease } from "../../../src/portal/locks/lease.ts";
import { createQuotaGuard } from "../../../src/portal/quotas/guard.ts";
import { quotaId } from "../../../src/portal/quotas/limits.ts";
import type { AreaBackend, Regions } from "../../../src/portal/regions.ts";
import { fakeClock } from "../../../src/testing/clock.ts";
import { withPortalKinds } from "../../portal-kinds.ts";
import { callAt, noon, stores } from "../support/rig.ts";

const clockAtNoon = () => fakeClock({ startAt: noon, runsByItself: true });

describe.each(stores)("turns of several processes over one store: %s", (_name, open) => {
  it("mix no work with other work of their name, and all of it is done", async () => {
    const { records } = await open();
    const clock = clockAtNoon();
    const steps: string[] = [];
    const works = ["a", "b", "c"].flatMap((process) => {
      const inTurn = createLease({ records, clock }, "limited");
      return [1, 2].map((nth) =>
        inTurn(async () => {
          steps.push(`${process}${nth}`);
          await new Promise<void>((resolve) => clock.after(30, resolve));
          steps.push(`${process}${nth}`);
        }),
      );
    });
    await Promise.all(works);
    for (let step = 0; step < steps.length; step += 2) expect(steps[step]).toBe(steps[step + 1]);
    expect(new Set(steps).size).toBe(6);
    expect(await records.count("turn")).toBe(0);
  });

  it("do not wait for work under another name", async () => {
    const { records } = await open();
    const clock = clockAtNoon();
    let finish = () => {};
    const held = createLease({ records, clock }, "one")(() => new Promise<void>((resolve) => (finish = resolve)));
    expect(await createLease({ records, clock }, "other")(async () => "done")).toBe("done");
    finish();
    await held;
  });

  it("go on after work that failed", async () => {
    const { records } = await open();
    const clock = clockAtNoon();
    const failing = createLease({ records, clock }, "one")(() => Promise.reject(new Error("no")));
    await expect(failing).rejects.toThrow("no");
    expect(await createLease({ records, clock }, "one")(async () => "done")).toBe("done");
  });

  it("are refused after half a minute, and taken a minute after a death", async () => {
    const { records } = await open();
    const clock = clockAtNoon();
    void createLease({ records, clock }, "one")(() => new Promise(() => {})); // its process is gone
    const inTurn = createLease({ records, clock }, "one");
    await expect(inTurn(async () => "done")).rejects.toMatchObject({ code: "store_unavailable" });
    expect(clock.now() - noon).toBeGreaterThanOrEqual(30_000);
    expect(clock.now() - noon).toBeLessThan(30_100);
    await clock.advance(noon + 59_000 - clock.now());
    expect(await inTurn(async () => clock.now() - noon)).toBeGreaterThanOrEqual(60_000);
    expect(clock.now() - noon).toBeLessThan(60_100);
  });

  it("that lapsed are not given back in place of who has them now", async () => {
    const { records } = await open();
    const clock = clockAtNoon();
    let finishSlow = () => {};
    const slow = createLease({ records, clock }, "one")(() => new Promise<void>((resolve) => (finishSlow = resolve)));
    await clock.advance(1); // it has the turn
    await clock.advance(60_000);
    let finish = () => {};
    const next = createLease({ records, clock }, "one")(() => new Promise<void>((resolve) => (finish = resolve)));
    await clock.advance(50);
    finishSlow();
    await slow;
    expect(await records.count("turn")).toBe(1);
    finish();
    await next;
    expect(await records.count("turn")).toBe(0);
  });
});

/** Two portals of one store, as in two gateways. */
function openGateways(regions: Regions = { "eu-1": {} }) {
  const store = withPortalKinds(memoryStore());
  const clock = clockAtNoon();
  const engine = createEngine({ providers: [local()], store, clock });
  onTestFinished(() => engine.close());
  const secret = "a secret of the tests";
  const open = () => createPortal({ engine, store, regions, clock, entropy: randomBytes, secret }).as(operator);
  return { store, clock, gateways: [open(), open()] as const };
}

it("two gateways of one store make together what a quota allows, and no more", async () => {
  const { store, gateways } = openGateways();
  const level = { reseller: "acme", client_id: "", resource_id: "" };
  await gateways[0].tenants.create({ reseller: "acme" });
  await gateways[0].quotas.set({ ...level, quota: "users", limit: 3 });
  const made = Array.from({ length: 8 }, (_, nth) => {
    return (gateways[nth % 2] ?? gateways[0]).users.create({ username: `user-${nth}`, reseller: "acme" });
  });
  const outcomes = await Promise.allSettled(made);
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
  expect(await store.records.count("user", { reseller: "acme" })).toBe(3);
});

it("what a back end does in turn, two gateways of one store do one after the other", async () => {
  const steps: string[] = [];
  const objectstore: AreaBackend<"objectstore"> = {
    unshareBucket: ({ bucket }, { withLease: turns }) =>
      turns("policy", async () => {
        steps.push(bucket);
        await new Promise<void>((resolve) => clock.after(30, resolve));
        steps.push(bucket);
        return undefined;
      }),
  };
  const { clock, gateways } = openGateways({ "eu-1": { objectstore } });
  await Promise.all(
    ["one", "two", "three", "four"].map((bucket, nth) =>
      (gateways[nth % 2] ?? gateways[0]).objectstore.unshareBucket({ bucket }),
    ),
  );
  expect(new Set(steps).size).toBe(4);
  for (let step = 0; step < steps.length; step += 2) expect(steps[step]).toBe(steps[step + 1]);
});

it("what one quota limits does not wait for what another one does, however slow that is to make", async () => {
  const { records } = withPortalKinds(memoryStore());
  const call = callAt(records, { reseller: "acme" });
  const place = { reseller: "acme", client_id: null, resource_id: null };
  for (const quota of ["projects", "users"]) {
    const id = quotaId({ region: "eu-1", quota, scope: place });
    const record = {
      id,
      created_at: new Date(noon).toISOString(),
      ...place,
      region: "eu-1",
      quota,
      limit: 1,
      allotted: {},
    };
    await records.put("quota", record, 0);
  }
  const guard = createQuotaGuard({ records });
  let finish = () => {};
  const slow = guard({ key: "iaas.createProject", input: {} as never, call }, () => {
    return new Promise<void>((resolve) => {
      finish = resolve;
    });
  });
  expect(await guard({ key: "users.create", input: {} as never, call }, () => "made")).toBe("made");
  finish();
  await slow;
});
