import type { ServerResponse } from "node:http";
import { connect, constants, createServer } from "node:http2";
import { Socket } from "node:net";
import { createGzip } from "node:zlib";
import { expect, onTestFinished, test, vi } from "vitest";
import { sinkOf } from "../../../../src/http/server/node-chunks.ts";
import { fakeClock } from "../../../../src/testing/clock.ts";
import { connectRaw, serve } from "../../support/server.ts";

const text = 'data: {"error":{"message":"cut"}}\n\n';

/** Streams one frame, then breaks off with another. */
function breakOffIn(res: Parameters<typeof sinkOf>[0]): void {
  res.writeHead(200, { "content-type": "text/event-stream" });
  const sink = sinkOf(res, fakeClock());
  sink.write("data: {}\n\n");
  setImmediate(() => sink.breakOff(text));
}

test("HTTP/1.1: the connection closes behind the last frame without the last chunk", async () => {
  await using server = await serve((_req, res) => breakOffIn(res));
  const answer = await connectRaw(server.port, "GET / HTTP/1.1\r\nhost: a\r\n\r\n").over;
  expect(answer).toContain(text);
  expect(answer).not.toContain("\r\n0\r\n\r\n");
  await expect(fetch(server.url).then((response) => response.text())).rejects.toThrow("terminated");
});

test("a response that breaks off before its first frame has the frame", async () => {
  await using server = await serve((_req, res) => {
    res.writeHead(200);
    sinkOf(res, fakeClock()).breakOff(text);
  });
  const answer = await connectRaw(server.port, "GET / HTTP/1.1\r\nhost: a\r\n\r\n").over;
  expect(answer).toContain(text);
  expect(answer).not.toContain("\r\n0\r\n\r\n");
});

test("HTTP/1.0: the connection is reset", async () => {
  const reset = vi.spyOn(Socket.prototype, "resetAndDestroy");
  onTestFinished(() => reset.mockRestore());
  await using server = await serve((_req, res) => breakOffIn(res));
  const { over } = connectRaw(server.port, "GET / HTTP/1.0\r\nhost: a\r\n\r\n");
  expect(await over).toContain(text);
  expect(reset).toHaveBeenCalledOnce(); // asked of the server: a client on Node 22.13 reads a reset as an end
});

/** Compresses as Express's middleware does: its `write` never calls back, and `flush` lets go of what was written. */
function compress(res: ServerResponse): ServerResponse {
  const gzip = createGzip();
  const write = res.write.bind(res) as (piece: Uint8Array) => boolean;
  gzip.on("data", write);
  res.setHeader("content-encoding", "gzip");
  res.write = ((piece: string) => gzip.write(piece)) as typeof res.write;
  return Object.assign(res, { flush: () => gzip.flush() });
}

test("a compressor that never calls back: the body fails once it had its time", async () => {
  const clock = fakeClock();
  await using server = await serve((_req, res) => {
    const sink = sinkOf(compress(res), clock);
    sink.breakOff(text);
  });
  const response = await fetch(server.url);
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const { value } = await reader.read();
  expect(new TextDecoder().decode(value)).toBe(text);
  clock.advance(1_000);
  await expect(reader.read()).rejects.toThrow("terminated");
});

test("HTTP/2: the stream is reset", async () => {
  const server = createServer((_req, res) => breakOffIn(res as never));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  const session = connect(`http://127.0.0.1:${port}`);
  const stream = session.request({ ":path": "/" });
  let received = "";
  stream.setEncoding("utf8").on("data", (piece) => {
    received += piece;
  });
  stream.on("error", () => {});
  await new Promise((resolve) => stream.on("close", resolve));
  expect(received).toContain(text);
  expect(stream.rstCode).toBe(constants.NGHTTP2_INTERNAL_ERROR);
  session.destroy();
  server.close();
});
