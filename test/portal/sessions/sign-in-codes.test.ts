import { describe, expect, it } from "vitest";
import { type Answer, type Gateway, openGateway } from "../support/gateway.ts";
import { stores } from "../support/rig.ts";

const page = { "auth-token": undefined, host: "127.0.0.1:8080", "x-tg-console": "1", "sec-fetch-site": "same-origin" };

interface From {
  readonly address?: string;
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

const signIn = (gateway: Gateway, code: string, { address = "127.0.0.1", headers = {} }: From = {}) =>
  gateway.ask({ method: "POST", path: "/session", body: { code }, address, headers: { ...page, ...headers } });

const errorOf = ({ status, body }: Answer) => {
  const { type, param } = (body as { error: { type: string; param: string } }).error;
  return [status, type, param];
};
const unknown = [401, "token_not_found", "code"];

async function issue(gateway: Gateway): Promise<string> {
  const made = await gateway.portal.issueSignInCode();
  if (!made) throw new Error("no code was made");
  return made.code;
}

describe.each(stores)("the code of a sign-in link: %s", (_name, open) => {
  it("signs the first user in with all that it may do, once, and the audit log has it", async () => {
    const gateway = await openGateway(await open());
    const code = await issue(gateway);
    const answer = await signIn(gateway, code);
    expect(answer.body).toMatchObject({ user: { username: "admin" } });
    const cookie = answer.headers["set-cookie"]?.split(";")[0] ?? "";
    const read = await gateway.ask({ method: "GET", path: "/audit", headers: { ...page, cookie } });
    expect(read.body).toMatchObject({ entries: [{ operation: "sessions.login", token_id: null }] });
    expect(errorOf(await signIn(gateway, code))).toEqual(unknown);
  });

  it("of two that come at once signs one in", async () => {
    const gateway = await openGateway(await open());
    const code = await issue(gateway);
    const answers = await Promise.all([signIn(gateway, code), signIn(gateway, code), signIn(gateway, code)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
  });

  it("is worth nothing after ten minutes, or when another one was made", async () => {
    const gateway = await openGateway(await open());
    const late = await issue(gateway);
    gateway.clock.advance(10 * 60_000);
    expect(errorOf(await signIn(gateway, late))).toEqual(unknown);
    const replaced = await issue(gateway);
    const current = await issue(gateway);
    expect(errorOf(await signIn(gateway, replaced))).toEqual(unknown);
    gateway.clock.advance(10 * 60_000 - 1);
    expect((await signIn(gateway, current)).status).toBe(200);
  });

  it.each([
    { address: "192.0.2.7" },
    { address: "::ffff:192.0.2.7" },
    { headers: { host: "gateway.example" } },
    { headers: { "x-forwarded-for": "192.0.2.7" } },
    { headers: { forwarded: "for=192.0.2.7" } },
  ])("is refused from elsewhere, and stays good: %j", async (from) => {
    const gateway = await openGateway(await open());
    const code = await issue(gateway);
    expect(errorOf(await signIn(gateway, code, from))).toEqual([403, "permission_denied", "code"]);
    expect((await signIn(gateway, code, { address: "::1" })).status).toBe(200);
  });

  it("is not made for a first user that is disabled", async () => {
    const store = await open();
    const gateway = await openGateway(store);
    const stored = await store.records.get("user", "usr_admin");
    if (!stored) throw new Error("there is no first user");
    await store.records.put("user", { ...stored.record, enabled: false }, stored.version);
    expect(await gateway.portal.issueSignInCode()).toBeUndefined();
  });

  it("is not made where the first user has a password, and one that was made is worth nothing then", async () => {
    const gateway = await openGateway(await open());
    const [admin] = (await gateway.ask({ method: "GET", path: "/users" })).body as { id: string }[];
    const path = `/users/${admin?.id}`;
    const code = await issue(gateway);
    const set = { method: "PUT", path: `${path}/password`, body: { password: "correct horse battery" } };
    expect((await gateway.ask(set)).status).toBeLessThan(300);
    expect(await gateway.portal.issueSignInCode()).toBeUndefined();
    expect(errorOf(await signIn(gateway, code))).toEqual(unknown);
  });

  it("needs a page of the same origin, like every login", async () => {
    const gateway = await openGateway(await open());
    const code = await issue(gateway);
    const crossSite = { headers: { "sec-fetch-site": "cross-site" } };
    expect((await signIn(gateway, code, crossSite)).status).toBe(403);
    expect((await signIn(gateway, code)).status).toBe(200);
  });
});
