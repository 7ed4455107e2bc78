import { beforeAll, describe, expect, it } from "vitest";
import { portalRows } from "../../../src/operations/portal/table.ts";
import { operator } from "../../../src/portal/call/operator.ts";
import { bodies, refused } from "../support/demo-bodies.ts";
import { type DemoWorld, openDemo, region, rows, rowsOfBakery } from "../support/demo-world.ts";

let world: DemoWorld;

beforeAll(async () => {
  world = await openDemo();
}, 240_000);

/** Another client of the same reseller, and a client of the same name elsewhere; both with every permission. */
const strangers = {
  "another client": { reseller: "northwind", client_id: "vets" },
  "a client of that name of another reseller": { reseller: "elsewhere", client_id: "bakery" },
};

describe.each(Object.entries(strangers))("to %s, what the demo's bakery has is not there", (_name, place) => {
  it.each(rowsOfBakery.map((row) => [row.id, row] as const))("%s", async (id, { operation: { method, path } }) => {
    const caller = { ...operator, user: { id: "usr_stranger", username: "stranger" }, scope: place };
    const input = world.bodyOf(id);
    const asked = world.gateway.portal.call({ method, path: world.pathOf(id, path), input, caller, region });
    await expect(asked).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("with the demo every operation answers as the state demands, and none is missing", () => {
  it.each(rows.map((row) => [row.id, row] as const))("%s", async (id, { operation }) => {
    const path = world.pathOf(id, operation.path);
    const body = id in bodies ? { body: world.bodyOf(id) } : {};
    const answer = await world.gateway.ask({ method: operation.method, path, ...body });
    const error = (answer.body as { error?: { code: string; message: string } } | undefined)?.error;
    const said = error === undefined ? "ok" : `${answer.status} ${error.code}: ${error.message}`;
    if (id in refused) expect(said).toContain(refused[id]);
    else expect(said, JSON.stringify(answer.body)).toBe("ok");
    if (id === "backups.restoreImage") expect(answer.headers["x-tg-job"]).toMatch(/^rst_/);
    if (error === undefined) expect(answer.status).toBe(operation.output || operation.stream ? 200 : 204);
  });

  it("and there are 132 of the specification beside our own", () => {
    expect(portalRows.filter(({ operation }) => !operation.isExtension)).toHaveLength(132);
  });
});
