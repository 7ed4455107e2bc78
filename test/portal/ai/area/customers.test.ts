import { describe, expect, it } from "vitest";
import { ask, chat, openStory, world } from "../../support/ai-rig.ts";
import { answerCost } from "../../support/areas/ai/office.ts";
import { openGateway } from "../../support/gateway.ts";
import { stores } from "../../support/rig.ts";

const budgets = [{ max_limit: 0.001, reset_duration: "1M" }];

describe.each(stores)("customers over HTTP: %s", (_name, open) => {
  it("one is renamed by its tenant, and bounded by a level above only; its bound refuses the next call", async () => {
    const gateway = await openGateway(await open(), undefined, world());
    const { client, other, key } = await openStory(gateway);
    const [customer] = await ask(gateway, "GET /ai/customer", { token: client });
    const path = `/ai/customer/${customer.id}`;
    await ask(gateway, `PATCH ${path}`, { token: client, body: { name: "Bakery" }, status: 204 });
    expect(await ask(gateway, "GET /ai/customer", { token: client })).toMatchObject([{ name: "Bakery" }]);
    for (const body of [{ budgets: [] }, { rate_limits: [] }, { llms: null }, { active: true }])
      expect(await ask(gateway, `PATCH ${path}`, { token: client, body, status: 403 })).toMatchObject({
        error: { type: "permission_denied", param: Object.keys(body)[0] },
      });
    await ask(gateway, `PATCH ${path}`, { token: other, body: { name: "x" }, status: 404 });
    await chat(gateway, key.value);
    await ask(gateway, `PATCH ${path}`, { body: { budgets }, status: 204 });
    await chat(gateway, key.value, { status: 200 }); // counts from the change on
    await chat(gateway, key.value, { status: 402 });
  });

  it("its cost is that of its keys", async () => {
    const gateway = await openGateway(await open(), undefined, world());
    const { client, other, key } = await openStory(gateway);
    await chat(gateway, key.value);
    await chat(gateway, key.value);
    const [customer] = await ask(gateway, "GET /ai/customer", { token: client });
    const path = `GET /ai/customer/${customer.id}/cost`;
    expect(await ask(gateway, path, { token: client })).toMatchObject({ price: 2 * answerCost, tokens: 3_000 });
    await ask(gateway, path, { token: other, status: 404 });
  });
});
