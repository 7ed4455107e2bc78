import { expect, test } from "vitest";
import type { ChatChunk } from "../../src/api/chat.ts";
import type { CallOptions, Engine } from "../../src/engine.ts";
import { GatewayError } from "../../src/errors.ts";
import { createListener, type ListenerOptions } from "../../src/http/node.ts";
import { fakeClock } from "../../src/testing/clock.ts";
import { chunkOf, engineDouble, hello } from "./engine-double.ts";
import { connectRaw, post, promised, rawPost, serve, stillClock, turns } from "./server.ts";

const path = "/v1/chat/completions";
const streamed = { ...hello, stream: true };
type StreamChat = (signal: AbortSignal) => AsyncIterable<ChatChunk> | Promise<AsyncIterable<ChatChunk>>;

function streaming(streamChat: StreamChat) {
  const engine: Partial<Engine> = {
    streamChat: async (_request, options?: CallOptions) => streamChat(options?.signal as AbortSignal),
  };
  return engineDouble(engine);
}

const listen = (streamChat: StreamChat, options: Partial<ListenerOptions> = {}) =>
  serve(createListener({ engine: streaming(streamChat), clock: stillClock, ...options }));

/** Chunks without end, and what the listener did with them. */
function endless(text: string, signal: AbortSignal) {
  const seen = { pulls: 0, returns: 0, abortedAt: 0, ended: promised<void>() };
  signal.addEventListener("abort", () => {
    seen.abortedAt = performance.now();
  });
  const iterator: AsyncIterator<ChatChunk> = {
    next: async () => ({ done: false, value: chunkOf(text, seen.pulls++) }),
    return: async () => {
      seen.returns++;
      seen.ended.resolve();
      return { done: true, value: undefined };
    },
  };
  return { seen, chunks: { [Symbol.asyncIterator]: () => iterator } };
}

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
    "Connection: keep-alive",
    "Keep-Alive: timeout=5",
    "Transfer-Encoding: chunked",
  ]);
  const frames = [chunkOf("Hel\n", 0), chunkOf("lo", 1, "stop")].map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`);
  expect(body.join("\r\n\r\n")).toContain(`${frames.join("")}data: [DONE]\n\n`);
});

test("`stream` that is not true asks for a whole answer", async () => {
  const engine = engineDouble({ chat: async () => ({ id: "whole" }) as never });
  await using server = await serve(createListener({ engine, clock: stillClock }));
  for (const stream of [false, "true", 1, null]) {
    expect(await (await post(server.url + path, { ...hello, stream })).json()).toEqual({ id: "whole" });
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
  const frames = (await response.text()).split("\n\n");
  expect(frames).toHaveLength(3);
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
  const text = await (await post(server.url + path, streamed)).text();
  expect(text).toContain('"type":"internal"');
  expect(text).not.toMatch(/hunter2|DONE/);
});

test("a caller that hangs up amid a stream ends the call within 50 ms and returns the chunks exactly once", async () => {
  const started = promised<ReturnType<typeof endless>["seen"]>();
  await using server = await listen((signal) => {
    const { seen, chunks } = endless("x".repeat(100), signal);
    started.resolve(seen);
    return chunks;
  });
  const { socket, until } = connectRaw(server.port, rawPost(path, streamed));
  await until("data: ");
  const seen = await started.promise;
  const hungUpAt = performance.now();
  socket.destroy();
  await seen.ended.promise;
  expect(seen.abortedAt - hungUpAt).toBeLessThan(50);
  const { pulls } = seen;
  await turns(20);
  expect([seen.returns, seen.pulls - pulls]).toEqual([1, 0]);
});

test("a caller that hangs up while the next chunk is awaited ends the call all the same", async () => {
  const aborted = promised<number>();
  await using server = await listen(async function* (signal) {
    signal.addEventListener("abort", () => aborted.resolve(performance.now()));
    yield chunkOf("Hel");
    await new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  });
  const { socket, until } = connectRaw(server.port, rawPost(path, streamed));
  await until("Hel");
  const hungUpAt = performance.now();
  socket.destroy();
  expect((await aborted.promise) - hungUpAt).toBeLessThan(50);
});

test("a caller that hangs up before the first chunk ends the call, and a stream that comes too late is let go", async () => {
  const arrived = promised<void>();
  const late = promised<ReturnType<typeof endless>["seen"]>();
  await using server = await listen(async (signal) => {
    arrived.resolve();
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    const { seen, chunks } = endless("x", signal);
    late.resolve(seen);
    return chunks;
  });
  const { socket } = connectRaw(server.port, rawPost(path, streamed));
  await arrived.promise;
  socket.destroy();
  const seen = await late.promise;
  await seen.ended.promise;
  expect([seen.pulls, seen.returns]).toEqual([0, 1]);
});

test("a caller that hangs up while it waits for a whole answer aborts the call", async () => {
  const arrived = promised<AbortSignal>();
  const engine = engineDouble({
    chat: (_request, options) => {
      const signal = options?.signal as AbortSignal;
      arrived.resolve(signal);
      return new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    },
  });
  const reported = promised<string>();
  const onFailure: ListenerOptions["onFailure"] = (error) => reported.resolve(error.code);
  await using server = await serve(createListener({ engine, clock: stillClock, onFailure }));
  const { socket } = connectRaw(server.port, rawPost(path, hello));
  const signal = await arrived.promise;
  expect(signal.aborted).toBe(false);
  socket.destroy();
  expect(await reported.promise).toBe("request_cancelled");
});

test("an answer that was taken to its end aborts nothing", async () => {
  const signals: AbortSignal[] = [];
  await using server = await listen(async function* (signal) {
    signals.push(signal);
    yield chunkOf("Hel", 0, "stop");
  });
  await (await post(server.url + path, streamed)).text();
  await turns(20);
  expect(signals.map((signal) => signal.aborted)).toEqual([false]);
});

test("a reader that does not read is waited for: the chunks are not pulled on", async () => {
  const started = promised<ReturnType<typeof endless>["seen"]>();
  const blocked = promised<void>();
  const listener = createListener({
    engine: streaming((signal) => {
      const { seen, chunks } = endless("x".repeat(10_000), signal);
      started.resolve(seen);
      return chunks;
    }),
    clock: stillClock,
  });
  await using server = await serve((req, res) => {
    const write = res.write.bind(res) as (text: string) => boolean;
    res.write = ((text: string) => {
      const hasRoom = write(text);
      // The first full write may still fit into the kernel's buffers; what stays full after some turns is a reader that waits.
      if (!hasRoom) void turns(20).then(() => (res.writableNeedDrain ? blocked.resolve() : undefined));
      return hasRoom;
    }) as typeof res.write;
    listener(req, res);
  });
  const { socket, until } = connectRaw(server.port, rawPost(path, streamed));
  await until("data: ");
  socket.pause();
  await blocked.promise;
  const seen = await started.promise;
  const { pulls } = seen;
  await turns(50);
  expect(seen.pulls).toBe(pulls);
  expect(pulls * 10_000).toBeLessThan(50_000_000);
  socket.resume();
  await until(`"chunk_index":${pulls + 10}`);
  socket.destroy();
  await seen.ended.promise;
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
