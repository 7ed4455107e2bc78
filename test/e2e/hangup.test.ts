import { createServer, type Server, type ServerResponse, request as send } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, it } from "vitest";
import { custom } from "../../adapters/providers/compatible/index.ts";
import { createEngine, type Engine } from "../../src/index.ts";
import { readBroken } from "../http/support/broken-body.ts";
import { mount } from "./gateway.ts";

/** Real sockets all the way: client, listener, engine, provider, upstream. */
const closers: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const piece = (content: string) =>
  `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, delta: { content }, finish_reason: null }] })}\n\n`;

async function upstream(answer: (response: ServerResponse) => void): Promise<string> {
  const server: Server = createServer((request, response) => {
    request.resume();
    request.on("end", () => answer(response));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

async function gatewayTo(baseUrl: string): Promise<{ engine: Engine; baseUrl: string }> {
  const engine = createEngine({ providers: [custom("up", { baseUrl })] });
  const mounted = await mount(engine);
  closers.push(() => engine.close({ graceMs: 0 }), mounted.stop);
  return { engine, baseUrl: mounted.baseUrl };
}

const body = JSON.stringify({ model: "up/m", stream: true, messages: [{ role: "user", content: "hi" }] });

it("a hang-up by the client ends the upstream call within 50 ms", async () => {
  let hungUpAt = 0;
  const ended = new Promise<number>((resolve) => {
    const answer = (response: ServerResponse) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(piece("one "));
      response.on("close", () => resolve(performance.now() - hungUpAt));
    };
    upstream(answer)
      .then(gatewayTo)
      .then(({ baseUrl }) => {
        const client = send(`${baseUrl}/v1/chat/completions`, {
          method: "POST",
          headers: { "content-type": "application/json" },
        });
        client.on("response", (response) =>
          response.once("data", () => {
            hungUpAt = performance.now();
            client.destroy();
          }),
        );
        client.on("error", () => {}); // the hang-up itself
        client.end(body);
      });
  });
  expect(await ended).toBeLessThan(50);
});

it("a hang-up before the first content ends the upstream call too", async () => {
  const ended = new Promise<void>((resolve) => {
    let client: ReturnType<typeof send>;
    const answer = (response: ServerResponse) => {
      response.on("close", resolve);
      client.destroy();
    };
    upstream(answer)
      .then(gatewayTo)
      .then(({ baseUrl }) => {
        client = send(`${baseUrl}/v1/chat/completions`, {
          method: "POST",
          headers: { "content-type": "application/json" },
        });
        client.on("error", () => {}); // the hang-up itself
        client.end(body);
      });
  });
  await ended;
});

it("a provider that dies in mid-stream gives an error frame and no [DONE]", async () => {
  const { baseUrl } = await gatewayTo(
    await upstream((response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(piece("one "), () => response.destroy());
    }),
  );
  const answer = await fetch(`${baseUrl}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  });
  const text = await readBroken(answer);
  const frames = text.split("\n\n").filter((frame) => frame.startsWith("data: "));
  expect(text).not.toContain("[DONE]");
  expect(JSON.parse(frames.at(-1)?.slice(6) ?? "")).toMatchObject({
    type: "upstream_stream_broken",
    status_code: 502,
    event_id: answer.headers.get("x-tg-event-id"),
  });
});
