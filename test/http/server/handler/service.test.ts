import { expect, test } from "vitest";
import { local } from "../../../../adapters/providers/local/index.ts";
import { memoryStore } from "../../../../adapters/stores/memory/index.ts";
import { type CoreListenerOptions, createListener } from "../../../../src/http/server/node.ts";
import { createEngine } from "../../../../src/index.ts";
import { createPortal } from "../../../../src/portal/index.ts";
import { engineDouble } from "../../support/engine-double.ts";
import { express } from "../../support/express.ts";
import { connectRaw, serve, stillClock } from "../../support/server.ts";

const service = { user: "operator", password: "a:secret", token: "service-token" };
const right = { authorization: `Basic ${Buffer.from("operator:a:secret").toString("base64")}` };
/** A portal, to have paths under `/api` that are known. */
function withPortal() {
  const store = memoryStore();
  const engine = createEngine({ providers: [local()], store });
  return { engine, portal: createPortal({ engine, store, secret: "a secret of the tests" }) };
}
const listener = (options: Partial<CoreListenerOptions> = {}) =>
  createListener({ engine: engineDouble(), clock: stillClock, service, ...options });

/** Statuses without the credential and with it. */
async function statuses(url: string, init: RequestInit = {}): Promise<number[]> {
  const answers = [await fetch(url, init), await fetch(url, { ...init, headers: right })];
  return answers.map(({ status }) => status);
}

test("over a socket /api asks for the service credential, HEAD included, whose answer has no body", async () => {
  await using server = await serve(listener());
  expect(await statuses(`${server.url}/api/users`)).toEqual([401, 404]);
  const head = await fetch(`${server.url}/api/users`, { method: "HEAD" });
  expect([head.status, await head.text()]).toEqual([401, ""]);
  expect(head.headers.get("www-authenticate")).toMatch(/^Basic .*, Bearer /);
  expect(await statuses(`${server.url}/health`)).toEqual([200, 200]);
});

test("of two authorization headers the first counts", async () => {
  await using server = await serve(listener());
  const ask = (...values: string[]) => {
    const lines = values.map((value) => `authorization: ${value}\r\n`).join("");
    return connectRaw(server.port, `GET /api HTTP/1.1\r\nhost: a\r\nconnection: close\r\n${lines}\r\n`).over;
  };
  expect(await ask("Bearer service-token", "Bearer wrong")).toMatch(/^HTTP\/1.1 404 /);
  expect(await ask("Bearer wrong", "Bearer service-token")).toMatch(/^HTTP\/1.1 401 /);
});

test("a target with its origin in front is guarded like any other", async () => {
  await using server = await serve(listener());
  const text = "GET http://elsewhere/api/users HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n";
  expect(await connectRaw(server.port, text).over).toMatch(/^HTTP\/1.1 401 /);
});

test("under a prefix the guard moves with it, whoever takes it off", async () => {
  await using prefixed = await serve(listener({ prefix: "/gateway" }));
  expect(await statuses(`${prefixed.url}/gateway/api/users`)).toEqual([401, 404]);
  expect(await statuses(`${prefixed.url}/api/users`)).toEqual([404, 404]);
  const app = express();
  app.use("/gateway", (req, res) => listener()(req, res));
  await using mounted = await serve(app);
  expect(await statuses(`${mounted.url}/gateway/api/users`)).toEqual([401, 404]);
});

test("on a shared server what is known is guarded, before any of it is read", async () => {
  const app = express();
  app.use(listener(withPortal()));
  await using server = await serve(app);
  for (const path of ["/api/users", "/api/users/%zz"]) {
    const refused = await fetch(`${server.url}${path}`);
    expect([refused.status, await refused.json()]).toMatchObject([401, { error: { param: "authorization" } }]);
  }
  const key = await fetch(`${server.url}/api/users`, { headers: { ...right, "x-tg-key": "sk-tg-1" } });
  expect([key.status, await key.json()]).toMatchObject([401, { type: "virtual_key_not_accepted" }]);
  const admitted = await fetch(`${server.url}/api/users`, { headers: right });
  expect([admitted.status, await admitted.json()]).toMatchObject([401, { error: { param: null } }]);
});

test("on a shared server paths under /api that are not ours are somebody else's, and not guarded", async () => {
  const app = express();
  app.use(listener());
  app.get("/api/own", (_req, res) => void res.send("own"));
  await using server = await serve(app);
  expect(await statuses(`${server.url}/api/own`)).toEqual([200, 200]);
});
