import { beforeEach, describe, expect, it } from "vitest";
import { local } from "../../../../adapters/providers/local/index.ts";
import type { Store } from "../../../../src/engine/ports/store.ts";
import { createEngine } from "../../../../src/index.ts";
import { operator } from "../../../../src/portal/call/operator.ts";
import { createPortal, type PortalCalls } from "../../../../src/portal/index.ts";
import { type Gateway, openGateway } from "../../support/gateway.ts";
import { makePlaces } from "../../support/places.ts";
import { stores } from "../../support/rig.ts";

const reseller = "acme";
const client = { reseller, client_id: "c-1" };
const messages = [{ role: "user", content: "hello" }] as const;

describe.each(stores)("tenants: %s", (_name, open) => {
  let store: Store;
  let gateway: Gateway;
  let admin: PortalCalls;

  beforeEach(async () => {
    store = await open();
    gateway = await openGateway(store);
    admin = gateway.portal.as(operator);
  });

  async function join(place: object) {
    const username = `user-${(await admin.users.list({})).length}`;
    const user = await admin.users.create({ username, roles: ["role_administrator"], ...place });
    const { value } = await admin.users.createToken({ user_id: user.id, name: "t", permissions: ["*"] });
    return { user, value, ask: () => gateway.ask({ method: "GET", path: "/users", headers: { "auth-token": value } }) };
  }

  it("one is made once, below its maker, and is named and found", async () => {
    const made = await admin.tenants.create({ reseller, name: "Acme", contact: "a@example.com" });
    expect(made).toMatchObject({
      level: "reseller",
      client_id: null,
      name: "Acme",
      is_usable: true,
      users: 0,
      keys: 0,
    });
    await expect(admin.tenants.create({ reseller })).rejects.toMatchObject({ code: "conflict", param: "reseller" });
    await expect(admin.tenants.create({ reseller: "x", client_id: "c" })).rejects.toMatchObject({ code: "not_found" });
    await expect(admin.tenants.create({ client_id: "c" })).rejects.toMatchObject({ param: "reseller" });
    const boss = gateway.portal.as({ ...operator, scope: { reseller } });
    const below = await boss.tenants.create({ client_id: "c-1", name: "Client" });
    expect(below).toMatchObject({ level: "client", ...client });
    await expect(boss.tenants.create({ reseller: "other" })).rejects.toMatchObject({ code: "not_found" });
    const inner = gateway.portal.as({ ...operator, scope: client });
    await expect(inner.tenants.create({ client_id: "c-2" })).rejects.toMatchObject({ code: "not_found" });
    expect((await inner.tenants.list({})).map(({ id }) => id)).toEqual([below.id]);
    const changed = await boss.tenants.change({ tenant_id: made.id, name: "Acme Ltd", contact: null });
    expect(changed).toMatchObject({ name: "Acme Ltd" });
    expect(changed).not.toHaveProperty("contact");
    const found = await gateway.ask({ method: "GET", path: "/tenants?search=acme%20l&limit=5" });
    expect(found.body).toMatchObject([{ id: made.id }]);
    expect(await admin.context.search({ q: "acme ltd" })).toMatchObject([{ area: "tenants", id: made.id }]);
  });

  it("lists come in pages", async () => {
    await makePlaces(gateway.portal, client, { reseller, client_id: "c-2" });
    const first = await gateway.ask({ method: "GET", path: "/tenants?limit=2" });
    expect(first.body).toHaveLength(2);
    const rest = await gateway.ask({ method: "GET", path: `/tenants?limit=2&after=${first.headers["x-tg-next"]}` });
    expect(rest.body).toHaveLength(1);
    expect(rest.headers).not.toHaveProperty("x-tg-next");
  });

  it("users name existing tenants only", async () => {
    const draft = { username: "ann", reseller };
    await expect(admin.users.create(draft)).rejects.toMatchObject({ code: "not_found", param: "reseller" });
    const { id } = await admin.tenants.create({ reseller });
    await expect(admin.users.create({ ...draft, client_id: "c-1" })).rejects.toMatchObject({ param: "client_id" });
    await admin.tenants.delete({ tenant_id: id });
    await expect(admin.users.create(draft)).rejects.toMatchObject({ message: expect.stringContaining("deleted") });
    await admin.tenants.restore({ tenant_id: id });
    expect(await admin.users.create(draft)).toMatchObject({ reseller });
  });

  it.each(["disable", "delete"] as const)(
    "after %s of the reseller, tokens, logins and keys of all below are refused",
    async (how) => {
      await makePlaces(gateway.portal, client);
      const ann = await join({ ...client, level: "client" });
      await admin.users.setPassword({ user_id: ann.user.id, password: "correct horse battery" });
      const key = await gateway.portal
        .as({ ...operator, scope: client })
        .ai.createKey({ name: "k", description: "", tier: "standard", user_bound: false });
      const engine = createEngine({ providers: [local()], store, clock: gateway.clock, requireKey: true });
      const chat = () => engine.chat({ model: "local/echo", messages: [...messages] }, { key: key.value });
      const login = () =>
        gateway.portal.sessions.login(
          { username: ann.user.username, password: "correct horse battery" },
          { eventId: "e" },
        );
      const { value: session } = await login();
      expect((await ann.ask()).status).toBe(200);
      await chat();
      const tenant_id = (await admin.tenants.list({})).find(({ level }) => level === "reseller")?.id ?? "";
      await admin.tenants[how]({ tenant_id });
      const said = { code: "token_not_found", message: expect.stringContaining("The tenant `acme`") };
      expect((await ann.ask()).body).toMatchObject({ error: said });
      await expect(login()).rejects.toMatchObject(said);
      await expect(gateway.portal.sessions.authenticate(session)).rejects.toMatchObject(said);
      gateway.clock.advance(20); // another process's change is seen after 10 ms
      await expect(chat()).rejects.toMatchObject({
        code: "virtual_key_blocked",
        message: expect.stringContaining("The tenant `acme`"),
      });
      const status = how === "delete" ? ("bin" as const) : ("active" as const);
      expect((await admin.tenants.list({ status })).map(({ is_usable }) => is_usable)).toContain(false);
      await admin.tenants[how === "delete" ? "restore" : "enable"]({ tenant_id });
      expect((await ann.ask()).status).toBe(200);
      await login();
      await chat();
    },
  );

  it("what lies in the bin and is empty is removed for good", async () => {
    await makePlaces(gateway.portal, client);
    const ann = await join({ ...client, level: "client" });
    const ids = Object.fromEntries((await admin.tenants.list({})).map(({ level, id }) => [level, id]));
    for (const tenant_id of [ids.client, ids.reseller].map(String)) await admin.tenants.delete({ tenant_id });
    expect(await admin.tenants.list({})).toEqual([]);
    await expect(admin.tenants.delete({ tenant_id: String(ids.client) })).rejects.toMatchObject({
      message: expect.stringContaining("1 user"),
    });
    await expect(admin.tenants.delete({ tenant_id: String(ids.reseller) })).rejects.toMatchObject({ code: "conflict" });
    await admin.users.delete({ user_id: ann.user.id });
    for (const tenant_id of [ids.client, ids.reseller].map(String)) await admin.tenants.delete({ tenant_id });
    expect(await admin.tenants.list({ status: "bin" })).toEqual([]);
  });

  it("nobody disables or deletes the tenant that it belongs to", async () => {
    await makePlaces(gateway.portal, client);
    const boss = gateway.portal.as({ ...operator, scope: { reseller } });
    const own = (await boss.tenants.list({})).find(({ level }) => level === "reseller")?.id ?? "";
    for (const how of ["disable", "delete"] as const)
      await expect(boss.tenants[how]({ tenant_id: own })).rejects.toMatchObject({ code: "conflict" });
  });

  it("tells what a tenant cost this month", async () => {
    await makePlaces(gateway.portal, client, { reseller, client_id: "c-2" });
    const calls = gateway.portal.as({ ...operator, scope: client });
    const key = await calls.ai.createKey({ name: "k", description: "", tier: "standard", user_bound: false });
    const attempt = {
      ...{ at: gateway.clock.now(), provider: "one", model: "one/m", status: 200, latency: 1 },
      reason: "ok" as const,
      ...{ prompt_tokens: 1, completion_tokens: 1, cached_read_tokens: 0, cached_write_tokens: 0, reasoning_tokens: 0 },
      ...{ cost: 5_000_000_000, items: [], is_estimated: false, is_unpriced: false },
    };
    await store.ledger.recover(gateway.clock.now());
    await store.ledger.append([
      {
        ...{ id: "evt_1", at: gateway.clock.now(), request_type: "chat_completion" as const, model_requested: "one/m" },
        ...{ key_id: key.id, status: 200, reason: "ok" as const, latency: 1, saved: 0 },
        ...{ saved_prompt_tokens: 0, saved_completion_tokens: 0, attempts: [attempt] },
      },
    ]);
    const costs = async () =>
      Object.fromEntries((await admin.tenants.list({})).map((one) => [one.client_id, [one.cost_this_month, one.keys]]));
    expect(await costs()).toEqual({ null: [5, 1], "c-1": [5, 1], "c-2": [0, 0] });
    await calls.ai.deleteKey({ key_id: key.id });
    expect(await costs()).toEqual({ null: [5, 0], "c-1": [5, 0], "c-2": [0, 0] });
  });

  it("a store of an older version gets the tenants that its records name", async () => {
    await makePlaces(gateway.portal, client);
    const ann = await join({ ...client, level: "client" });
    for (const { id } of await admin.tenants.list({})) await store.records.remove("tenant", id);
    const engine = createEngine({ providers: [local()], store, clock: gateway.clock });
    const portal = createPortal({ engine, store, clock: gateway.clock, secret: "a secret of the tests" });
    const found = await portal.as(operator).tenants.list({});
    expect(found.map(({ level, reseller, client_id, users }) => [level, reseller, client_id, users])).toEqual(
      expect.arrayContaining([
        ["reseller", "acme", null, 1],
        ["client", "acme", "c-1", 1],
      ]),
    );
    expect(found).toHaveLength(2);
    expect((await ann.ask()).status).toBe(200);
  });
});
