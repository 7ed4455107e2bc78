import { describe, expect, it } from "vitest";
import { memoryCache } from "../../../../adapters/caches/memory.ts";
import { ask, openStory, world } from "../../support/ai-rig.ts";
import { answerCost } from "../../support/areas/ai/office.ts";
import { type Gateway, openGateway } from "../../support/gateway.ts";
import { noon, stores } from "../../support/rig.ts";

const secret = "what is our margin on bread?";

async function chat(gateway: Gateway, key: string, content = secret) {
  const headers = { "x-tg-key": key, "auth-token": undefined, region: undefined };
  const body = { model: "one/large", messages: [{ role: "user", content }], temperature: 0 };
  const answer = await gateway.ask({ method: "POST", path: "/v1/chat/completions", headers, body });
  expect(answer.status).toBe(200);
  return (answer.body as { extra_fields: { cache_debug: { cache_id: string } } }).extra_fields.cache_debug.cache_id;
}

async function openCached(open: (typeof stores)[number][1]) {
  const gateway = await openGateway(await open(), undefined, { ...world(), cache: { answers: memoryCache() } });
  return { gateway, ...(await openStory(gateway)) };
}

describe.each(stores)("the answer cache over HTTP: %s", (_name, open) => {
  it("shows its size, hits and savings, and its answers without their content", async () => {
    const { gateway, client: token, key } = await openCached(open);
    const scope = `key:${key.id}`;
    const cache_id = await chat(gateway, key.value);
    for (const content of [secret, secret, "another"]) await chat(gateway, key.value, content);
    const shown = await ask(gateway, "GET /ai/cache", { token });
    const savings = { requests: 4, hits: 2, hit_rate: 0.5, saved: 2 * answerCost, saved_prompt_tokens: 2_000 };
    expect(shown).toMatchObject({ is_enabled: true, shared_by: "key", is_semantic: false, answers: 2, ...savings });
    expect(shown.bytes).toBeGreaterThan(500);
    const scopes = await ask(gateway, "GET /ai/cache/scopes?search=website", { token });
    expect(scopes).toMatchObject([{ scope, id: key.id, name: "website", answers: 2, ...savings }]);
    const path = `/ai/cache/scopes/${scope}/answers`;
    const answers = await ask(gateway, `GET ${path}`, { token });
    expect(answers).toHaveLength(2);
    expect(answers.find((each: { cache_id: string }) => each.cache_id === cache_id)).toMatchObject({
      model: "one/large",
      stored_at: new Date(noon).toISOString(),
      expires_at: new Date(noon + 86_400_000).toISOString(),
      cost: answerCost,
    });
    expect(JSON.stringify([shown, scopes, answers])).not.toMatch(/margin|yes/);
    const first = await gateway.ask({ method: "GET", path: `${path}?limit=1`, headers: { "auth-token": token } });
    const next = await ask(gateway, `GET ${path}?limit=1&after=${first.headers["x-tg-next"]}`, { token });
    expect([...(first.body as object[]), ...next]).toEqual(answers);
  });

  it("removes one answer, or a scope, with an entry in the audit log; the next call asks the provider again", async () => {
    const { gateway, client: token, key } = await openCached(open);
    const path = `/ai/cache/scopes/key:${key.id}`;
    const id = (await chat(gateway, key.value)).split("/")[1];
    await chat(gateway, key.value, "another");
    await ask(gateway, `DELETE ${path}/answers/${id}`, { token, status: 204 });
    await ask(gateway, `DELETE ${path}/answers/${id}`, { token, status: 404 });
    expect(await ask(gateway, `DELETE ${path}`, { token })).toEqual({ deleted: 1 });
    await chat(gateway, key.value);
    expect(await ask(gateway, "GET /ai/cache", { token })).toMatchObject({ answers: 1, hits: 0, requests: 3 });
    const audit = await ask(gateway, "GET /audit?limit=10", {});
    const operations = audit.entries.map(({ operation }: { operation: string }) => operation);
    expect(operations).toEqual(expect.arrayContaining(["ai.forgetAnswer", "ai.forgetAnswers"]));
  });

  it("is each tenant's own: another tenant sees and removes nothing, the provider all", async () => {
    const { gateway, other, key } = await openCached(open);
    const path = `/ai/cache/scopes/key:${key.id}`;
    await chat(gateway, key.value);
    expect(await ask(gateway, "GET /ai/cache", { token: other })).toMatchObject({ answers: 0, requests: 0 });
    expect(await ask(gateway, "GET /ai/cache/scopes", { token: other })).toEqual([]);
    for (const refused of [`GET ${path}/answers`, `DELETE ${path}`, "DELETE /ai/cache/scopes/trusted"])
      await ask(gateway, refused, { token: other, status: 404 });
    expect(await ask(gateway, "GET /ai/cache")).toMatchObject({ answers: 1, requests: 1 });
    expect(await ask(gateway, `GET ${path}/answers`)).toHaveLength(1);
  });

  it("says so where the gateway has none", async () => {
    const gateway = await openGateway(await open(), undefined, world());
    const shown = await ask(gateway, "GET /ai/cache");
    expect(shown).toMatchObject({ is_enabled: false, requests: 0 });
    expect(shown).not.toHaveProperty("answers");
  });
});
