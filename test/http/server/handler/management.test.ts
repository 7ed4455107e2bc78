import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createHandler } from "../../../../src/http/server/handler.ts";
import { createFetch } from "../../../../src/index.ts";
import { engineDouble } from "../../support/engine-double.ts";
import { basic, open, password, refusalOf, right, service, token, user } from "../../support/managed.ts";

const both = 'Basic realm="tollgate", charset="UTF-8", Bearer realm="tollgate"';
const missing = { status: 401, type: "token_required", param: "authorization", challenge: both };
/** What asks for an access token. */
const tokenAsked = 'Token realm="tollgate", header="auth-token"';
const wrong = { status: 401, type: "token_not_found", param: "authorization", challenge: both };

describe("without a service credential in the configuration", () => {
  it("/api asks for the access token alone, and looks at no authorization", async () => {
    const { ask, signed } = await open({});
    for (const authorization of [undefined, basic("any:body"), "Bearer whatever"])
      expect((await ask("/api/users", signed(authorization))).status).toBe(200);
    expect(await refusalOf(ask("/api/users"))).toMatchObject({
      type: "token_required",
      param: null,
      challenge: tokenAsked,
    });
    expect((await ask("/api")).status).toBe(404);
  });
});

describe("the service credential under /api", () => {
  it("is required", async () => {
    const { ask, signed } = await open();
    expect(await refusalOf(ask("/api/users", signed()))).toMatchObject(missing);
    expect(await refusalOf(ask("/api/users", signed("")))).toMatchObject(missing);
  });

  it.each([
    ["another user", basic(`root:${password}`)],
    ["no user", basic(`:${password}`)],
    ["another password", basic(`${user}:other`)],
    ["half of the password", basic(`${user}:colon`)],
    ["no password", basic(`${user}:`)],
    ["the user alone", basic(user)],
    ["an empty pair", basic(":")],
    ["Basic with nothing", "Basic "],
    ["the pair in Latin 1", basic(Buffer.from(`${user}:colon:in-the-pässwörd-`, "latin1"))],
    ["the pair with more behind it", basic(`${user}:${password}\0`)],
    ["what is no base64", `${right}!`],
    ["another token", "Bearer tg-service-9876543210"],
    ["half of the token", `Bearer ${token.slice(0, 5)}`],
    ["the token twice", `Bearer ${token}${token}`],
    ["Bearer with nothing", "Bearer "],
    ["the password as a token", "Bearer colon:in-the-password"],
    ["the token as a pair", basic(token)],
    ["the token without a scheme", token],
    ["another scheme", `Digest ${token}`],
  ])("is not %s", async (_, authorization) => {
    const { ask, signed } = await open();
    expect(await refusalOf(ask("/api/users", signed(authorization)))).toMatchObject(wrong);
  });

  it.each([
    ["user and password, in UTF-8 and with a colon", right],
    ["the same with the scheme in another case", right.replace("Basic", "bASIC")],
    ["the token", `Bearer ${token}`],
    ["the same with the scheme in another case", `bEARER ${token}`],
  ])("is %s", async (_, authorization) => {
    const { ask, signed } = await open();
    expect((await ask("/api/users", signed(authorization))).status).toBe(200);
  });

  it("is only what is configured: one form does not open the other, and its challenge names it alone", async () => {
    const byToken = await open({ service: { token } });
    const { message, ...refusal } = await refusalOf(byToken.ask("/api/users", byToken.signed()));
    expect(refusal).toEqual({ ...missing, challenge: 'Bearer realm="tollgate"' });
    expect(message).toMatch(/as Bearer \(a token\)\.$/);
    for (const pair of [":", "undefined:undefined", `${user}:${password}`])
      expect((await byToken.ask("/api/users", byToken.signed(basic(pair)))).status).toBe(401);
    expect((await byToken.ask("/api/users", byToken.signed(`Bearer ${token}`))).status).toBe(200);
    const byUser = await open({ service: { user, password } });
    expect(await refusalOf(byUser.ask("/api/users", byUser.signed("Bearer undefined")))).toMatchObject({
      ...wrong,
      challenge: 'Basic realm="tollgate", charset="UTF-8"',
    });
    expect((await byUser.ask("/api/users", byUser.signed(right))).status).toBe(200);
  });

  it("is a pair of any user and password, and no other", async () => {
    const text = fc.string({ minLength: 1, unit: "grapheme" }).filter((value) => !/\p{Cc}/u.test(value));
    const pair = fc.tuple(
      text.filter((value) => !value.includes(":")),
      text,
    );
    await fc.assert(
      fc.asyncProperty(pair, pair, async (own, other) => {
        const fetch = createFetch(engineDouble(), { service: { user: own[0], password: own[1] } });
        const statusOf = async (sent: string) =>
          (await fetch("http://g/api/x", { headers: { authorization: basic(sent) } })).status;
        expect(await statusOf(own.join(":"))).toBe(404);
        expect(await statusOf(other.join(":"))).toBe(own.join(":") === other.join(":") ? 404 : 401);
      }),
    );
  });

  it("is one layer, the access token another: neither stands for the other", async () => {
    const { ask, signed } = await open();
    const refusal = await refusalOf(ask("/api/users", { authorization: right, region: "local" }));
    expect(refusal).toMatchObject({ status: 401, type: "token_required", param: null, challenge: tokenAsked });
    expect(await refusalOf(ask("/api/users", { ...signed(right), "auth-token": "tg_at_unknown" }))).toMatchObject({
      type: "token_not_found",
      param: null,
    });
    const asBearer = { authorization: `Bearer ${signed()["auth-token"]}` };
    expect(await refusalOf(ask("/api/users", asBearer))).toMatchObject(wrong);
  });

  it.each([
    ["itself", "/api", "GET"],
    ["with a slash", "/api/", "GET"],
    ["an unknown path", "/api/nowhere", "GET"],
    ["a known path with another method", "/api/users", "PUT"],
    ["a method that nobody has", "/api/users", "BREW"],
    ["HEAD", "/api/users", "HEAD"],
    ["OPTIONS that is no preflight", "/api/users", "OPTIONS"],
    ["a parameter that cannot be decoded", "/api/users/%zz", "GET"],
    ["a query", "/api?x=1", "GET"],
  ])("is asked for before anything else: %s", async (_, path, method) => {
    const { ask } = await open();
    const refused = await ask(path, {}, method);
    expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([401, both]);
    expect(refused.headers.get("allow")).toBeNull();
    const admitted = await ask(path, { authorization: right }, method);
    expect(admitted.headers.get("www-authenticate")).toBe(admitted.status === 401 ? tokenAsked : null);
    if (admitted.status === 401) expect(path).toBe("/api/users"); // the access token is asked for next
  });

  it("comes before the body, of which nothing is read", async () => {
    const handle = createHandler({ engine: engineDouble(), service });
    const request = { method: "POST", path: "/api/users", prefix: "", query: "", headers: {}, isShared: false };
    const read = () => Promise.reject(new Error("the body was read"));
    expect(await handle({ ...request, signal: new AbortController().signal, read })).toMatchObject({ status: 401 });
  });

  it("is not asked of preflights, which cannot carry it", async () => {
    const { ask, signed } = await open({ service, cors: ["https://app.example"] });
    const headers = {
      origin: "https://app.example",
      "access-control-request-method": "GET",
      "access-control-request-headers": "authorization, auth-token, region",
    };
    const preflight = await ask("/api/users", headers, "OPTIONS");
    expect(preflight.status).toBe(204);
    expect(Object.fromEntries(preflight.headers)).toMatchObject({
      "access-control-allow-origin": "https://app.example",
      "access-control-allow-methods": expect.stringContaining("GET"),
      "access-control-allow-headers": "authorization, auth-token, region",
    });
    const refused = await ask("/api/users", { origin: "https://app.example" });
    expect([refused.status, refused.headers.get("access-control-allow-origin")]).toEqual([401, "https://app.example"]);
    const pretended = await refusalOf(ask("/api/users", { ...signed(), ...headers }, "GET"));
    expect(pretended).toMatchObject(missing);
  });

  it("does not make a virtual key welcome", async () => {
    const { ask, signed } = await open();
    const refused = { status: 401, type: "virtual_key_not_accepted" };
    expect(await refusalOf(ask("/api/users", { ...signed(right), "x-tg-key": "any" }))).toMatchObject(refused);
    expect(await refusalOf(ask("/api/nowhere", { "x-api-key": "sk-tg-1", authorization: right }))).toMatchObject(
      refused,
    );
    expect(await refusalOf(ask("/api/users", signed("Bearer sk-tg-1")))).toMatchObject({ ...refused, challenge: both });
  });
});

describe("outside of /api the service credential", () => {
  it.each(["/users", "/health", "/openapi.json", "/docs"])("is not asked for: %s", async (path) => {
    const { ask, signed } = await open();
    for (const authorization of [undefined, basic("not:it"), right])
      expect((await ask(path, signed(authorization))).status).toBe(200);
  });

  it.each(["/apis", "/api2/users", "/API/users"])(
    "is not asked for by a path that only looks alike: %s",
    async (path) => {
      const { ask } = await open();
      expect((await ask(path)).status).toBe(404);
    },
  );

  it("is no virtual key and no error on inference", async () => {
    const { engine, ask } = await open();
    const key = await engine.keys.create({ name: "k", provider_configs: [{ provider: "*", allowed_models: ["*"] }] });
    expect(await refusalOf(ask("/v1/models", { authorization: right }))).toMatchObject({
      type: "virtual_key_required",
      challenge: 'Bearer realm="tollgate"',
    });
    for (const authorization of [right, basic("not:it"), "Bearer not-it", "Basic !"])
      expect((await ask("/v1/models", { authorization, "x-tg-key": key.value })).status).toBe(200);
    const withoutKeys = await open({ service, requireKey: false });
    expect((await withoutKeys.ask("/v1/models", { authorization: basic("not:it") })).status).toBe(200);
  });
});
