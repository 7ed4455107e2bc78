import { expect, test } from "vitest";
import { GatewayError } from "../../../../src/engine/errors.ts";
import { createListener } from "../../../../src/http/server/node.ts";
import { fakeClock } from "../../../../src/testing/clock.ts";
import { readBroken } from "../../support/broken-body.ts";
import { chunkOf, engineDouble, hello } from "../../support/engine-double.ts";
import { connectRaw, post, promised, rawPost, serve, stillClock, turns } from "../../support/server.ts";
import { listen, path, streamed, streaming } from "../../support/streaming.ts";

test("a stream over the wire: these headers, one frame per chunk, [DONE] last", async () => {
  await using server = await listen(async function* () {
    yield chunkOf("Hel\n", 0);
    yield chunkOf("lo", 1, "stop");
  });
  const { socket, until } = connectRaw(server.port, rawPost(path, streamed));
  const text = await until("0\r\n\r\n");
  socket.destroy();
  const [head = "", ...body] = text.replace(/\r\nDate: [^\r]+/, "").split("\r\n\r\n");
  expect(head.split("\r\n")).toEqual([
    "HTTP/1.1 200 OK",
    "content-type: text/event-stream; charset=utf-8",
    "cache-control: no-cache",
    "x-accel-buffering: no",
    "x-tg-event-id: evt_1",
    "x-request-id: evt_1",
    "x-content-type-options: nosniff",
    "vary: x-tg-key, authorization, x-api-key, x-goog-api-key, api-key, auth-token, cookie, region",
    "Connection: keep-alive",
    "Keep-Alive: timeout=5",
    "Transfer-Encoding: chunked",
  ]);
  const frames = [chunkOf("Hel\n", 0), chunkOf("lo", 1, "stop")].map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`);
  expect(body.join("\r\n\r\n")).toContain(`${frames.join("")}data: [DONE]\n\n`);
});

test("`stream` that is not true asks for a whole answer", async () => {
  const engine = engineDouble({ chat: async () => ({ id: "whole", choices: [] }) as never });
  await using server = await serve(createListener({ engine, clock: stillClock }));
  for (const stream of [false, "true", 1, null]) {
    expect(await (await post(server.url + path, { ...hello, stream })).json()).toEqual({ id: "whole", choices: [] });
  }
});

test("a failure before the commit point is an answer with its status", async () => {
  await using server = await listen(() =>
    Promise.reject(new GatewayError("request_limited", "Full.", { retryAfterMs: 7_000 })),
  );
  const response = await post(server.url + path, streamed);
  expect([response.status, response.headers.get("retry-after")]).toEqual([429, "7"]);
  expect(await response.json()).toMatchObject({ extra_fields: { request_type: "chat_completion_stream" } });
});

test("a failure after the first chunk is one frame with the error body, and no [DONE]", async () => {
  const reports: string[] = [];
  await using server = await listen(
    async function* () {
      yield chunkOf("Hel");
      throw new GatewayError("upstream_stream_broken", "The stream ended early.", { provider: "double" });
    },
    { onFailure: (error) => reports.push(error.code) },
  );
  const response = await post(server.url + path, streamed);
  const frames = (await readBroken(response)).split("\n\n");
  expect(frames).toHaveLength(3);
  expect(frames[1]).toMatch(/^data: \{"error":/);
  expect(JSON.parse(frames[1]?.slice("data: ".length) ?? "")).toEqual({
    event_id: response.headers.get("x-tg-event-id"),
    type: "upstream_stream_broken",
    is_gateway_error: true,
    status_code: 502,
    error: {
      type: "upstream_stream_broken",
      code: "upstream_stream_broken",
      message: "The stream ended early.",
      param: null,
      event_id: response.headers.get("x-tg-event-id"),
    },
    extra_fields: { provider: "double", model_requested: "double/m", request_type: "chat_completion_stream" },
  });
  expect([response.status, frames[2], reports]).toEqual([200, "", ["upstream_stream_broken"]]);
});

test("a defect in the middle tells nothing of itself", async () => {
  await using server = await listen(async function* () {
    yield chunkOf("Hel");
    throw new Error("hunter2");
  });
  const text = await readBroken(await post(server.url + path, streamed));
  expect(text).toContain('"type":"internal"');
  expect(text).not.toMatch(/hunter2|DONE/);
});

test("silence is bridged by comments, which no client takes for an event", async () => {
  const clock = fakeClock();
  const goOn = promised<void>();
  await using server = await listen(
    async function* () {
      yield chunkOf("Hel", 0);
      await goOn.promise;
      yield chunkOf("lo", 1, "stop");
    },
    { clock, keepAliveMs: 15_000 },
  );
  const { socket, until } = connectRaw(server.port, rawPost(path, streamed));
  await until("Hel");
  await clock.advance(15_000);
  const text = await until(": keep-alive\n\n");
  expect(text.match(/^: keep-alive$/gm)).toHaveLength(1);
  goOn.resolve();
  await until("[DONE]");
  socket.destroy();
  await turns(5);
  expect(clock.pending).toBe(0);
});

test("chunks that come together leave together: one write for each", async () => {
  const listener = createListener({
    engine: streaming(async function* () {
      for (let n = 0; n < 20; n++) yield chunkOf("x", n, n === 19 ? "stop" : null);
    }),
    clock: stillClock,
  });
  let writes = 0;
  await using server = await serve((req, res) => {
    const write = res.write.bind(res) as (text: string) => boolean;
    res.write = ((text: string) => {
      writes++;
      return write(text);
    }) as typeof res.write;
    listener(req, res);
  });
  const text = await (await post(server.url + path, streamed)).text();
  expect(text.match(/data: /g)).toHaveLength(21);
  expect(writes).toBeLessThanOrEqual(1);
});
