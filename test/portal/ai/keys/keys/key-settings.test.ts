import { describe, expect, it } from "vitest";
import { ProviderConfig } from "../../../../../src/engine/api/governance.ts";
import { ask, chat, openStory, world } from "../../../support/ai-rig.ts";
import { client, openOffice } from "../../../support/areas/ai/office.ts";
import { openGateway } from "../../../support/gateway.ts";
import { noon, stores } from "../../../support/rig.ts";

const hour = 3_600_000;
const at = (offset: number) => new Date(noon + offset).toISOString();
const read = ProviderConfig.parse;
const entry = { provider: "one", allowed_models: ["large"], weight: 3 };

describe.each(stores)("settings of a key over HTTP: %s", (_name, open) => {
  it("a key is created with entries, deadlines, tags, dates and limits, and each is removed by null", async () => {
    const gateway = await openGateway(await open(), undefined, world());
    const { client: token } = await openStory(gateway);
    const given = {
      provider_configs: [entry],
      timeouts: { whole: 5_000 },
      metadata: { team: "search" },
      starts_at: at(hour),
      expires_at: at(2 * hour),
      budgets: [{ max_limit: 1, reset_duration: "1d" }],
    };
    const body = { name: "k", description: "d", tier: "standard", user_bound: false, ...given };
    const created = await ask(gateway, "POST /ai/keys", { token, body });
    expect(created).toMatchObject(given);
    const path = `/ai/keys/${created.id}`;
    const shown = await ask(gateway, `GET ${path}`, { token });
    expect(shown).toMatchObject(given);
    const listed = await ask(gateway, "GET /ai/keys?search=k&sort=-created_at", { token });
    expect(listed.find(({ id }: { id: string }) => id === created.id)).toMatchObject({
      ...given,
      last4: created.value.slice(-4),
      created_at: at(0),
    });
    await chat(gateway, created.value, { status: 403 }); // not valid yet
    const removals = { description: null, timeouts: null, metadata: null, starts_at: null, expires_at: null };
    const bare = await ask(gateway, `PATCH ${path}`, { token, body: { ...removals, budgets: [] } });
    expect(bare).toMatchObject({ budgets: [], provider_configs: [entry] });
    for (const view of [bare, await ask(gateway, `GET ${path}`, { token })])
      for (const field of Object.keys(removals)) expect(view).not.toHaveProperty(field);
    await chat(gateway, created.value);
    await chat(gateway, created.value, { model: "two/large", status: 403 }); // no entry allows it
  });

  it("an export has no values, and another key can be created from each row of it", async () => {
    const gateway = await openGateway(await open(), undefined, world());
    const { client: token } = await openStory(gateway);
    const given = {
      provider_configs: [entry],
      timeouts: { whole: 5_000 },
      budgets: [{ max_limit: 1, reset_duration: "1d" }],
    };
    const draft = {
      name: "k",
      description: "d",
      tier: "standard",
      user_bound: false,
      metadata: { team: "a" },
      ...given,
    };
    const { value } = await ask(gateway, "POST /ai/keys", { token, body: draft });
    const exported = await ask(gateway, "GET /ai/keys/export?sort=name&search=k", { token });
    expect(JSON.stringify(exported)).not.toContain(value);
    const row = exported.find(({ name }: { name: string }) => name === "k");
    expect(row).toMatchObject({ ...draft, active: true, last4: value.slice(-4) });
    const { id: _id, active: _active, last4: _last4, created_at: _at, ...settings } = row;
    const copy = await ask(gateway, "POST /ai/keys", { token, body: { ...settings, name: "copy" } });
    expect(copy).toMatchObject(given);
    await ask(gateway, "GET /ai/keys/export?ai_project_id=none", { token, status: 404 });
  });

  it("tags of the portal, two ways to name models, and dates that leave no time are refused", async () => {
    const gateway = await openGateway(await open(), undefined, world());
    const { client: token, key } = await openStory(gateway);
    const refused: readonly (readonly [object, string])[] = [
      [{ metadata: { reseller: "other" } }, "metadata.reseller"],
      [{ metadata: { llms_by: "client" } }, "metadata.llms_by"],
      [{ llms: ["*"], provider_configs: [entry] }, "provider_configs"],
      [{ starts_at: at(2 * hour), expires_at: at(hour) }, "expires_at"],
    ];
    for (const [body, param] of refused) {
      const answer = { token, status: 400 };
      const expected = { error: { type: "invalid_request", param } };
      const draft = { name: "n", description: "", tier: "standard", user_bound: false };
      expect(await ask(gateway, "POST /ai/keys", { ...answer, body: { ...draft, ...body } })).toMatchObject(expected);
      expect(await ask(gateway, `PATCH /ai/keys/${key.id}`, { ...answer, body })).toMatchObject(expected);
    }
    await ask(gateway, `PATCH /ai/keys/${key.id}`, { token, body: { metadata: { a: "1" } } });
    expect(await ask(gateway, `PATCH /ai/keys/${key.id}`, { token, body: { metadata: { b: "2" } } })).toMatchObject({
      metadata: { b: "2" },
    });
    expect(await ask(gateway, "GET /ai/keys", { token })).toHaveLength(1); // it is still its tenant's
  });

  it("a list says when each key was last used, by one question to the ledger", async () => {
    const store = await open();
    const questions: number[] = [];
    const lastUsed = (ids: readonly string[]) => {
      questions.push(ids.length);
      return store.ledger.lastUsed(ids);
    };
    const gateway = await openGateway({ ...store, ledger: { ...store.ledger, lastUsed } }, undefined, world());
    const { client: token, project, key } = await openStory(gateway);
    const unused = await ask(gateway, "POST /ai/keys", {
      token,
      body: { name: "unused", description: "", tier: "standard", user_bound: false, project_id: project.id },
    });
    await chat(gateway, key.value);
    await gateway.clock.advance(hour);
    await chat(gateway, key.value, { model: "no/such", status: 404 });
    questions.length = 0;
    const listed = await ask(gateway, "GET /ai/keys", { token });
    expect(questions).toEqual([2]);
    const usedOf = (id: string) => listed.find((one: { id: string }) => one.id === id)?.last_used_at;
    expect([usedOf(key.id), usedOf(unused.id)]).toEqual([at(hour), undefined]);
    expect((await ask(gateway, `GET /ai/keys/${key.id}`, { token })).last_used_at).toBe(at(hour));
  });
});

describe.each(stores)("entries of a tenant's key: %s", (_name, open) => {
  it("stay within the tier and what a level above set", async () => {
    const office = await openOffice(await open());
    const ai = office.at(client);
    const draft = { name: "k", description: "", tier: "basic", user_bound: false };
    const beyond = { provider_configs: [read({ provider: "two", allowed_models: ["large"] })] };
    const param = "provider_configs.0.allowed_models.0";
    await expect(ai.createKey({ ...draft, ...beyond })).rejects.toMatchObject({ code: "invalid_request", param });
    const { id, value } = await ai.createKey({ ...draft, provider_configs: [read(entry)] });
    await expect(ai.changeKey({ key_id: id, ...beyond })).rejects.toMatchObject({ code: "invalid_request", param });
    expect([await office.chat(value, "one/large"), await office.chat(value, "one/small")]).toEqual([
      "ok",
      "model_blocked",
    ]);
    const budgets = [{ max_limit: 0.001, reset_duration: "1d" as const }];
    await office.at({ reseller: "acme" }).changeKey({ key_id: id, provider_configs: [read({ ...entry, budgets })] });
    const own = await ai.changeKey({ key_id: id, provider_configs: [read(entry)] });
    expect(own.provider_configs).toMatchObject([{ budgets }]); // the reseller's limit of the entry stays
    await expect(
      ai.changeKey({ key_id: id, provider_configs: [read({ provider: "one", allowed_models: ["*"] })] }),
    ).rejects.toMatchObject({ param });
  });
});
