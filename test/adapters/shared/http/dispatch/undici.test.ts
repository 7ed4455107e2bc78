import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createServer } from "node:tls";
import { gzipSync } from "node:zlib";
import { Agent } from "undici";
import { expect, it } from "vitest";
import { type UndiciTransportOptions, undiciTransport } from "../../../../../adapters/shared/http/dispatch/undici.ts";
import { isGatewayError } from "../../../../../src/engine/errors.ts";
import { turns } from "../../../../http/support/server.ts";
import {
  closedAfter,
  post,
  promised,
  rawServer,
  long as timeouts,
  upstream,
} from "../../../support/shared/http/setup.ts";

const transport = (options: UndiciTransportOptions = {}) => closedAfter(undiciTransport(options));

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => "no error",
    (error: unknown) => (isGatewayError(error) ? error.code : error),
  );

it("keeps the connect deadline while a TLS handshake stays unanswered", async () => {
  const { host } = await rawServer(() => {});
  const url = `https://${host}/`;
  const start = performance.now();
  const code = await codeOf(transport().whole(post(url, { timeouts: { ...timeouts, connect: 80 } })));
  expect(code).toBe("upstream_timeout");
  expect(performance.now() - start).toBeLessThan(500);
});

it("shakes hands over TLS as it was told", async () => {
  const named: string[] = [];
  const server = createServer({
    SNICallback(name, answer) {
      named.push(name);
      answer(new Error("nobody"));
    },
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closedAfter({ close: async () => void server.close() });
  const { port } = server.address() as AddressInfo;
  const { whole } = transport({ tls: { servername: "inner.test" } });
  expect(await codeOf(whole(post(`https://127.0.0.1:${port}/`)))).toBe("upstream_unreachable");
  expect(named).toEqual(["inner.test"]);
});

it("opens no connection for a call that is given up at once", async () => {
  let connections = 0;
  const { host } = await rawServer(() => connections++);
  const controller = new AbortController();
  const pending = codeOf(transport().whole(post(`http://${host}/`, { signal: controller.signal })));
  controller.abort();
  expect(await pending).toBe("request_cancelled");
  await turns(20);
  expect(connections).toBe(0);
});

it("sends nothing of a call that was given up before the connection stood, and closes its socket", async () => {
  const received: string[] = [];
  const closed = promised<void>();
  const { host } = await rawServer((socket) => {
    socket.on("data", (data) => received.push(data.toString()));
    socket.on("close", () => closed.resolve());
  });
  const controller = new AbortController();
  const pending = codeOf(transport().whole(post(`http://${host}/`, { signal: controller.signal })));
  process.nextTick(() => controller.abort()); // undici is connecting
  expect(await pending).toBe("request_cancelled");
  await closed.promise;
  expect(received).toEqual([]);
});

it.each(["whole", "stream"] as const)("tells whoever asked that its dispatcher throws (%s)", async (kind) => {
  const dispatcher = new Agent();
  dispatcher.dispatch = () => {
    throw new Error("no such thing");
  };
  const asked = transport({ dispatcher })[kind](post("http://far.test/"));
  await expect(asked).rejects.toMatchObject({
    code: "upstream_unreachable",
    message: "Cannot reach the server: Error.",
    cause: { address: "far.test: Error" },
  });
  await dispatcher.destroy();
});

it("gives all that one socket read brought as one piece", async () => {
  const { host } = await rawServer((socket) => {
    socket.once("data", () => {
      const chunks = Array.from({ length: 20 }, (_, n) => `1\r\n${String.fromCharCode(97 + n)}\r\n`).join("");
      socket.end(`HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`);
    });
  });
  const { body } = await transport().stream(post(`http://${host}/`));
  const pieces: string[] = [];
  for await (const piece of body) pieces.push(Buffer.from(piece).toString());
  expect(pieces).toEqual(["abcdefghijklmnopqrst"]);
});

it("stops reading the socket while nobody reads the body, keeps no deadline then, and loses nothing", async () => {
  const piece = Buffer.alloc(64 * 1024, 120);
  const total = 400;
  let written = 0;
  const server = await upstream(async (_seen, response) => {
    for (; written < total; written++) {
      if (!response.write(piece)) await once(response, "drain");
    }
    response.end();
  });
  const { body } = await transport().stream(post(server.url, { timeouts: { ...timeouts, gap: 150 } }));
  const pieces = body[Symbol.asyncIterator]();
  await pieces.next();
  let before = -1;
  while (written !== before) {
    before = written;
    await new Promise((resolve) => setTimeout(resolve, 200)); // the upstream stands still once all buffers are full
  }
  expect(written).toBeLessThan(total);
  let size = piece.length * 0;
  let step = await pieces.next();
  while (!step.done) {
    size += step.value.length;
    step = await pieces.next();
  }
  expect(size).toBeGreaterThan(piece.length * (total - 8));
  expect(size).toBeLessThanOrEqual(piece.length * total);
});

it("refuses a whole answer over the limit, compressed or not", async () => {
  const server = await upstream((seen, response) => {
    if (seen.path === "/gzip") {
      response.writeHead(200, { "content-encoding": "gzip" });
      response.end(gzipSync("x".repeat(5_000)));
    } else response.end("x".repeat(5_000));
  });
  const one = transport({ bodyLimit: 4_999 });
  expect(await codeOf(one.whole(post(server.url)))).toBe("upstream_invalid_response");
  expect(await codeOf(one.whole(post(`${server.url}/gzip`)))).toBe("upstream_invalid_response");
  const enough = transport({ bodyLimit: 5_000 });
  expect((await enough.whole(post(server.url))).body).toHaveLength(5_000);
  expect((await enough.whole(post(`${server.url}/gzip`))).body).toHaveLength(5_000);
});

it("refuses an encoding that it does not know, and bytes that are not of the encoding", async () => {
  const server = await upstream((seen, response) => {
    response.writeHead(200, { "content-encoding": seen.path === "/odd" ? "compress" : "gzip" });
    response.end("not compressed");
  });
  const one = transport();
  for (const path of ["/odd", "/gzip"]) {
    expect(await codeOf(one.whole(post(server.url + path)))).toBe("upstream_invalid_response");
    const read = one.stream(post(server.url + path)).then(async ({ body }) => {
      for await (const _ of body);
    });
    expect(await codeOf(read)).toBe("upstream_invalid_response");
  }
});

it("tells a compressed stream that was cut short as broken", async () => {
  const server = await upstream((_seen, response) => {
    response.writeHead(200, { "content-encoding": "gzip" });
    response.end(gzipSync("x".repeat(5_000)).subarray(0, 20));
  });
  const read = transport()
    .stream(post(server.url))
    .then(async ({ body }) => {
      for await (const _ of body);
    });
  expect(await codeOf(read)).toBe("upstream_stream_broken");
});

it("tells what is no HTTP as upstream_invalid_response", async () => {
  const { host } = await rawServer((socket) => {
    socket.once("data", () => socket.end("SSH-2.0-OpenSSH_9.6\r\n"));
  });
  expect(await codeOf(transport().whole(post(`http://${host}/`)))).toBe("upstream_invalid_response");
});

it("keeps to the number of connections that it was given", async () => {
  let running = 0;
  let most = 0;
  const server = await upstream(async (_seen, response) => {
    running += 1;
    most = Math.max(most, running);
    await new Promise(setImmediate);
    running -= 1;
    response.end("ok");
  });
  const one = transport({ connections: 2 });
  await Promise.all(Array.from({ length: 20 }, () => one.whole(post(server.url))));
  expect(server.sockets()).toBe(2);
  expect(most).toBeLessThanOrEqual(2);
});

it("lets calls in flight end when it is closed, and takes none after", async () => {
  let finish = () => {};
  const server = await upstream((_seen, response) => {
    finish = () => void response.end("ok");
  });
  const one = transport();
  const pending = one.whole(post(server.url));
  while (server.observation.length === 0) await new Promise(setImmediate);
  const closing = one.close();
  finish();
  expect((await pending).body).toBe("ok");
  await closing;
  expect(await codeOf(one.whole(post(server.url)))).toBe("shutting_down");
});
