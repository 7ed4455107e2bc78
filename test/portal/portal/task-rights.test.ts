import { beforeEach, describe, expect, it } from "vitest";
import type { Store } from "../../../src/engine/ports/store.ts";
import type { StoredTask } from "../../../src/operations/records/tasks.ts";
import type { PortalCalls } from "../../../src/portal/portal.ts";
import { type Gateway, openGateway } from "../support/gateway.ts";
import { makePlaces } from "../support/places.ts";
import { stores } from "../support/rig.ts";

const listUsers = { description: "list", method: "GET", step_path: "/users", params: {} } as const;
const acme = { reseller: "acme", client_id: "c-1", level: "client" } as const;
const taskWork = ["task-get", "task-post", "task_step-get", "task_step-post", "task_run-post"];

interface Step {
  readonly response?: string;
}

describe.each(stores)("who changes and runs tasks: %s", (_name, open) => {
  let gateway: Gateway;
  let store: Store;
  let admin: PortalCalls;

  beforeEach(async () => {
    store = await open();
    gateway = await openGateway(store);
    admin = gateway.portal.as(await gateway.portal.authenticate(gateway.token));
  });

  async function join(username: string, place: object, permissions: string[]) {
    const role = await admin.users.createRole({ name: username, permissions });
    await makePlaces(gateway.portal, place);
    const user = await admin.users.create({ username, roles: [role.id], ...place });
    const { value } = await admin.users.createToken({ user_id: user.id, name: "t", permissions: ["*"] });
    return { user, value, calls: gateway.portal.as(await gateway.portal.authenticate(value)) };
  }

  it("a draft is changed by its owner and by those above, not by others of the same client", async () => {
    const owner = await join("ann", acme, ["*"]);
    const beside = await join("bob", acme, ["*"]);
    const above = await join("cyd", { reseller: "acme" }, ["*"]);
    const { id: task_id } = await owner.calls.tasks.create({ name: "nightly" });
    await owner.calls.tasks.setStep({ task_id, ...listUsers });
    for (const step of [listUsers, { ...listUsers, step_id: 1 }])
      await expect(beside.calls.tasks.setStep({ task_id, ...step })).rejects.toMatchObject({
        code: "permission_denied",
        param: "task_id",
      });
    await above.calls.tasks.setStep({ task_id, ...listUsers, step_id: 1 });
    await admin.tasks.setStep({ task_id, ...listUsers });
    expect(await owner.calls.tasks.steps({ task_id })).toHaveLength(2);
  });

  it("a step that somebody else last changed does what both may do, and no more", async () => {
    const weak = await join("ann", acme, [...taskWork, "users-get", "user_disable-patch"]);
    const other = await join("vera", { ...acme, client_id: "c-2" }, ["*"]);
    const own = await join("bob", acme, ["*"]);
    const boss = await join("cyd", { reseller: "acme" }, ["*"]);
    const attempts = [
      { method: "PATCH", step_path: `/users/${other.user.id}/disable`, found: "not_found" }, // in boss's scope, not in ann's
      { method: "DELETE", step_path: `/users/${own.user.id}`, found: "permission_denied" }, // boss may, ann may not
    ] as const;
    for (const { found, ...step } of attempts) {
      const { id: task_id } = await weak.calls.tasks.create({ name: "please run" });
      await weak.calls.tasks.setStep({ task_id, description: "", params: {}, ...step });
      const ran = await boss.calls.tasks.run({ task_id });
      expect(ran).toMatchObject({ state: "failed" });
      expect((ran.steps as Step[])[0]?.response).toContain(found);
    }
    const { id: task_id } = await weak.calls.tasks.create({ name: "please run" });
    await weak.calls.tasks.setStep({ task_id, ...listUsers });
    const seen = JSON.parse(((await boss.calls.tasks.run({ task_id })).steps as Step[])[0]?.response ?? "[]");
    expect(seen.map(({ username }: { username: string }) => username).toSorted()).toEqual(["ann", "bob"]);
  });

  it("a step by another cannot put a step under the runner's name", async () => {
    const weak = await join("ann", acme, taskWork);
    const boss = await join("bob", acme, ["*"]);
    const { id: draft } = await boss.calls.tasks.create({ name: "own" });
    const { id: task_id } = await weak.calls.tasks.create({ name: "please run" });
    const params = { description: "", method: "GET", params: {}, step_path: "/audit" };
    await weak.calls.tasks.setStep({
      task_id,
      description: "",
      method: "POST",
      step_path: `/task/${draft}/step`,
      params,
    });
    expect(await boss.calls.tasks.run({ task_id })).toMatchObject({ state: "failed" });
    expect(await boss.calls.tasks.steps({ task_id: draft })).toEqual([]);
  });

  it("a run takes the version that was looked at", async () => {
    const { id } = await admin.tasks.create({ name: "t" });
    const path = `/task/${id}`;
    const { ask } = gateway;
    await ask({ method: "POST", path: `${path}/step`, body: listUsers });
    const { etag = "" } = (await ask({ method: "GET", path: `${path}/step` })).headers;
    expect(etag).toMatch(/^"[0-9a-f]{32}"$/);
    await ask({ method: "POST", path: `${path}/step`, body: { ...listUsers, step_id: 1 } });
    const stale = await ask({ method: "POST", path: `${path}/run`, headers: { "if-match": etag } });
    expect(stale).toMatchObject({ status: 409, body: { error: { type: "conflict" } } });
    const fresh = (await ask({ method: "GET", path: `${path}/step` })).headers.etag;
    expect(await ask({ method: "POST", path: `${path}/run`, headers: { "if-match": fresh } })).toMatchObject({
      status: 200,
      body: { state: "done" },
    });
  });

  it("a step of a version that did not record who changed it is not run", async () => {
    const { id } = await admin.tasks.create({ name: "t" });
    await admin.tasks.setStep({ task_id: id, ...listUsers });
    const stored = await store.records.get("task", id);
    if (!stored) throw new Error("there is no task");
    const steps = stored.record.steps.map(({ set_by: _by, ...step }) => step);
    await store.records.put("task", { ...stored.record, steps } satisfies StoredTask, stored.version);
    await expect(admin.tasks.run({ task_id: id })).rejects.toMatchObject({ code: "conflict" });
    await admin.tasks.setStep({ task_id: id, ...listUsers, step_id: 1 });
    expect(await admin.tasks.run({ task_id: id })).toMatchObject({ state: "done" });
  });

  it("the fields of a step are bounded whatever their type, and so are its number and a user's tasks", async () => {
    const { id: task_id } = await admin.tasks.create({ name: "t" });
    const long = "x".repeat(100_001);
    for (const params of [JSON.stringify({ value: long }), { value: long }])
      await expect(admin.tasks.setStep({ task_id, ...listUsers, params })).rejects.toMatchObject({
        code: "invalid_request",
        param: "params",
      });
    for (let made = 0; made < 100; made++) await admin.tasks.setStep({ task_id, ...listUsers });
    await expect(admin.tasks.setStep({ task_id, ...listUsers })).rejects.toMatchObject({ code: "conflict" });
    for (let made = 1; made < 1_000; made++) {
      const { record } = (await store.records.get("task", task_id)) ?? {};
      await store.records.put("task", { ...(record as StoredTask), id: `tsk_${made}`, steps: [] }, 0);
    }
    await expect(admin.tasks.create({ name: "one more" })).rejects.toMatchObject({ code: "quota_exceeded" });
  });
});
