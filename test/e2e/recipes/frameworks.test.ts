import { createEngine, defineProvider, type Engine } from "tollgate";
import type { Script } from "tollgate/testing";
import { afterEach, describe, expect, it } from "vitest";
import * as express from "../../../examples/recipes/express.ts";
import * as fastify from "../../../examples/recipes/fastify.ts";
import * as hono from "../../../examples/recipes/hono.ts";
import * as nest from "../../../examples/recipes/nest.ts";
import * as next from "../../../examples/recipes/next.ts";
import { chat, closeAll, closers, listen, model, question, servingEngine } from "./serving.ts";

afterEach(closeAll);

type Send = (path: string, body: unknown) => Promise<Response>;

function sendTo(base: string, request: (url: string, init: RequestInit) => Promise<Response> | Response = fetch): Send {
  return async (path, body) => {
    const headers = { "content-type": "application/json" };
    return request(base + path, { method: "POST", headers, body: JSON.stringify(body) });
  };
}

/** The gateway's own API behind a framework: whole, streamed, refused, and a body beyond what parsers take by default. */
async function expectGateway(send: Send): Promise<void> {
  const whole = (await (await send("/v1/chat/completions", chat)).json()) as { choices: unknown };
  expect(whole.choices).toMatchObject([{ message: { content: "A fee for the road." } }]);
  const streamed = await send("/v1/chat/completions", { ...chat, stream: true });
  expect(streamed.headers.get("content-type")).toMatch(/^text\/event-stream/);
  expect(await streamed.text()).toMatch(/"content":"road\.".*data: \[DONE\]\n\n$/s);
  const refused = await send("/v1/chat/completions", { model });
  expect([refused.status, ((await refused.json()) as { type: string }).type]).toEqual([400, "invalid_request"]);
  const long = { model, messages: [{ role: "user", content: "word ".repeat(500_000) }] };
  expect((await send("/v1/chat/completions", long)).status).toBe(200);
}

/** A route of the application that asks the engine. */
async function expectAsk(send: Send, failing: Send): Promise<void> {
  expect(await (await send("/ask", { question })).json()).toEqual({ text: "A fee for the road." });
  const failed = await failing("/ask", { question });
  expect(failed.status).toBe(404);
  expect(await failed.json()).toMatchObject({ code: "upstream_error" });
}

const failingScript: Script = { [model]: [{ kind: "fail", status: 404, message: "no such model" }] };

describe("recipes of frameworks", () => {
  it("Express: the gateway behind a body parser, and a route", async () => {
    const send = sendTo(await listen(express.makeApp(servingEngine())));
    await expectGateway((path, body) => send(`/ai${path}`, body));
    await expectAsk(send, sendTo(await listen(express.makeApp(servingEngine(failingScript)))));
  });

  it("Express: a client that leaves ends the provider's work", async () => {
    const leaving = new AbortController();
    const ended = new Promise<void>((resolve, reject) => {
      const slow = defineProvider({
        name: "openai",
        chat: (_request, { signal }) =>
          new Promise((_resolve, refuse) => {
            signal.addEventListener("abort", () => resolve(refuse(signal.reason as Error)), { once: true });
            leaving.abort();
          }),
      });
      const engine = createEngine({ providers: [slow] });
      closers.push(() => engine.close());
      const headers = { "content-type": "application/json" };
      const init = { method: "POST", headers, body: JSON.stringify({ question }), signal: leaving.signal };
      listen(express.makeApp(engine))
        .then((base) => fetch(`${base}/ask`, init))
        .then(reject, () => {});
    });
    await ended;
  });

  it("Fastify: the gateway behind its default body parser, and a route", async () => {
    const serve = async (engine: Engine) => {
      const app = fastify.makeApp(engine);
      closers.push(() => app.close());
      return sendTo(await app.listen({ port: 0, host: "127.0.0.1" }));
    };
    const send = await serve(servingEngine());
    await expectGateway((path, body) => send(`/ai${path}`, body));
    await expectAsk(send, await serve(servingEngine(failingScript)));
  });

  it("Hono: the gateway, and a route that streams", async () => {
    const app = hono.makeApp(servingEngine());
    const send = sendTo("http://host", (url, init) => app.request(url, init));
    await expectGateway((path, body) => send(`/ai${path}`, body));
    expect(await (await send("/ask", { question })).text()).toBe("A fee for the road.");
  });

  it("Next: route handlers", async () => {
    const { POST, GET } = next.gatewayRoute(servingEngine());
    const send = sendTo("http://host/api/ai", (url, init) => POST(new Request(url, init)));
    await expectGateway(send);
    const models = (await (await GET(new Request("http://host/api/ai/v1/models"))).json()) as { object: string };
    expect(models.object).toBe("list");
    const answer = await sendTo("http://host", (url, init) => next.askRoute(servingEngine())(new Request(url, init)))(
      "/api/ask",
      { question },
    );
    expect(answer.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    expect(await answer.text()).toBe("A fee for the road.");
  });

  it("Nest: the gateway, and a controller that the engine is injected into", async () => {
    const serve = async (engine: Engine) => {
      const app = await nest.makeApp(engine);
      closers.push(() => app.close());
      await app.listen(0, "127.0.0.1");
      return sendTo(await app.getUrl());
    };
    const send = await serve(servingEngine());
    await expectGateway((path, body) => send(`/ai${path}`, body));
    await expectAsk(send, await serve(servingEngine(failingScript)));
  });
});
