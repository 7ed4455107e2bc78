import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { memoryStore } from "../../../../adapters/stores/memory/index.ts";
import { begin, type Fate, leftOf, minute, openFilled, projectsOf, stepOf, taskOf } from "../../support/purge-world.ts";
import { stores } from "../../support/rig.ts";

describe.each(stores)("deleting a project with something in it: %s", (_name, open) => {
  it("is refused with a list over every area, and leaves all of it", async () => {
    const filled = await openFilled(await open());
    const before = await leftOf(filled, filled.shop);
    const { status, body } = await filled.remove();
    expect(status).toBe(409);
    const { message } = (body as { error: { message: string } }).error;
    const kinds = [
      "servers",
      "volumes",
      "loadbalancers",
      "routers",
      "ports",
      "networks",
      "security_groups",
      "floatingips",
      "zones",
      "images",
      "buckets",
      "cluster projects",
      "backups of volumes",
    ];
    for (const kind of kinds) expect(message).toContain(`1 ${kind} (`);
    expect(await leftOf(filled, filled.shop)).toEqual(before);
  });

  it("is a task that is shown, and that ends with nothing of it left and all of another project there", async () => {
    const filled = await openFilled(await open());
    const other = await leftOf(filled, filled.other);
    const id = await begin(filled);
    expect(await filled.remove({ purge: true })).toMatchObject({ status: 409 });
    expect(await taskOf(filled, id)).toMatchObject({
      id,
      state: "running",
      name: expect.stringContaining(filled.shop),
    });
    expect(await projectsOf(filled)).toContainEqual(expect.objectContaining({ id: filled.shop, state: "purging" }));
    await filled.run();
    expect(await stepOf(filled, id)).toContain("left_count");
    for (let n = 0; n < 5; n++) await filled.run();
    expect(await taskOf(filled, id)).toMatchObject({ state: "done", steps_done: 1 });
    expect(await leftOf(filled, filled.shop)).toEqual([]);
    expect(await leftOf(filled, filled.other)).toEqual(other);
    expect([
      await filled.store.records.count("project_purge"),
      await filled.store.records.count("cloud_project"),
    ]).toEqual([0, 1]);
  });

  it("is stuck where nothing goes any more, says what is left, and can be asked for again", async () => {
    let isLocked = true;
    const filled = await openFilled(await open(), { fate: () => (isLocked ? "break" : "pass") });
    isLocked = false;
    const id = await begin(filled);
    isLocked = true;
    for (let n = 0; n < 6; n++) await filled.run();
    expect(await taskOf(filled, id)).toMatchObject({ state: "failed" });
    expect(await stepOf(filled, id)).toMatch(/stuck.*servers.*did not answer in time/);
    const listed = (await projectsOf(filled)).find((project) => project.id === filled.shop);
    expect(listed).toMatchObject({ state: "stuck", description: expect.stringContaining("things are left") });
    isLocked = false;
    const again = await begin(filled);
    for (let n = 0; n < 6; n++) await filled.run();
    expect(await taskOf(filled, again)).toMatchObject({ state: "done" });
    expect(await leftOf(filled, filled.shop)).toEqual([]);
  });

  it("stops where it is asked to, and is not a way around the rights to what is in the project", async () => {
    const filled = await openFilled(await open());
    const caller = await filled.portal.callerOf(
      ((await filled.ask({ method: "GET", path: "/users" })).body as { id: string }[])[0]?.id ?? "",
    );
    const few = filled.portal.as({ ...caller, permissions: new Set(["iaas_project-delete"]) }, { region: "eu-1" }).iaas;
    const refusal = { code: "permission_denied", message: expect.stringContaining("iaas_server-delete") };
    await expect(few.deleteProject({ project_id: filled.shop, purge: true })).rejects.toMatchObject(refusal);
    const id = await begin(filled);
    expect(await filled.ask({ method: "POST", path: `/task/${id}/stop` })).toMatchObject({ status: 200 });
    const before = await leftOf(filled, filled.shop);
    await filled.run();
    expect(await taskOf(filled, id)).toMatchObject({ state: "stopped" });
    expect(await leftOf(filled, filled.shop)).toEqual(before);
    expect(await filled.store.records.count("project_purge")).toBe(0);
  });
});

describe("a purge in the bad hour", () => {
  it("ends with nothing left, whatever call of a back end fails, and wherever its process dies", async () => {
    const anyFault = fc.record({ place: fc.nat({ max: 30 }), fate: fc.constantFrom<Fate>("break", "lose", "die") });
    await fc.assert(
      fc.asyncProperty(anyFault, async ({ place, fate }) => {
        let [isCounted, calls] = [false, 0];
        let onDeath = () => {};
        const died = new Promise<void>((resolve) => {
          onDeath = resolve;
        });
        const faults = { fate: () => (isCounted && calls++ === place ? fate : "pass"), onDeath };
        const filled = await openFilled(memoryStore(), faults);
        const id = await begin(filled);
        isCounted = true;
        for (let n = 0; n < 8; n++) {
          await filled.clock.advance(20 * minute);
          const stopped = filled.portal.start(() => {})(); // each start is a process; one that has died never stops
          await (calls <= place ? Promise.race([stopped, died]) : stopped);
        }
        expect(await taskOf(filled, id)).toMatchObject({ state: "done" });
        expect(await leftOf(filled, filled.shop)).toEqual([]);
        expect(await filled.store.records.count("project_purge")).toBe(0);
      }),
      { numRuns: 40 },
    );
  });
});
