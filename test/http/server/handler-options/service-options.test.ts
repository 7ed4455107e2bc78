import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import type { HandlerOptions } from "../../../../src/http/server/handler-options.ts";
import { createListener } from "../../../../src/index.ts";
import { engineDouble } from "../../support/engine-double.ts";
import { basic, open, password, right, service, token, user } from "../../support/managed.ts";

describe("a service credential that is none is refused at the start", () => {
  it.each([
    [{}, "service", "needs `user` and `password`, or `token`"],
    [{ token: undefined }, "service", "needs `user` and `password`, or `token`"],
    [null, "service", "must be an object, not "],
    ["operator:secret-1", "service", "must be an object, not "],
    [{ user }, "service.password", "is required with"],
    [{ password: "secret-1" }, "service.user", "is required with"],
    [{ user, token }, "service.password", "is required with"],
    [{ user: "", password: "secret-1" }, "service.user", ""],
    [{ user, password: "" }, "service.password", ""],
    [{ token: "" }, "service.token", ""],
    [{ user: "a:b", password: "secret-1" }, "service.user", "colon"],
    [{ user, password: "secret-1\n" }, "service.password", "control characters"],
    [{ token: "secret-1\n" }, "service.token", "ASCII without spaces"],
    [{ token: "secret-ü" }, "service.token", "ASCII without spaces"],
    [{ token: "SK-tg-secret-1" }, "service.token", "must not begin with sk-tg-"],
    [{ token, pasword: "secret-1" }, "service.pasword", "is not a known field"],
  ])("%j", (given, param, message) => {
    const make = () => createListener({ engine: engineDouble() as never, service: given as never });
    expect(make).toThrow(expect.objectContaining({ code: "invalid_configuration", param }));
    expect(make).toThrow(message);
    expect(make).not.toThrow(/secret-/);
  });
});

describe("the secret", () => {
  const forms = [password, token, basic(`${user}:${password}`).slice("Basic ".length)];

  it("is in no answer, no report and nothing that is printed of the gateway", async () => {
    const { fetch, ask, signed, reported, engine } = await open();
    const heard: string[] = [];
    for (const path of ["/api/users", "/api/nowhere", "/v1/models", "/openapi.json", "/users"]) {
      for (const authorization of [undefined, right, `Bearer ${token}`, `${right}x`, `Bearer ${token}x`]) {
        const response = await ask(path, signed(authorization));
        heard.push(JSON.stringify([...response.headers]), await response.text());
      }
    }
    expect(reported.length).toBeGreaterThan(5);
    const listener = createListener({ engine, service });
    for (const each of [fetch, listener, engine, ...reported])
      heard.push(inspect(each, { depth: Infinity, showHidden: true }), String(each), JSON.stringify(each) ?? "");
    for (const form of forms) expect(heard.join("\n")).not.toContain(form);
  });
});

describe("the document", () => {
  /** What a document says of who may read the users, and of the schemes that it names. */
  async function securityIn(options: Partial<HandlerOptions>) {
    const { ask } = await open(options);
    const document = (await (await ask("/openapi.json")).json()) as {
      paths: Record<string, { get: { security: unknown } }>;
      components: { securitySchemes: Record<string, object> };
    };
    return { users: document.paths["/users"]?.get.security, schemes: document.components.securitySchemes };
  }

  it("says nothing of a service credential where there is none", async () => {
    const { users, schemes } = await securityIn({});
    expect(users).toEqual([{ "auth-token": [] }]);
    expect(Object.keys(schemes).filter((name) => name.startsWith("service"))).toEqual([]);
  });

  it("says that it is asked for beside the access token, by the schemes that are configured", async () => {
    const { users, schemes } = await securityIn({ service });
    expect(users).toEqual([
      { "auth-token": [] },
      { "auth-token": [], "service-basic": [] },
      { "auth-token": [], "service-bearer": [] },
    ]);
    expect(schemes["service-basic"]).toMatchObject({ type: "http", scheme: "basic" });
    expect(schemes["service-bearer"]).toMatchObject({ type: "http", scheme: "bearer" });
    expect(schemes["service-bearer"]).toHaveProperty("description", expect.stringContaining("under `/api`"));
    const alone = await securityIn({ service: { token } });
    expect(alone.users).toEqual([{ "auth-token": [] }, { "auth-token": [], "service-bearer": [] }]);
    expect(alone.schemes).not.toHaveProperty("service-basic");
  });
});
