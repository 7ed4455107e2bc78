import { describe, expect, it } from "vitest";
import { Budget } from "../../../../src/engine/api/governance.ts";
import { isGatewayError } from "../../../../src/engine/errors.ts";
import { client, openOffice } from "../../support/areas/ai/office.ts";
import { stores } from "../../support/rig.ts";

const admin = {};
const draft = { name: "crawler", description: "d", tier: "basic", user_bound: false };

async function refusalOf(asked: Promise<unknown>) {
  const thrown = await asked.catch((reason: unknown) => reason);
  return isGatewayError(thrown) ? [thrown.code, thrown.param] : ["ok", thrown];
}

describe.each(stores)("limits that are reset: %s", (_name, open) => {
  it("count from then on; the reason is with them and in the audit log", async () => {
    const office = await openOffice(await open());
    const { id, value } = await office
      .at(client)
      .createKey({ ...draft, budgets: [Budget.parse({ max_limit: 0.003, reset_duration: "1M" })] });
    expect([await office.chat(value), await office.chat(value), await office.chat(value)]).toContain("budget_exceeded");
    await office.at(admin).resetLimits({ key_id: id, reason: "a test run of ours", window: "1M" });
    expect(await office.chat(value)).toBe("ok");
    const [budget] = (await office.engine.keys.get(id)).budgets;
    expect(budget).toMatchObject({ reset_reason: "a test run of ours" });
    const { records } = await office.store.records.list("audit", { where: { operation: "ai.resetLimits" }, limit: 9 });
    expect(records.map(({ record }) => record)).toMatchObject([
      { reason: "a test run of ours", target_id: id, outcome: "ok", changed: expect.arrayContaining(["budgets"]) },
    ]);
  });

  it("need a reason and a limit, and are not reset by who may not loosen them", async () => {
    const office = await openOffice(await open());
    const { id } = await office.at(client).createKey(draft);
    const reset = (at: object, input: object) =>
      refusalOf(office.at(at).resetLimits({ key_id: id, ...input } as never));
    expect(await reset(admin, { reason: "  " })).toEqual(["invalid_request", "reason"]);
    expect(await reset(admin, { reason: "x", window: "1Y" })).toEqual(["invalid_request", "window"]);
    expect(await reset(client, { reason: "I want more" })).toEqual(["invalid_request", "budgets"]);
    expect(await reset({ reseller: "other" }, { reason: "x" })).toEqual(["not_found", "key_id"]);
    expect((await office.engine.keys.get(id)).budgets[0]).not.toHaveProperty("reset_at");
  });

  it("by the engine are in the audit log in the same transaction, too", async () => {
    const office = await openOffice(await open());
    const { id } = await office.at(client).createKey(draft);
    const shown = await office.engine.keys.resetLimits(id, { reason: "paid again" });
    expect(shown.budgets[0]).toMatchObject({ reset_reason: "paid again" });
    expect(shown).not.toHaveProperty("hash");
    const { records } = await office.store.records.list("audit", { where: { operation: "ai.resetLimits" }, limit: 9 });
    expect(records.map(({ record }) => record)).toMatchObject([
      { reason: "paid again", target: { key_id: id }, user_id: null, client_id: client.client_id },
    ]);
    await expect(office.engine.keys.resetLimits(id, { reason: "" })).rejects.toMatchObject({ param: "reason" });
  });
});

describe.each(stores)("usage by key and project: %s", (_name, open) => {
  it("has the names beside the ids, of deleted keys too", async () => {
    const office = await openOffice(await open());
    const stays = await office.at(client).createKey({ ...draft, name: "stays" });
    const goes = await office.at(client).createKey({ ...draft, name: "goes" });
    for (const { value } of [stays, goes]) expect(await office.chat(value)).toBe("ok");
    await office.at(client).deleteKey({ key_id: goes.id });
    const from = new Date(office.clock.now() - 86_400_000).toISOString();
    const to = new Date(office.clock.now() + 1).toISOString();
    const rows = await office.at(client).usage({ from, to, group_by: ["key_id"] });
    expect(new Map(rows.map(({ group, names }) => [group.key_id, names?.key_id]))).toEqual(
      new Map([
        [stays.id, "stays"],
        [goes.id, "goes"],
      ]),
    );
    const [whole] = await office.at(client).usage({ from, to });
    expect(whole).not.toHaveProperty("names");
  });
});
