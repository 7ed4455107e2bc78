import { randomBytes } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { local } from "../../../adapters/providers/local/index.ts";
import type { Store } from "../../../src/engine/ports/store.ts";
import { createEngine } from "../../../src/index.ts";
import { createPortal } from "../../../src/portal/index.ts";
import type { PortalCalls } from "../../../src/portal/portal.ts";
import type { Regions } from "../../../src/portal/regions.ts";
import { type Gateway, openGateway } from "../support/gateway.ts";
import { makePlaces } from "../support/places.ts";
import { stores } from "../support/rig.ts";

const hour = 3_600_000;
const tick = 20_000;
const setProperty = {
  description: "",
  method: "POST",
  step_path: "/property",
  params: { property: "greeting", value: "hello", description: "" },
} as const;
const acme = { reseller: "acme", client_id: "c-1", level: "client" } as const;

describe.each(stores)("tasks that run by themselves: %s", (_name, open) => {
  let gateway: Gateway;
  let store: Store;
  let admin: PortalCalls;
  let gate: { arrived: () => void; isOpen: Promise<object[]> };

  beforeEach(async () => {
    store = await open();
    gate = { arrived: () => {}, isOpen: Promise.resolve([]) };
    const domains = () => {
      gate.arrived();
      return gate.isOpen;
    };
    gateway = await openGateway(store, { "eu-1": { iaas: { domains } } } as unknown as Regions);
    admin = gateway.portal.as(await gateway.portal.authenticate(gateway.token));
  });

  /** Another process over the same store, with its background jobs. */
  function startProcess() {
    const { clock } = gateway;
    const engine = createEngine({ providers: [local()], store, clock });
    const parts = { engine, store, regions: { "eu-1": {} }, clock, entropy: randomBytes };
    const failures: unknown[] = [];
    const stop = createPortal({ ...parts, secret: "a secret of the tests" }).start((error) => failures.push(error));
    return { stop, failures };
  }

  /** Lets time pass, and the jobs that were due in it begin. */
  async function pass(ms: number) {
    await gateway.clock.advance(ms);
    for (let ticks = 0; ticks < 3; ticks++) await gateway.clock.advance(tick);
  }

  async function draft(calls = admin, step: object = setProperty) {
    const { id: task_id } = await calls.tasks.create({ name: "nightly" });
    await calls.tasks.setStep({ task_id, ...(step as typeof setProperty) });
    return task_id;
  }

  const states = async (calls = admin) => (await calls.tasks.list({})).map(({ state }) => state);
  const hasRun = async () => (await admin.properties.list({})).some(({ property }) => property === "greeting");

  it("a draft runs once at its instant, in one of two processes, and is no longer scheduled", async () => {
    const { clock } = gateway;
    const task_id = await draft();
    const at = new Date(clock.now() + hour).toISOString();
    expect(await admin.tasks.schedule({ task_id, at })).toEqual({
      ...{ task_id, at, cron: null, timezone: "UTC", next_run_at: at },
    });
    expect(await admin.tasks.get({ task_id })).toMatchObject({ state: "draft", next_run_at: at, steps_total: 1 });
    const processes = [startProcess(), startProcess()];
    await clock.advance(hour - tick);
    expect(await hasRun()).toBe(false);
    await clock.advance(2 * tick);
    for (const { stop } of processes) await stop();
    expect(await admin.tasks.list({})).toMatchObject([{ state: "done", next_run_at: null, steps_done: 1 }]);
    expect(await hasRun()).toBe(true);
    expect(await admin.tasks.readSchedule({ task_id })).toMatchObject({ at: null, cron: null, next_run_at: null });
    expect(processes.flatMap(({ failures }) => failures)).toEqual([]);
  });

  it("a repetition runs a copy each time, by the clocks of its zone; what was due while nothing ran is run once", async () => {
    const { clock } = gateway;
    const task_id = await draft();
    const schedule = await admin.tasks.schedule({ task_id, cron: "30 14 * * *", timezone: "Europe/Rome" });
    expect(schedule.next_run_at).toBe("2026-11-20T13:30:00.000Z");
    await clock.advance(3 * 24 * hour);
    for (let restarts = 0; restarts < 2; restarts++) {
      const { stop } = startProcess();
      await clock.advance(tick);
      await stop();
    }
    expect(await states()).toEqual(["draft", "done"]);
    expect((await admin.tasks.get({ task_id })).next_run_at).toBe("2026-11-23T13:30:00.000Z");
    const { stop } = startProcess();
    await pass(2 * hour);
    await stop();
    expect(await states()).toEqual(["draft", "done", "done"]);
    await admin.tasks.unschedule({ task_id });
    await expect(admin.tasks.unschedule({ task_id })).rejects.toMatchObject({ code: "conflict" });
  });

  it("a run may do what its user and token may do then: without them it fails, and says so", async () => {
    const { portal } = gateway;
    await makePlaces(portal, acme);
    const role = await admin.users.createRole({ name: "worker", permissions: ["*"] });
    const user = await admin.users.create({ username: "ann", roles: [role.id], ...acme });
    const token = await admin.users.createToken({ user_id: user.id, name: "t", permissions: ["*"] });
    const ann = portal.as(await portal.authenticate(token.value));
    const task_id = await draft(ann);
    await ann.tasks.schedule({ task_id, cron: "0 * * * *" });
    await admin.users.revokeToken({ user_id: user.id, token_id: token.id });
    const { stop } = startProcess();
    await pass(hour);
    await stop();
    expect(await states()).toEqual(["draft", "failed"]);
    const notices = await admin.notifications.list({});
    expect(notices.map(({ key }) => key)).toContain("notice.task_failed");
    expect(await hasRun()).toBe(false);
  });

  it("only a draft with steps is scheduled, in the future, and its steps stay what they are", async () => {
    const task_id = await draft();
    const refused = (asked: object) => expect(admin.tasks.schedule({ task_id, ...asked })).rejects;
    await refused({}).toMatchObject({ code: "invalid_request", param: "at" });
    await refused({ at: "2030-01-01T00:00:00Z", cron: "0 2 * * *" }).toMatchObject({ param: "at" });
    await refused({ at: "2020-01-01T00:00:00Z" }).toMatchObject({ code: "invalid_request", param: "at" });
    await refused({ cron: "0 0 30 2 *" }).toMatchObject({ code: "invalid_request", param: "cron" });
    await refused({ cron: "0 2 * * *", timezone: "Mars/Base" }).toMatchObject({ param: "timezone" });
    await admin.tasks.schedule({ task_id, cron: "0 2 * * *" });
    await expect(admin.tasks.setStep({ task_id, ...setProperty })).rejects.toMatchObject({ code: "conflict" });
    const looping = { ...setProperty, method: "PUT", step_path: `/task/${task_id}/schedule` } as const;
    await expect(draft(admin, looping)).rejects.toMatchObject({ code: "conflict", param: "step_path" });
    await admin.tasks.delete({ task_id });
    expect(await store.records.count("task_schedule")).toBe(0);
    const { id: empty } = await admin.tasks.create({ name: "empty" });
    await expect(admin.tasks.schedule({ task_id: empty, cron: "0 2 * * *" })).rejects.toMatchObject({
      code: "conflict",
    });
  });

  it("a running task that is stopped ends after its present step, and says how far it came", async () => {
    const waiting = { description: "", method: "GET", step_path: "/iaas/domains", params: {} } as const;
    const task_id = await draft();
    await admin.tasks.setStep({ task_id, ...waiting });
    await admin.tasks.setStep({ task_id, ...setProperty });
    await expect(admin.tasks.stop({ task_id })).rejects.toMatchObject({ code: "conflict" });
    let open = (_found: object[]) => {};
    const arrival = new Promise<void>((arrived) => {
      gate = { arrived, isOpen: new Promise((resolve) => (open = resolve)) };
    });
    const run = admin.tasks.run({ task_id });
    await arrival;
    const stopped = { id: task_id, state: "running", steps_done: 1, steps_total: 3 };
    expect(await admin.tasks.stop({ task_id })).toEqual(stopped);
    expect(await admin.tasks.stop({ task_id })).toEqual(stopped);
    open([]);
    expect(await run).toMatchObject({ state: "stopped", steps_done: 2, steps_total: 3 });
    expect((await admin.tasks.steps({ task_id })).map(({ start_at }) => start_at !== null)).toEqual([
      true,
      true,
      false,
    ]);
    await expect(admin.tasks.stop({ task_id })).rejects.toMatchObject({ code: "conflict" });
  });
});
