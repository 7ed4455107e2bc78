import { expect, test } from "vitest";
import { type CoreListenerOptions, createListener } from "../../../../src/http/server/node.ts";
import { chunkOf, engineDouble, hello } from "../../support/engine-double.ts";
import { connectRaw, post, promised, rawPost, serve, stillClock, turns } from "../../support/server.ts";
import { endless, listen, path, streamed, streaming } from "../../support/streaming.ts";

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
  const onFailure: CoreListenerOptions["onFailure"] = (error) => reported.resolve(error.code);
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
