import { randomBytes } from "node:crypto";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Store } from "../../../../src/engine/ports/store.ts";
import { createEngine, createListener } from "../../../../src/index.ts";
import { createPortal } from "../../../../src/portal/index.ts";
import { fakeClock } from "../../../../src/testing/clock.ts";
import { answerCost, officePrices, providerOf } from "../../../portal/support/areas/ai/office.ts";
import { noon, stores } from "../../../portal/support/rig.ts";
import { serve } from "../../support/server.ts";

const uplift = { acme: [{ percent: 10 }] };
const tiers = { standard: { llms: ["one/*", "two/large"], key_price: 5 } };
const password = "correct horse battery";

/** A gateway with its portal on a port of its own, and the token of its first start, as `serve` prints it. */
async function openGateway(store: Store) {
  const clock = fakeClock({ startAt: noon });
  const providers = [providerOf("one"), providerOf("two")];
  const engine = createEngine({ providers, store, clock, prices: officePrices() });
  const portal = createPortal({ engine, store, regions: { "eu-1": {} }, clock, entropy: randomBytes, tiers, uplift });
  const first = await portal.startFirst();
  const server = await serve(createListener({ engine, portal }));
  onTestFinished(async () => {
    await server[Symbol.asyncDispose]();
    await engine.close();
  });
  return { url: server.url, token: first?.token ?? "", clock };
}

type Headers = Readonly<Record<string, string>>;

/** A client that knows nothing but HTTP: method, path, headers and JSON. */
function clientOf(url: string) {
  return async (asked: string, headers: Headers, { body, status = 200 }: { body?: object; status?: number } = {}) => {
    const [method = "", path = ""] = asked.split(" ");
    const json = body === undefined ? {} : { "content-type": "application/json" };
    const answer = await fetch(url + path, {
      method,
      headers: { region: "eu-1", ...json, ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    expect(answer.status, `${asked}: ${text}`).toBe(status);
    // biome-ignore lint/suspicious/noExplicitAny: what comes over HTTP is read as it is
    const read: any = text === "" ? undefined : JSON.parse(text);
    return { body: read, headers: answer.headers };
  };
}

const as = (token: string): Headers => ({ "auth-token": token });
const sumOf = (items: readonly { readonly [name: string]: number }[], field: string) =>
  items.reduce((sum, item) => sum + (item[field] ?? 0), 0);

describe.each(stores)("from the provider to the audit log, over HTTP alone: %s", (_name, open) => {
  it("a reseller, a client, a user with a password, a token, a project and a key; calls, their bills, the limit, its notice", async () => {
    const gateway = await openGateway(await open());
    const send = clientOf(gateway.url);
    const get = async (path: string, headers: Headers) => (await send(`GET ${path}`, headers)).body;
    const post = async (path: string, headers: Headers, body: object) =>
      (await send(`POST ${path}`, headers, { body })).body;
    const roles = ["role_administrator"];

    // The provider makes the reseller and its administrator, who makes the client and its, who makes a user with a password.
    const provider = as(gateway.token);
    expect(await get("/context", provider)).toMatchObject({ user: { username: "admin" } });
    const newUser = async (by: Headers, person: object) => post("/users", by, { ...person, roles });
    const newToken = async (by: Headers, { id }: { id: string }, name: string) =>
      as((await post(`/users/${id}/tokens`, by, { name, permissions: ["*"] })).value);
    await post("/tenants", provider, { reseller: "acme", name: "Acme" });
    const rita = await newUser(provider, { username: "rita", level: "reseller", reseller: "acme" });
    const reseller = await newToken(provider, rita, "of rita");
    await post("/tenants", reseller, { client_id: "shop", name: "The shop" });
    const carl = await newUser(reseller, { username: "carl", level: "client", client_id: "shop" });
    const client = await newToken(reseller, carl, "of carl");
    const uma = await newUser(client, { username: "uma", level: "user" });
    expect([carl, uma]).toMatchObject([
      { reseller: "acme", client_id: "shop" },
      { reseller: "acme", client_id: "shop" },
    ]);
    await send(`PUT /users/${uma.id}/password`, client, { body: { password }, status: 204 });

    // The user logs in, and makes a token in the session.
    const { host } = new URL(gateway.url);
    const page = { "x-tg-console": "1", "sec-fetch-site": "same-origin", origin: `http://${host}` };
    await send("POST /session", page, { body: { username: "uma", password: "wrong horse battery" }, status: 401 });
    const login = await send("POST /session", page, { body: { username: "uma", password } });
    expect(login.body.user).toMatchObject({ id: uma.id, username: "uma" });
    const cookie = login.headers.get("set-cookie")?.split(";")[0] ?? "";
    const session = { ...page, cookie, "x-csrf": login.body.csrf };
    const own = await newToken(session, uma, "laptop");
    await send("POST /users", own, { body: { username: "ulf", level: "client" }, status: 404 });

    // The client's project has the user in it; the user makes a key with models and a budget of five answers.
    const [project] = await post("/ai/projects", client, { name: "website", description: "", tier: "standard" });
    await send(`POST /ai/project/${project.id}/users`, client, { body: { users_ids: [uma.id] }, status: 204 });
    const budgets = [{ max_limit: 5 * answerCost, reset_duration: "1d" }];
    const draft = { name: "chat", description: "", tier: "standard", user_bound: true, project_id: project.id };
    const key = await post("/ai/keys", own, { ...draft, budgets, llms: ["one/*"] });
    const again = await send("POST /ai/keys", own, { body: { ...draft, budgets }, status: 409 });
    expect(again.body.error).toMatchObject({ type: "conflict", param: "name" });

    // What a call would do, and calls until the budget is used up.
    const plan = await post("/ai/plan", own, { model: "one/large", key_id: key.id });
    expect(plan.targets).toMatchObject([{ target: "one/large", provider: "one", model: "large" }]);
    const blocked = await post("/ai/plan", own, { model: "two/large", key_id: key.id });
    expect(blocked.targets).toEqual([]);
    const events: string[] = [];
    const call = async (status: number, model = "one/large") => {
      const messages = [{ role: "user", content: "hello" }];
      const answer = await send(
        "POST /v1/chat/completions",
        { "x-tg-key": key.value },
        { body: { model, messages, max_tokens: 500 }, status },
      );
      events.push(answer.headers.get("x-tg-event-id") ?? "");
      return answer.body;
    };
    const spent = async () => {
      const [limit] = await get(`/ai/limits?key_id=${key.id}`, own);
      const period = `from=2026-11-20T00:00:00Z&to=2026-11-21T00:00:00Z`;
      const [usage] = await get(`/ai/usage?${period}&group_by=key_id`, own);
      const listed = await get("/ai/requests", own);
      const { price, usage: byModel } = await get(`/ai/keys/${key.id}/cost`, own);
      return { used: limit.used, usage, listed, price, byModel };
    };
    for (let calls = 1; calls <= 5; calls++) {
      await call(200);
      const { used, usage, listed, price, byModel } = await spent();
      const cost = calls * answerCost;
      expect(used).toBeCloseTo(cost, 9);
      expect(usage).toMatchObject({ requests: calls, prompt_tokens: calls * 1_000, completion_tokens: calls * 500 });
      expect(usage.cost).toBeCloseTo(cost, 9);
      expect([listed.length, sumOf(listed, "cost")]).toEqual([calls, expect.closeTo(cost, 9)]);
      expect([price, sumOf(Object.values(byModel), "cost")]).toEqual([
        expect.closeTo(cost * 1.1, 9),
        expect.closeTo(cost, 9),
      ]);
    }

    // The page of a request: its bill adds up to what the budget was charged.
    const bill = await get(`/ai/requests/${events[0]}`, own);
    expect(bill).toMatchObject({
      event_id: events[0],
      key: { id: key.id, name: "chat" },
      project: { id: project.id, name: "website" },
    });
    expect(bill).toMatchObject({ status: 200, reason: "ok", provider: "one", cost: answerCost, attempt_count: 1 });
    const items = bill.attempts.flatMap((attempt: { items: object[] }) => attempt.items);
    expect(items.map(({ quantity, rate }: { quantity: number; rate: number }) => quantity * rate)).toEqual([
      expect.closeTo(0.001, 12),
      expect.closeTo(0.001, 12),
    ]);
    expect(sumOf(items, "amount")).toBeCloseTo(bill.cost, 12);

    // The limit is reached: the refusal says so, nothing more is charged, and the list of keys shows it.
    const refused = await call(402);
    expect(refused.error).toMatchObject({ type: "budget_exceeded" });
    const after = await spent();
    expect(after.used).toBeCloseTo(5 * answerCost, 9);
    expect(after.usage).toMatchObject({ requests: 6, failures: 1 });
    expect(after.usage.cost).toBeCloseTo(5 * answerCost, 9);
    expect(await get(`/ai/requests/${events[5]}`, own)).toMatchObject({ status: 402, cost: 0, attempts: [] });
    expect(await get("/ai/keys", own)).toMatchObject([{ id: key.id, is_limited: true, is_active: true }]);

    // Whom it concerns is told, and reads it; another tenant sees nothing of it.
    await gateway.clock.advance(1_000);
    const unread = () => get("/notification?unread=true", own);
    await expect.poll(async () => (await unread()).map(({ type }: { type: string }) => type)).toContain("budget_100");
    const notice = (await unread()).find(({ type }: { type: string }) => type === "budget_100");
    expect(notice.notification).toContain("100 %");
    await send("PATCH /notification", own, { body: { id: notice.id }, status: 204 });
    expect((await unread()).map(({ id }: { id: string }) => id)).not.toContain(notice.id);
    await post("/tenants", reseller, { client_id: "other" });
    const eve = await newUser(reseller, { username: "eve", level: "client", client_id: "other" });
    const stranger = await newToken(reseller, eve, "of eve");
    expect([
      await get("/ai/requests", stranger),
      await get("/ai/keys", stranger),
      await get("/notification", stranger),
    ]).toEqual([[], [], []]);
    await send(`GET /ai/requests/${events[0]}`, stranger, { status: 404 });

    // The audit log has every step, by whom and upon what; the levels above see the same sums.
    const { entries } = await get("/audit?limit=1000", provider);
    const steps = entries.map((entry: { actor: { username: string }; operation: string; outcome: string }) => [
      ...[entry.actor.username, entry.operation, entry.outcome],
    ]);
    for (const step of [
      ["admin", "users.create", "ok"],
      ["rita", "users.create", "ok"],
      ["carl", "users.create", "ok"],
      ["carl", "users.setPassword", "ok"],
      ["uma", "users.createToken", "ok"],
      ["carl", "ai.createProject", "ok"],
      ["carl", "ai.addUsers", "ok"],
      ["uma", "ai.createKey", "ok"],
      ["uma", "ai.createKey", "conflict"],
      ["uma", "notifications.markRead", "ok"],
    ])
      expect(steps).toContainEqual(step);
    const made = entries.find(
      (entry: { operation: string; outcome: string }) => entry.operation === "ai.createKey" && entry.outcome === "ok",
    );
    expect(made).toMatchObject({ target_id: key.id, user_id: uma.id });
    expect(JSON.stringify(entries)).not.toMatch(new RegExp(`${key.value}|${password}|${own["auth-token"]}`));
    for (const above of [client, reseller, provider])
      expect(await get(`/ai/project/${project.id}/cost`, above)).toMatchObject({
        price: expect.closeTo(5 * answerCost * 1.1, 9),
        tokens: 5 * 1_500,
      });
  });
});
