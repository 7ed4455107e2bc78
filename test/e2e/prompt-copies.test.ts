import type { RequestListener } from "node:http";
import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { custom } from "../../adapters/providers/compatible/index.ts";
import { createListener } from "../../src/http/server/node.ts";
import { createEngine } from "../../src/index.ts";
import { connectRaw, rawPost, serve, stillClock } from "../http/support/server.ts";

/** Short bodies are begun before anybody asks for them. */
const short = 50_000;
const long = 1_000_000;

/** Bytes of the objects and the buffers of this process that are still needed: collected until three rounds in a row free nothing. */
async function bytesInUse(): Promise<number> {
  const { gc: collect } = globalThis;
  if (!collect) throw new Error("run with --expose-gc: the heap cannot be judged without it");
  let least = Number.POSITIVE_INFINITY;
  for (let idle = 0, round = 0; idle < 3 && round < 50; round++) {
    collect();
    // Buffers are freed on a thread of V8's own, behind the collection.
    await setImmediate();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    idle = heapUsed + arrayBuffers > least - short ? idle + 1 : 0;
    least = Math.min(least, heapUsed + arrayBuffers);
  }
  return least;
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

/** Bytes that so many requests of one kind hold while they wait, one prompt of `size` characters each. */
async function bytesHeld(requests: number, size: number, stream: boolean): Promise<number> {
  let arrived = 0;
  await using provider = await serve(answerNothing(() => arrived++));
  const engine = createEngine({ providers: [custom("far", { baseUrl: `${provider.url}/v1` })] });
  await using server = await serve(createListener({ engine, clock: stillClock }));
  const message = messageOf(size, stream);
  const before = await bytesInUse();
  const connections = Array.from({ length: requests }, () => connectRaw(server.port, message));
  if (stream) await Promise.all(connections.map(({ until }) => until("hello")));
  await expect.poll(() => arrived, { timeout: 10_000 }).toBe(requests);
  const held = (await bytesInUse()) - before;
  for (const { socket } of connections) socket.destroy();
  await engine.close();
  return held;
}

test.each([
  { what: "a whole answer that is waited for", size: long, stream: false },
  { what: "a stream", size: long, stream: true },
  { what: "a whole answer to a short prompt", size: short, stream: false },
])("$what holds its prompt twice, as it was read and as it was sent, and no third time", async ({ size, stream }) => {
  const requests = (10 * long) / size;
  const measured: number[] = [];
  for (let round = 0; round < 3; round++) {
    const withoutPrompt = await bytesHeld(requests, 1, stream);
    measured.push(((await bytesHeld(requests, size, stream)) - withoutPrompt) / requests / size);
  }
  // Files before this one share the process: what they still load, or let go of, falls into one round.
  const [, copies] = measured.toSorted((one, other) => one - other);
  expect(copies).toBeGreaterThan(1);
  expect(copies).toBeLessThan(2.6);
});
