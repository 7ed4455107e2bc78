import type { RequestListener } from "node:http";
import fc from "fast-check";
import { expect, test } from "vitest";
import { sinkOf } from "../../../src/http/server/node-chunks.ts";
import { fakeClock } from "../../../src/testing/clock.ts";
import { connectRaw, serve } from "../support/server.ts";

/** All that the server sends to what is written, until it closes. */
const exchange = (port: number, sent: string): Promise<string> => connectRaw(port, sent).over;

const closing = "GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n";
const staying = "GET / HTTP/1.1\r\nhost: a\r\n\r\n";

/** Answers with the texts, each in a turn of its own. */
function told(texts: readonly string[]): RequestListener {
  return async (_req, res) => {
    res.writeHead(200, { "content-type": "text/plain" });
    const sink = sinkOf(res, fakeClock());
    for (const text of texts) {
      sink.write(text);
      await new Promise((resolve) => setImmediate(resolve));
    }
    sink.end("end");
  };
}

/** The chunks of an answer, each checked against its own size. */
function chunksOf(answer: string): string[] {
  let rest = Buffer.from(answer.slice(answer.indexOf("\r\n\r\n") + 4));
  const chunks: string[] = [];
  for (;;) {
    const line = rest.indexOf("\r\n");
    const size = Number.parseInt(rest.subarray(0, line).toString(), 16);
    const end = line + 2 + size;
    expect(rest.subarray(end, end + 2).toString()).toBe("\r\n");
    if (size === 0) return chunks;
    chunks.push(rest.subarray(line + 2, end).toString());
    rest = rest.subarray(end + 2);
  }
}

test("any texts are the chunks of an HTTP/1.1 answer, whatever characters they have", async () => {
  let texts: readonly string[] = [];
  await using server = await serve((req, res) => told(texts)(req, res));
  const text = fc.string({ unit: "binary", minLength: 1, maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(fc.array(text, { maxLength: 5 }), async (drawn) => {
      texts = drawn;
      expect(chunksOf(await exchange(server.port, closing))).toEqual([...drawn, "end"]);
    }),
    { numRuns: 50 },
  );
});

test("the connection serves the next request", async () => {
  await using server = await serve(told(["one", "two"]));
  const answers = await exchange(server.port, `${staying}${closing}`);
  expect(answers.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2);
  expect(answers.match(/3\r\none\r\n3\r\ntwo\r\n3\r\nend\r\n0\r\n\r\n/g)).toHaveLength(2);
});

test("a pipelined answer waits for the one before it", async () => {
  let turn = 0;
  const waiting: (() => void)[] = [];
  await using server = await serve((req, res) => {
    if (turn++ === 0) waiting.push(() => void told(["first"])(req, res));
    else {
      told(["second"])(req, res);
      waiting[0]?.();
    }
  });
  const answers = await exchange(server.port, `${staying}${closing}`);
  expect(answers.indexOf("first")).toBeGreaterThan(0);
  expect(answers.indexOf("first")).toBeLessThan(answers.indexOf("second"));
});

test("HTTP/1.0 knows no chunks", async () => {
  await using server = await serve(told(["one", "two"]));
  const answer = await exchange(server.port, "GET / HTTP/1.0\r\n\r\n");
  expect(answer.slice(answer.indexOf("\r\n\r\n") + 4)).toBe("onetwoend");
});

test("a wrapper of `write` sees every text", async () => {
  const seen: unknown[] = [];
  await using server = await serve((req, res) => {
    const write = res.write.bind(res) as (text: unknown) => boolean;
    res.write = ((text: unknown) => {
      seen.push(text);
      return write(text);
    }) as typeof res.write;
    return told(["one", "two", "three"])(req, res);
  });
  await exchange(server.port, closing);
  expect(seen).toEqual(["one", "two", "three"]);
});

test("a full socket says so, and tells when it has drained", async () => {
  let writes = 0;
  let writesAtDrain: number | undefined;
  await using server = await serve((_req, res) => {
    res.writeHead(200);
    const sink = sinkOf(res, fakeClock());
    sink.on("drain", () => {
      writesAtDrain = writes;
      sink.end("end");
    });
    while (sink.write("x".repeat(65_536))) writes++;
  });
  const answer = await exchange(server.port, closing);
  expect(writesAtDrain).toBe(writes);
  expect(answer.endsWith("3\r\nend\r\n0\r\n\r\n")).toBe(true);
});

test("nothing is left on the socket when the answer is over", async () => {
  await using server = await serve((req, res) => {
    const { socket } = req;
    const before = socket.listenerCount("drain");
    res.on("finish", () => setImmediate(() => socket.end(String(socket.listenerCount("drain") - before))));
    return told(["one", "two"])(req, res);
  });
  expect((await exchange(server.port, staying)).endsWith("0\r\n\r\n0")).toBe(true);
});
