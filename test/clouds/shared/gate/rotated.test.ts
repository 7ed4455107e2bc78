import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openCloudContext } from "../../../../adapters/clouds/openstack/cloud-context.ts";
import { openGate } from "../../../../adapters/clouds/shared/gate.ts";
import { createAborter } from "../../../../src/engine/runtime/abortable.ts";
import { fakeCloud } from "../../support/openstack/fake-cloud.ts";
import { patient, type Said, type Scripted, scripted, tokenSaid } from "../../support/openstack/scripted.ts";

const ask = ({ site }: Scripted) =>
  site.run(patient, (deadline) => site.cloud.ask({ service: "compute", path: ["servers"] }, deadline));
const list = ({ site }: Scripted) =>
  site.run(patient, (deadline) => site.cloud.list({ service: "volume", path: ["volumes"], key: "volumes" }, deadline));

const withRoles = (name: string, roles: readonly string[]): Said => {
  const said = tokenSaid(name);
  const { token } = said.body as { token: object };
  return { ...said, body: { token: { ...token, roles: roles.map((role) => ({ name: role })) } } };
};

describe("a password that was changed", () => {
  it("is read again at the first 401, and the request is repeated with it", async () => {
    let password = "old";
    const open = scripted(
      ({ headers = {} }) =>
        headers["x-auth-token"] === `token-${password}` ? { body: { ok: true } } : { status: 401 },
      {
        credentials: () => ({ username: "tollgate", password }),
        onToken: ({ body }) => {
          const sent = JSON.parse(String(body)).auth.identity.password.user.password;
          return sent === password ? tokenSaid(`token-${sent}`) : { status: 401 };
        },
      },
    );
    expect(await ask(open)).toEqual({ ok: true });
    password = "new";
    expect(await ask(open)).toEqual({ ok: true });
    expect(open.tokens).toHaveLength(2);
  });

  it("is in no error, whichever of them a service quotes", async () => {
    let password = "first-secret";
    const quoting = () => ({ status: 500, body: { computeFault: { message: "first-secret second-secret" } } });
    const open = scripted(quoting, { credentials: () => ({ username: "tollgate", password }) });
    await expect(ask(open)).rejects.toBeDefined();
    password = "second-secret";
    open.clock.advance(2 * 3_600_000);
    const failure = await ask(open).catch((thrown: Error) => `${thrown.message} ${String(thrown.cause)}`);
    expect(failure).not.toMatch(/first-secret|second-secret/);
  });
});

describe("a 404 that is about our own token", () => {
  const missing: Said = { status: 404, body: { error: { message: "Could not find Application Credential: a." } } };
  const identity = { service: "identity", path: ["projects", "p"] } as const;
  const remove = ({ site }: Scripted) =>
    site.run(patient, (deadline) => site.cloud.ask({ ...identity, method: "DELETE" }, deadline));

  it("makes the next request with a new token, as a 401 does: an application credential was replaced", async () => {
    let valid = "token-1";
    const open = scripted(
      ({ headers = {} }) => (headers["x-auth-token"] === valid ? { body: { project: { id: "p" } } } : missing),
      { onProof: ({ headers = {} }) => (headers["x-auth-token"] === valid ? { body: {} } : missing) },
    );
    const find = () => open.site.run(patient, (deadline) => open.site.cloud.find(identity, deadline));
    expect(await find()).toEqual({ project: { id: "p" } });
    valid = "token-2";
    expect(await find()).toEqual({ project: { id: "p" } });
    expect(open.tokens).toHaveLength(2);
  });

  it("is never an answer about the thing, whether that is looked for or deleted", async () => {
    const open = scripted(() => missing, { onProof: () => missing });
    await expect(remove(open)).rejects.toMatchObject({ code: "backend_error" });
    const finding = open.site.run(patient, (deadline) => open.site.cloud.find(identity, deadline));
    await expect(finding).rejects.toMatchObject({ code: "backend_error" });
    await expect(remove(scripted(() => missing))).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("a refusal by policy", () => {
  const refused = { status: 403, body: { forbidden: { code: 403, message: "Policy doesn't allow it." } } };

  it("drops the session: the next request has a new token", async () => {
    const open = scripted((_request, place) => (place === 0 ? refused : { body: { ok: true } }));
    await expect(ask(open)).rejects.toMatchObject({ code: "backend_error" });
    await ask(open);
    expect(open.tokens).toHaveLength(2);
  });

  it("that is about a quota does not", async () => {
    const over = { status: 403, body: { forbidden: { code: 403, message: "Quota exceeded for cores" } } };
    const open = scripted((_request, place) => (place === 0 ? over : { body: { ok: true } }));
    await expect(ask(open)).rejects.toMatchObject({ code: "quota_exceeded" });
    await ask(open);
    expect(open.tokens).toHaveLength(1);
  });

  it("makes an empty list an error for a token that is no administrator's, for five minutes", async () => {
    const none: Said = { body: { volumes: [] } };
    const open = (roles: readonly string[]) =>
      scripted((_request, place) => (place === 0 ? refused : none), {
        onToken: () => withRoles("t", roles),
      });
    const member = open(["member"]);
    await expect(list(member)).rejects.toMatchObject({ code: "backend_error" });
    await expect(list(member)).rejects.toThrow(/they may be there/);
    await member.clock.advance(5 * 60_000 + 1);
    expect(await list(member)).toEqual([]);
    const admin = open(["admin"]);
    await expect(list(admin)).rejects.toMatchObject({ code: "backend_error" });
    expect(await list(admin)).toEqual([]);
  });
});

it("at most eight requests are at one service at a time, and none is lost", async () => {
  let [now, most] = [0, 0];
  const open = scripted(async () => {
    now += 1;
    most = Math.max(most, now);
    await new Promise((resolve) => setImmediate(resolve));
    now -= 1;
    return { body: { ok: true } };
  });
  const answers = await Promise.all(Array.from({ length: 100 }, () => ask(open)));
  expect([answers.length, most]).toEqual([100, 8]);
});

it("a 401 says what to do about a password that was read at the start, and nothing of it where it is read again", async () => {
  const refused = { onToken: () => ({ status: 401, body: {} }) };
  const fixed = scripted(() => ({ status: 200 }), refused);
  await expect(ask(fixed)).rejects.toMatchObject({
    code: "backend_error",
    message: expect.stringMatching(/`env:` as well: after a rotation restart the gateway, or set `passwordFile`/),
  });
  const credentials = () => ({ username: "tollgate", password: "of-the-file" });
  const read = scripted(() => ({ status: 200 }), { ...refused, credentials });
  await expect(ask(read)).rejects.toMatchObject({ message: expect.not.stringContaining("env:") });
});

it("a gate lets no more through than it has places, in order, and forgets what was aborted while it waited", async () => {
  const plan = fc.array(fc.record({ turns: fc.nat(3), isAborted: fc.boolean() }), { maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(plan, fc.integer({ min: 1, max: 4 }), async (works, width) => {
      const gate = openGate(width);
      let [running, most] = [0, 0];
      const begun: number[] = [];
      const all = works.map(({ turns, isAborted }, at) => {
        const signal = createAborter();
        const work = gate(signal, async () => {
          begun.push(at);
          running += 1;
          most = Math.max(most, running);
          for (let turn = 0; turn <= turns; turn++) await new Promise((resolve) => setImmediate(resolve));
          running -= 1;
        });
        if (isAborted) signal.abort(new Error("hung up"));
        return work;
      });
      const ends = await Promise.allSettled(all);
      expect(most).toBeLessThanOrEqual(width);
      expect(begun).toEqual([...begun].sort((one, other) => one - other));
      expect(ends.filter(({ status }) => status === "fulfilled")).toHaveLength(begun.length);
      for (const [at, { isAborted }] of works.entries()) if (!isAborted) expect(begun).toContain(at);
    }),
  );
});

it("regions of one Keystone have eight requests at it at a time together, and at services of their own each", async () => {
  const [now, most] = [new Map<string, number>(), new Map<string, number>()];
  const cloud = fakeCloud();
  const whole: typeof cloud.transport.whole = async (request) => {
    const { host } = new URL(request.url);
    const running = (now.get(host) ?? 0) + 1;
    now.set(host, running);
    most.set(host, Math.max(most.get(host) ?? 0, running));
    await new Promise((resolve) => setImmediate(resolve));
    now.set(host, (now.get(host) ?? 0) - 1);
    return cloud.transport.whole(request);
  };
  const transport = { ...cloud.transport, whole };
  const credentials = { username: "a", password: "b" };
  const open = () => openCloudContext({ authUrl: "http://identity.test/v3", credentials, transport });
  const asked = [open(), open()].flatMap((site) =>
    Array.from({ length: 40 }, () =>
      site.run(patient, (deadline) =>
        site.cloud.list({ service: "identity", path: ["domains"], key: "domains" }, deadline),
      ),
    ),
  );
  await Promise.all(asked);
  expect(most.get("identity.test")).toBe(8);
});
