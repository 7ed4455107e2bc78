import { describe, expect, it } from "vitest";
import { ask, chat, openStory, world } from "../../../support/ai-rig.ts";
import { answerCost } from "../../../support/areas/ai/office.ts";
import { openGateway } from "../../../support/gateway.ts";
import { stores } from "../../../support/rig.ts";

describe.each(stores)("keys, search and notifications over HTTP: %s", (_name, open) => {
  it("a search finds what the caller may list, and nothing of another tenant", async () => {
    const gateway = await openGateway(await open(), undefined, world());
    const { client, other, project, key } = await openStory(gateway);
    const find = (q: string, token = client) => ask(gateway, `GET /search?q=${q}`, { token });
    expect(await find("WEBSITE")).toEqual([
      {
        area: "ai-keys",
        id: key.id,
        name: "website",
        hint: `…${key.value.slice(-4)}`,
        path: `/ai/keys/${key.id}`,
      },
    ]);
    expect(await find(project.id)).toMatchObject([{ area: "ai-projects", name: "shop" }]);
    const users = (await find("ada")).filter(({ area }: { area: string }) => area === "users"); // an id may hold these letters, too
    expect(users).toMatchObject([{ name: "ada" }]);
    expect(await find("website", other)).toEqual([]);
    const [me] = await ask(gateway, "GET /users", { token: client });
    const body = { name: "few", permissions: ["search-get", "users-get"] };
    const few = await ask(gateway, `POST /users/${me.id}/tokens`, { token: client, body });
    expect(await find("website", few.value)).toEqual([]);
    await ask(gateway, "GET /search?q=", { token: client, status: 400 });
  });

  it("a used-up budget is told of, and each user reads that for itself", async () => {
    const gateway = await openGateway(await open(), undefined, world());
    const { client, key } = await openStory(gateway);
    const budgets = [{ max_limit: answerCost, reset_duration: "1M" }];
    await ask(gateway, `PATCH /ai/keys/${key.id}`, { token: client, body: { budgets } });
    await chat(gateway, key.value);
    await gateway.clock.advance(1_000);
    await new Promise((resolve) => setImmediate(resolve)); // what the timer began ends with the store's own turns
    const unread = (token?: string) => ask(gateway, "GET /notification?unread=true", { ...(token && { token }) });
    const told = await unread(client);
    expect(told.map(({ severity, read }: { severity: string; read: string }) => [severity, read])).toContainEqual([
      "error",
      "",
    ]);
    await ask(gateway, "POST /notification/read_all", { token: client, status: 204 });
    expect(await unread(client)).toEqual([]);
    expect(await unread()).toHaveLength(told.length);
  });

  it("a key is made with its budgets, models and dates at once, as a change of it would leave them", async () => {
    const gateway = await openGateway(await open(), undefined, world());
    const { client, key } = await openStory(gateway);
    const own = {
      budgets: [{ max_limit: 5, reset_duration: "1M" }],
      llms: ["one/*"],
      expires_at: "2027-01-01T00:00:00.000Z",
    };
    const draft = { name: "limited", description: "", tier: "standard", user_bound: false };
    const made = await ask(gateway, "POST /ai/keys", { token: client, body: { ...draft, ...own } });
    const changed = await ask(gateway, `PATCH /ai/keys/${key.id}`, { token: client, body: own });
    const settingsOf = ({ budgets, rate_limits, provider_configs }: Record<string, unknown>) => [
      budgets,
      rate_limits,
      provider_configs,
    ];
    expect(settingsOf(made)).toEqual(settingsOf(changed));
    await chat(gateway, made.value);
    await chat(gateway, made.value, { model: "two/large", status: 403 });
    const past = { ...draft, expires_at: "2020-01-01T00:00:00Z" };
    await ask(gateway, "POST /ai/keys", { token: client, body: past, status: 400 });
    const begun = { starts_at: "2020-01-01T00:00:00Z" };
    await ask(gateway, "POST /ai/keys", { token: client, body: { ...draft, ...begun }, status: 400 });
    await ask(gateway, `PATCH /ai/keys/${key.id}`, { token: client, body: begun, status: 400 });
  });

  it("the tiers are those that the caller's tenant may use", async () => {
    const gateway = await openGateway(await open(), undefined, world());
    const { client } = await openStory(gateway);
    const tiers = await ask(gateway, "GET /ai/tiers", { token: client });
    expect(tiers).toMatchObject([{ name: "standard", llms: ["*"], budgets: [], rate_limits: [] }]);
  });
});
