import { describe, expect, it } from "vitest";
import { codeOf, stepAt } from "../../../../src/portal/passwords/totp-code.ts";
import { type Answer, type Asked, type Gateway, openGateway } from "../../support/gateway.ts";
import { noon, stores } from "../../support/rig.ts";

const hour = 3_600_000;
const password = "correct horse battery";
const page = { "auth-token": undefined, host: "localhost", "x-tg-console": "1", "sec-fetch-site": "same-origin" };
const errorOf = ({ status, body }: Answer) => {
  const { type, param } = (body as { error?: { type: string; param: string | null } } | undefined)?.error ?? {};
  return [status, type, param];
};
const timeout = 60_000;

async function openWithAnn(open: (typeof stores)[number][1]) {
  const store = await open();
  const gateway = await openGateway(store);
  const ask = (route: string, body?: unknown, headers: Asked["headers"] = {}) => {
    const [method = "", path = ""] = route.split(" ");
    return gateway.ask({ method, path, body, headers });
  };
  const role = (
    await ask("POST /roles", {
      name: "own",
      permissions: ["me-get", "me_totp-post", "me_totp_confirm-post", "me_totp-delete"],
    })
  ).body as { id: string };
  const { id } = (await ask("POST /users", { username: "ann", roles: [role.id] })).body as { id: string };
  const logIn = (fields: object = {}, name = "ann") =>
    ask("POST /session", { username: name, password, ...fields }, page);
  const redeem = (fields: object) => ask("POST /password/redeem", fields, { "auth-token": undefined });
  return { store, gateway, ask, id, logIn, redeem };
}

describe.each(stores)("links that set a password, over HTTP: %s", (_name, open) => {
  it("an invitation sets the first password, once, and is shown once", { timeout }, async () => {
    const { ask, id, store, logIn, redeem } = await openWithAnn(open);
    const made = await ask(`POST /users/${id}/invite`);
    const { secret, link, ends_at } = made.body as { secret: string; link: string; ends_at: string };
    expect(link).toBe(`console/#password=${secret}`);
    expect(ends_at).toBe(new Date(noon + 72 * hour).toISOString());
    const [stored] = (await store.records.list("password_link", { limit: 10 })).records;
    expect(JSON.stringify(stored)).not.toContain(secret);
    expect(errorOf(await redeem({ secret, password: "short" }))).toEqual([400, "invalid_request", "password"]);
    expect((await redeem({ secret, password })).status).toBe(204);
    expect((await logIn()).status).toBe(200);
    expect(errorOf(await redeem({ secret, password: "another horse battery" }))).toEqual([404, "not_found", "secret"]);
    expect(errorOf(await ask(`POST /users/${id}/invite`)).slice(0, 2)).toEqual([409, "conflict"]);
    const { entries } = (await ask("GET /audit?operation=sessions.redeem")).body as { entries: object[] };
    expect(entries).toMatchObject([{ target_id: id, outcome: "ok", actor: { username: "ann" } }]);
    expect(JSON.stringify((await ask("GET /audit")).body)).not.toContain(secret);
  });

  it("of two that redeem one link at once, one wins", { timeout }, async () => {
    const { ask, id, redeem } = await openWithAnn(open);
    const { secret } = (await ask(`POST /users/${id}/invite`)).body as { secret: string };
    const both = await Promise.all([
      redeem({ secret, password }),
      redeem({ secret, password: "another horse battery" }),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual([204, 404]);
  });

  it("a reset link ends with its hour, with the next link, with the user, and ends the sessions", {
    timeout,
  }, async () => {
    const { ask, id, gateway, logIn, redeem } = await openWithAnn(open);
    const make = async () => ((await ask(`POST /users/${id}/password/reset`)).body as { secret: string }).secret;
    await ask(`PUT /users/${id}/password`, { password: "another horse battery" });
    const first = await make();
    const second = await make();
    expect(errorOf(await redeem({ secret: first, password }))).toEqual([404, "not_found", "secret"]);
    await gateway.clock.advance(hour);
    expect(errorOf(await redeem({ secret: second, password }))).toEqual([404, "not_found", "secret"]);
    const third = await make();
    await ask(`PATCH /users/${id}/disable`);
    expect(errorOf(await redeem({ secret: third, password }))).toEqual([404, "not_found", "secret"]);
    expect(errorOf(await ask(`POST /users/${id}/password/reset`)).slice(0, 2)).toEqual([409, "conflict"]);
    await ask(`PATCH /users/${id}/enable`);
    const session = await logIn({ password: "another horse battery" });
    const headers = { ...page, cookie: session.headers["set-cookie"]?.split(";")[0] ?? "" };
    expect((await redeem({ secret: third, password })).status).toBe(204);
    expect((await ask("GET /session", undefined, headers)).status).toBe(401);
  });

  it("is made, and worth something, only with all permissions of the user", { timeout }, async () => {
    const { ask, id, redeem } = await openWithAnn(open);
    const boss = (await ask("POST /users", { username: "boss" })).body as { id: string };
    const role = (await ask("POST /roles", { name: "boss", permissions: ["user_invite-post"] })).body as { id: string };
    await ask(`POST /roles/${role.id}/assign`, { user_id: boss.id });
    const mint = async () => {
      const made = await ask(`POST /users/${boss.id}/tokens`, { name: `t${Math.random()}`, permissions: ["*"] });
      return { "auth-token": (made.body as { value: string }).value };
    };
    const less = await mint();
    expect(errorOf(await ask(`POST /users/${id}/invite`, {}, less)).slice(0, 2)).toEqual([403, "permission_denied"]);
    const own = (await ask("GET /roles")).body as { id: string; name: string }[];
    const same = own.find(({ name }) => name === "own")?.id;
    await ask(`POST /roles/${same}/assign`, { user_id: boss.id });
    const { secret } = (await ask(`POST /users/${id}/invite`, {}, await mint())).body as { secret: string };
    await ask(`PATCH /users/${boss.id}/disable`);
    expect(errorOf(await redeem({ secret, password }))).toEqual([404, "not_found", "secret"]);
  });

  it("an address that guesses is stopped", async () => {
    const { gateway } = await openWithAnn(open);
    const source = { address: "192.0.2.1", eventId: "evt_guess" };
    const guess = () => gateway.portal.sessions.redeem({ secret: "wrong", password }, source);
    for (let count = 0; count < 100; count++) await expect(guess()).rejects.toMatchObject({ code: "not_found" });
    await expect(guess()).rejects.toMatchObject({ code: "request_limited" });
  });
});

describe.each(stores)("one-time codes over HTTP: %s", (_name, open) => {
  async function enrolled(gateway: Gateway, ask: Awaited<ReturnType<typeof openWithAnn>>["ask"], id: string) {
    await ask(`PUT /users/${id}/password`, { password });
    const { value } = (await ask(`POST /users/${id}/tokens`, { name: "t", permissions: ["*"] })).body as {
      value: string;
    };
    const own = { "auth-token": value };
    const { secret, otpauth_uri } = (await ask("POST /me/totp", {}, own)).body as {
      secret: string;
      otpauth_uri: string;
    };
    expect(otpauth_uri).toContain(`secret=${secret}`);
    return { own, code: (steps = 0) => codeOf(secret, stepAt(gateway.clock.now()) + steps), secret };
  }

  it("count once confirmed; a login then needs one, takes each once, and a recovery code once", {
    timeout,
  }, async () => {
    const { ask, id, gateway, store, logIn } = await openWithAnn(open);
    const { own, code, secret } = await enrolled(gateway, ask, id);
    expect((await logIn()).status).toBe(200);
    expect(JSON.stringify((await store.records.get("totp", id))?.record)).not.toContain(secret);
    expect(errorOf(await ask("POST /me/totp/confirm", { otp: "000000x" }, own))).toEqual([
      400,
      "invalid_request",
      "otp",
    ]);
    const first = code();
    const confirmed = await ask("POST /me/totp/confirm", { otp: first }, own);
    const { recovery_codes } = confirmed.body as { recovery_codes: string[] };
    expect(recovery_codes).toHaveLength(10);
    expect((await ask("GET /me", undefined, own)).body).toMatchObject({ has_totp: true });
    expect(errorOf(await logIn())).toEqual([401, "token_not_found", "otp"]);
    expect(errorOf(await logIn({ otp: first }))).toEqual([401, "token_not_found", "otp"]);
    await gateway.clock.advance(30_000);
    const next = code();
    expect((await logIn({ otp: `${next.slice(0, 3)} ${next.slice(3)}` })).status).toBe(200);
    expect(errorOf(await logIn({ otp: next }))).toEqual([401, "token_not_found", "otp"]);
    expect((await logIn({ otp: recovery_codes[0]?.toUpperCase() })).status).toBe(200);
    expect(errorOf(await logIn({ otp: recovery_codes[0] }))).toEqual([401, "token_not_found", "otp"]);
    expect(errorOf(await logIn({ otp: code(1), password: "wrong" })).slice(1, 3)).toEqual(["token_not_found", null]);
    expect(errorOf(await ask("POST /me/totp", {}, own)).slice(0, 2)).toEqual([409, "conflict"]);
    expect(errorOf(await ask("DELETE /me/totp", { otp: next }, own))).toEqual([400, "invalid_request", "otp"]);
    expect((await ask("DELETE /me/totp", { otp: recovery_codes[1] }, own)).status).toBe(204);
    expect((await logIn()).status).toBe(200);
  });

  it("ten wrong ones lock the right one out for a quarter of an hour; an administrator disables them", {
    timeout,
  }, async () => {
    const { ask, id, gateway, logIn } = await openWithAnn(open);
    const { own, code } = await enrolled(gateway, ask, id);
    await ask("POST /me/totp/confirm", { otp: code() }, own);
    await gateway.clock.advance(60_000);
    for (let count = 0; count < 10; count++)
      expect(errorOf(await ask("DELETE /me/totp", { otp: "wrong" }, own))[0]).toBe(400);
    expect(errorOf(await logIn({ otp: code() })).slice(0, 2)).toEqual([429, "request_limited"]);
    await gateway.clock.advance(15 * 60_000);
    expect((await logIn({ otp: code() })).status).toBe(200);
    expect((await ask(`DELETE /users/${id}/totp`)).status).toBe(204);
    expect((await logIn()).status).toBe(200);
    expect(errorOf(await ask(`DELETE /users/${id}/totp`)).slice(0, 2)).toEqual([409, "conflict"]);
  });
});
