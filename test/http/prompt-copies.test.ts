import type { RequestListener } from "node:http";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { custom } from "../../adapters/providers/compatible/index.ts";
import { createListener } from "../../src/http/server/node.ts";
import { createEngine } from "../../src/index.ts";
import { connectRaw, rawPost, serve, stillClock } from "./server.ts";

/** Short bodies are begun before anybody asks for them. */
const short = 50_000;
const long = 1_000_000;

/** Bytes of the objects and the buffers of this process that are still needed. */
function bytesInUse(): number {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  collect();
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** Reads a request, tells of it, and answers no more than the first event of a stream. */
function answerNothing(onRequest: () => void): RequestListener {
  const first = { id: "1", choices: [{ index: 0, delta: { role: "assistant", content: "hello" } }] };
  return (request, response) => {
    request.resume().on("end", () => {
      onRequest();
      if (request.headers.accept !== "text/event-stream") return;
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(`data: ${JSON.stringify(first)}\n\n`);
    });
  };
}

/** What is sent again and again: one copy for all. */
function messageOf(size: number, stream: boolean): Buffer {
  const body = { model: "far/m", stream, messages: [{ role: "user", content: "x".repeat(size) }] };
  return Buffer.from(rawPost("/v1/chat/completions", body));
}

test.each([
  { what: "a whole answer that is waited for", size: long, stream: false },
  { what: "a stream", size: long, stream: true },
  { what: "a whole answer to a short prompt", size: short, stream: false },
])("$what holds its prompt twice, as it was read and as it was sent, and no third time", async ({ size, stream }) => {
  const requests = (10 * long) / size;
  let arrived = 0;
  await using provider = await serve(answerNothing(() => arrived++));
  const engine = createEngine({ providers: [custom("far", { baseUrl: `${provider.url}/v1` })] });
  await using server = await serve(createListener({ engine, clock: stillClock }));
  const message = messageOf(size, stream);
  const before = bytesInUse();
  const connections = Array.from({ length: requests }, () => connectRaw(server.port, message));
  if (stream) await Promise.all(connections.map(({ until }) => until("hello")));
  await expect.poll(() => arrived, { timeout: 10_000 }).toBe(requests);
  const copies = (bytesInUse() - before) / requests / size;
  for (const { socket } of connections) socket.destroy();
  await engine.close();
  expect(copies).toBeGreaterThan(1);
  expect(copies).toBeLessThan(2.6);
});
