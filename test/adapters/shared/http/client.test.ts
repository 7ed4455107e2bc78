import { describe, expect, it } from "vitest";
import { httpClient } from "../../../../adapters/shared/http/client.ts";
import { type HttpClientOptions, requireKey } from "../../../../adapters/shared/http/target.ts";
import { isGatewayError } from "../../../../src/engine/errors.ts";
import type { RawExchange } from "../../../../src/engine/ports/provider.ts";
import { call, json, page, secret, setUp } from "../../support/shared/http/client-setup.ts";
import { closedAfter, collect, failure } from "../../support/shared/http/setup.ts";

describe("httpClient", () => {
  it("sends JSON and the client's headers, gives parsed JSON", async () => {
    const { client, server } = await setUp(json(200, { ok: [1] }));
    expect(await client.post("/chat", { hello: "wörld" }, call())).toEqual({ ok: [1] });
    expect(await client.get("/models?limit=2", call())).toEqual({ ok: [1] });
    const [post, get] = server.observation;
    expect(post).toMatchObject({ method: "POST", path: "/v1/chat", body: { hello: "wörld" } });
    expect(post?.headers).toMatchObject({ authorization: `Bearer ${secret}`, "content-type": "application/json" });
    expect(get).toMatchObject({ method: "GET", path: "/v1/models?limit=2", body: "" });
    expect(get?.headers["content-type"]).toBeUndefined();
  });

  it("adds the headers of a call to its own, and the query of the base URL to every path", async () => {
    const { server } = await setUp(json(200, {}));
    const client = httpClient({ provider: "acme", baseUrl: `${server.url}/v1?api-version=2`, headers: { "x-a": "1" } });
    closedAfter(client);
    await client.get("/models", { ...call(), headers: { "x-b": "2" } });
    await client.get("/models?x=1", call());
    expect(server.observation.map((request) => request.path)).toEqual([
      "/v1/models?api-version=2",
      "/v1/models?x=1&api-version=2",
    ]);
    expect(server.observation[0]?.headers).toMatchObject({ "x-a": "1", "x-b": "2" });
    expect(server.observation[1]?.headers["x-b"]).toBeUndefined();
  });

  it("sends through a transport or a fetch that it is given, and closes neither", async () => {
    const urls: string[] = [];
    const given = (async (url: string) => {
      urls.push(url);
      return Response.json({ from: "fetch" });
    }) as typeof fetch;
    const client = httpClient({ provider: "acme", baseUrl: "https://acme.test", fetch: given });
    expect(await client.get("/x", call())).toEqual({ from: "fetch" });
    expect(urls).toEqual(["https://acme.test/x"]);
  });

  it.each([
    [
      "OpenAI's",
      { error: { message: "no", type: "t", param: "p", code: "c" } },
      { message: "no", type: "t", param: "p", code: "c" },
    ],
    ["a number as code", { error: { message: "no", code: 429, param: null } }, { message: "no", code: "429" }],
    ["text and a code", { code: "bad", error: "no" }, { message: "no", code: "bad" }],
    [
      "flat",
      { object: "error", message: "no", type: "t", param: null, code: 1 },
      { message: "no", type: "t", code: "1" },
    ],
    ["FastAPI's text", { detail: "no" }, { message: "no" }],
    [
      "FastAPI's list",
      { detail: [{ loc: ["body", "model"], msg: "no", type: "missing" }] },
      { message: "no", type: "missing", param: "body.model" },
    ],
  ])("keeps the vendor's words of an error body: %s", async (_name, body, expected) => {
    const { client } = await setUp(json(422, body));
    const error = await failure(client.post("/chat", {}, call()));
    expect(error).toMatchObject({ code: "upstream_error", status: 422, provider: "acme", message: "no" });
    expect(error.upstream).toEqual({ status: 422, type: undefined, code: undefined, param: undefined, ...expected });
  });

  it("tells an error page in one short sentence", async () => {
    const html = `<html><body>${"oops ".repeat(5_000)}</body></html>`;
    const { client } = await setUp(page(502, "text/html; charset=utf-8", html));
    const error = await failure(client.post("/chat", {}, call()));
    expect(error.upstream).toMatchObject({ status: 502 });
    expect(error.message).toBe("acme answered 502 with text/html.");
  });

  it("keeps a short plain text as it is", async () => {
    const { client } = await setUp(page(503, "text/plain", "try later\n"));
    expect((await failure(client.post("/chat", {}, call()))).message).toBe("try later");
  });

  it.each([
    [{ "retry-after": "3" }, 3_000],
    [{ "retry-after": "0.25" }, 250],
    [{ "retry-after-ms": "120", "retry-after": "3" }, 120],
    [{ "retry-after": "Fri, 20 Nov 2026 10:00:07 GMT", date: "Fri, 20 Nov 2026 10:00:00 GMT" }, 7_000],
    [{ "retry-after": "Fri, 20 Nov 2026 09:00:00 GMT", date: "Fri, 20 Nov 2026 10:00:00 GMT" }, 0],
    [{ "retry-after": "Friday, 20-Nov-26 10:00:07 GMT", date: "Fri, 20 Nov 2026 10:00:00 GMT" }, 7_000],
    [{ "retry-after": "2026-11-20T10:00:07Z", date: "Fri, 20 Nov 2026 10:00:00 GMT" }, 7_000],
    [{ "retry-after": "soon" }, undefined],
    [{ "retry-after": "-1" }, undefined],
    [{ "retry-after": "1, 1" }, undefined],
    [{}, undefined],
  ])("reads how long to wait from %j", async (headers, expected) => {
    const { client } = await setUp(json(429, { error: { message: "slow down" } }, headers));
    expect((await failure(client.post("/chat", {}, call()))).retryAfterMs).toBe(expected);
  });

  it("counts a date to wait for from the start of the call when the server tells no date of its own", async () => {
    const { client } = await setUp((_seen, response) => {
      response.sendDate = false;
      response.writeHead(429, { "retry-after": "Fri, 20 Nov 2026 00:00:09 GMT" });
      response.end();
    });
    expect((await failure(client.post("/chat", {}, call()))).retryAfterMs).toBe(9_000);
  });

  it("tells a good status without readable JSON, and a redirect, as upstream_invalid_response", async () => {
    for (const answer of [
      page(200, "text/html", "<html>"),
      page(200, "application/json", '{"a":'),
      page(302, "x/y", ""),
    ]) {
      const { client } = await setUp(answer);
      expect((await failure(client.post("/chat", {}, call()))).code).toBe("upstream_invalid_response");
      expect((await failure(collect(client.events("/chat", {}, call())))).code).toBe("upstream_invalid_response");
    }
  });

  it("reads leading white space, which some vendors send to keep a connection open", async () => {
    const { client } = await setUp(page(200, "application/json", '\n\n\n{"a":1}'));
    expect(await client.post("/chat", {}, call())).toEqual({ a: 1 });
  });

  it("fills the raw exchange when it is there, also of errors, without any credential", async () => {
    const { client } = await setUp((seen, response) =>
      json(seen.path === "/v1/good" ? 200 : 401, { echo: secret })(seen, response),
    );
    const good: RawExchange = {};
    await client.post("/good", { model: "m" }, call(good));
    expect(good).toEqual({ request: { model: "m" }, response: { echo: "[redacted]" } });
    const bad: RawExchange = {};
    await failure(client.post("/bad", { model: "m" }, call(bad)));
    expect(bad).toEqual({ request: { model: "m" }, response: { echo: "[redacted]" } });
  });

  it("keeps a credential that the vendor repeats out of the error", async () => {
    const { client } = await setUp(json(401, { error: { message: `Incorrect API key: ${secret}` } }));
    const error = await failure(client.post("/chat", {}, call()));
    expect(error.message).toBe("Incorrect API key: [redacted]");
    expect(JSON.stringify(error.upstream)).not.toContain(secret);
  });
});

describe("options", () => {
  const wrong = (options: Partial<HttpClientOptions>) => {
    try {
      httpClient({ provider: "acme", baseUrl: "https://acme.test", ...options });
    } catch (error) {
      return isGatewayError(error) ? [error.code, error.param] : error;
    }
    return "no error";
  };

  it("name a base URL that is none", () => {
    for (const baseUrl of ["", "acme.test", "ftp://acme.test", "https://user:pw@acme.test", "https://acme.test/#x"]) {
      expect(wrong({ baseUrl })).toEqual(["invalid_configuration", "baseUrl"]);
    }
  });

  it("name a header that cannot be sent, without its value", () => {
    expect(wrong({ headers: { "x-a": "line\nbreak" } })).toEqual(["invalid_configuration", "headers.x-a"]);
    expect(wrong({ headers: { "x a": "1" } })).toEqual(["invalid_configuration", "headers.x a"]);
  });

  it("refuse an API key that is empty or cannot be sent, and trim the rest", () => {
    for (const key of ["", " \n", "sk-1\nsk-2", "clé–3", undefined as unknown as string]) {
      expect(() => requireKey(key, "acme")).toThrow(
        expect.objectContaining({ code: "invalid_configuration", param: "apiKey" }),
      );
    }
    expect(requireKey(" sk-1\n", "acme")).toBe("sk-1");
  });
});
