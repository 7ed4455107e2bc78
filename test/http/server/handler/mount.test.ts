import fastify from "fastify";
import { afterEach, expect, test } from "vitest";
import { createListener } from "../../../../src/http/server/node.ts";
import { chunkOf, echo, engineDouble, hello } from "../../support/engine-double.ts";
import { express } from "../../support/express.ts";
import { post, serve, stillClock } from "../../support/server.ts";

const engine = () =>
  engineDouble({
    chat: echo,
    streamChat: async () =>
      (async function* () {
        yield chunkOf("Hello", 0, "stop");
      })(),
  });
const listener = (options: { prefix?: string } = {}) =>
  createListener({ engine: engine(), clock: stillClock, ...options });
const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** Chat, stream and document, as a client of a mounted gateway sees them. */
async function expectGateway(base: string, mount = ""): Promise<void> {
  const url = `${base}${mount}/v1/chat/completions`;
  expect(await (await post(url, hello)).json()).toEqual(await echo(hello as never));
  expect(await (await post(url, { ...hello, stream: true })).text()).toMatch(/data: \[DONE\]\n\n$/);
  const document = (await (await fetch(`${base}${mount}/openapi.json`)).json()) as { servers: unknown };
  expect(document.servers).toEqual([{ url: mount || "/" }]);
  const refused = await fetch(url);
  expect([refused.status, refused.headers.get("allow")]).toEqual([405, "POST, OPTIONS"]);
}

test("node:http, at the root and under a prefix", async () => {
  await using plain = await serve(listener());
  await expectGateway(plain.url);
  await using prefixed = await serve(listener({ prefix: "/gateway/" }));
  await expectGateway(prefixed.url, "/gateway");
  expect((await fetch(`${prefixed.url}/gatewayx/health`)).status).toBe(404);
  expect((await fetch(`${prefixed.url}/health`)).status).toBe(404);
});

test("Express 5, under a prefix it strips; unknown paths go on to the app", async () => {
  const app = express();
  app.use("/gateway", listener());
  app.get("/gateway/own", (_req, res) => void res.send("own"));
  await using server = await serve(app);
  await expectGateway(server.url, "/gateway");
  expect(await (await fetch(`${server.url}/gateway/own`)).text()).toBe("own");
  expect((await fetch(`${server.url}/gateway/nowhere`)).status).toBe(404);
});

test("Express 5 at the root, before the app's own routes", async () => {
  const app = express();
  app.use(listener());
  app.get("/", (_req, res) => void res.send("home"));
  await using server = await serve(app);
  await expectGateway(server.url);
  expect(await (await fetch(server.url)).text()).toBe("home");
});

test("a body parser in front does no harm: JSON, raw and text", async () => {
  for (const parser of [express.json(), express.raw({ type: "*/*" }), express.text({ type: "*/*" })]) {
    const app = express();
    app.use(parser, listener());
    await using server = await serve(app);
    await expectGateway(server.url);
    const bad = await post(`${server.url}/v1/chat/completions`, "{}", { "content-type": "text/plain" });
    expect(bad.status).toBe(415);
  }
});

test("a body that vanished in front of the listener is named as a fault of the set-up", async () => {
  const app = express();
  app.use((req, _res, next) => void req.on("end", next).resume(), listener());
  await using server = await serve(app);
  const response = await post(`${server.url}/v1/chat/completions`, hello);
  expect([response.status, ((await response.json()) as { type: string }).type]).toEqual([500, "invalid_configuration"]);
});

test("Connect-style middleware: what is unknown goes to `next`, once", async () => {
  const handle = listener();
  let passedOn = 0;
  await using server = await serve((req, res) =>
    handle(req, res, () => {
      passedOn++;
      res.end("next");
    }),
  );
  await expectGateway(server.url);
  expect(await (await fetch(`${server.url}/nowhere`)).text()).toBe("next");
  expect(passedOn).toBe(1);
});

test("Fastify 5, on the raw request and response", async () => {
  const app = fastify();
  closers.push(() => app.close());
  const handle = listener({ prefix: "/gateway" });
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", (_request, _payload, done) => done(null)); // leaves the body to the listener
    scope.all("/gateway/*", (request, reply) => {
      reply.hijack();
      handle(request.raw, reply.raw);
    });
  });
  app.get("/own", () => "own");
  const url = await app.listen({ port: 0, host: "127.0.0.1" });
  await expectGateway(url, "/gateway");
  expect(await (await fetch(`${url}/own`)).text()).toBe("own");
});
