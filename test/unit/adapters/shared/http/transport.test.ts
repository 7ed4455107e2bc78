import { getEventListeners, once } from "node:events";
import type { ServerResponse } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { brotliCompressSync, createGzip, deflateSync, gzipSync } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import { fetchTransport } from "../../../../../adapters/shared/http/fetch.ts";
import type { Transport, WireRequest } from "../../../../../adapters/shared/http/transport.ts";
import { undiciTransport } from "../../../../../adapters/shared/http/undici.ts";
import { GatewayError } from "../../../../../src/errors.ts";
import { type Answerer, startUpstream, type Upstream } from "../../../../../src/testing/conformance/upstream.ts";

const long = { connect: 5_000, firstContent: 5_000, gap: 5_000, whole: 5_000 };
const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function upstream(answer: Answerer): Promise<Upstream> {
  const server = await startUpstream(answer);
  closers.push(() => server.close());
  return server;
}

/** A TCP server that is no HTTP server. */
async function rawServer(act: (socket: import("node:net").Socket) => void): Promise<string> {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    closers.push(async () => void socket.destroy());
    act(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(async () => void server.close());
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function post(url: string, change: Partial<WireRequest> = {}): WireRequest {
  const signal = new AbortController().signal;
  return { method: "POST", url, headers: {}, body: "{}", signal, timeouts: long, ...change };
}

async function failure(promise: Promise<unknown>): Promise<GatewayError> {
  const thrown = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(thrown).toBeInstanceOf(GatewayError);
  return thrown as GatewayError;
}

function promised<T>() {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of body) pieces.push(piece);
  return Buffer.concat(pieces).toString("utf8");
}

const text = "Grüße, 世界 🌍 ".repeat(50);

describe.each([
  ["undici", () => undiciTransport()],
  ["fetch", () => fetchTransport(fetch)],
] satisfies [string, () => Transport][])("%s transport", (kind, make) => {
  function transport(): Transport {
    const made = make();
    closers.push(() => made.close());
    return made;
  }

  it("sends method, path, query, headers and body as given, and reads status, headers and body", async () => {
    const server = await upstream((_seen, response) => {
      response.writeHead(418, { "content-type": "text/plain", "X-Two": ["a", "b"] });
      response.end(text);
    });
    const answer = await transport().whole(
      post(`${server.url}/a/b?c=d`, { headers: { "x-one": "1" }, body: '{"e":1}' }),
    );
    expect(answer.status).toBe(418);
    expect(answer.headers["x-two"]).toMatch(/^a, ?b$/);
    expect(answer.body).toBe(text);
    expect(server.seen[0]).toMatchObject({ method: "POST", path: "/a/b?c=d", body: { e: 1 } });
    expect(server.seen[0]?.headers["x-one"]).toBe("1");
  });

  it("sends GET without a body", async () => {
    const server = await upstream((_seen, response) => void response.end("ok"));
    const request = post(server.url, { method: "GET", body: undefined });
    expect((await transport().whole(request)).body).toBe("ok");
    expect(server.seen[0]).toMatchObject({ method: "GET", path: "/", body: "" });
  });

  it("keeps sockets alive for calls that follow each other", async () => {
    const server = await upstream((_seen, response) => void response.end("ok"));
    const one = transport();
    for (let n = 0; n < 5; n++) await one.whole(post(server.url));
    const stream = await one.stream(post(server.url));
    expect(await textOf(stream.body)).toBe("ok");
    expect(server.sockets()).toBeLessThanOrEqual(2); // undici frees a socket one turn after its answer
  });

  it.each([
    ["gzip", gzipSync],
    ["br", brotliCompressSync],
    ["deflate", deflateSync],
  ] as const)("decodes %s, whole and streamed", async (encoding, compress) => {
    const server = await upstream((_seen, response) => {
      response.writeHead(200, { "content-encoding": encoding });
      response.end(compress(text));
    });
    const one = transport();
    expect((await one.whole(post(server.url))).body).toBe(text);
    expect(await textOf((await one.stream(post(server.url))).body)).toBe(text);
  });

  it("hands over each flushed piece of a compressed stream before the next one comes", async () => {
    let sendMore = () => {};
    const server = await upstream((_seen, response) => {
      const gzip = createGzip();
      response.writeHead(200, { "content-encoding": "gzip" });
      gzip.pipe(response);
      gzip.write("one");
      gzip.flush();
      sendMore = () => gzip.end("two");
    });
    const { body } = await transport().stream(post(server.url));
    const pieces = body[Symbol.asyncIterator]();
    const first = await pieces.next();
    expect(Buffer.from(first.value as Uint8Array).toString()).toBe("one");
    sendMore();
    const second = await pieces.next();
    expect(Buffer.from(second.value as Uint8Array).toString()).toBe("two");
    expect((await pieces.next()).done).toBe(true);
  });

  it("reads a body that trickles in byte by byte", async () => {
    const server = await upstream(async (_seen, response) => {
      for (const byte of Buffer.from("tröpfeln")) {
        response.write(Buffer.of(byte));
        await new Promise(setImmediate);
      }
      response.end();
    });
    const one = transport();
    expect((await one.whole(post(server.url))).body).toBe("tröpfeln");
    expect(await textOf((await one.stream(post(server.url))).body)).toBe("tröpfeln");
  });

  it("tells a refused connection as upstream_unreachable, naming the host and nothing else of the URL", async () => {
    const host = await rawServer(() => {});
    await closers.pop()?.();
    for (const ask of [transport().whole, transport().stream]) {
      const error = await failure(ask(post(`http://${host}/v1/chat?key=secret`)));
      expect(error.code).toBe("upstream_unreachable");
      expect(error.message).toContain(host);
      expect(error.message).toContain("ECONNREFUSED");
      expect(error.message).not.toMatch(/secret|chat/);
    }
  });

  it("tells a reset before the headers as upstream_unreachable", async () => {
    const host = await rawServer((socket) => socket.once("data", () => socket.resetAndDestroy()));
    for (const ask of [transport().whole, transport().stream]) {
      expect((await failure(ask(post(`http://${host}/`)))).code).toBe("upstream_unreachable");
    }
  });

  it("tells a body cut short as upstream_unreachable when whole, as upstream_stream_broken when streamed", async () => {
    const server = await upstream((_seen, response) => {
      response.writeHead(200, { "content-length": "100" });
      response.write("half", () => response.socket?.resetAndDestroy());
    });
    const one = transport();
    expect((await failure(one.whole(post(server.url)))).code).toBe("upstream_unreachable");
    const broken = one.stream(post(server.url)).then((stream) => textOf(stream.body));
    expect((await failure(broken)).code).toBe("upstream_stream_broken");
  });

  it("tells a chunked body without its end as broken, too", async () => {
    const server = await upstream((_seen, response) => {
      response.write("half", () => response.socket?.destroy());
    });
    const one = transport();
    expect((await failure(one.whole(post(server.url)))).code).toBe("upstream_unreachable");
    const broken = one.stream(post(server.url)).then((stream) => textOf(stream.body));
    expect((await failure(broken)).code).toBe("upstream_stream_broken");
  });

  it("hands over what came before a stream broke", async () => {
    const server = await upstream((_seen, response) => {
      response.write("first", () => response.socket?.resetAndDestroy());
    });
    const { body } = await transport().stream(post(server.url));
    const got: string[] = [];
    const read = (async () => {
      for await (const piece of body) got.push(Buffer.from(piece).toString());
    })();
    expect((await failure(read)).code).toBe("upstream_stream_broken");
    expect(got.join("")).toBe("first");
  });

  describe("deadlines", () => {
    const tiny = 60;
    async function timed(promise: Promise<unknown>): Promise<{ error: GatewayError; ms: number }> {
      const start = performance.now();
      const error = await failure(promise);
      return { error, ms: performance.now() - start };
    }

    it("keeps firstContent to the headers, also when it is far below a second", async () => {
      const server = await upstream(() => {});
      const timeouts = { ...long, connect: 0, firstContent: tiny };
      if (kind === "undici") timeouts.connect = long.connect;
      for (const ask of [transport().whole, transport().stream]) {
        const { error, ms } = await timed(ask(post(server.url, { timeouts })));
        expect(error.code).toBe("upstream_timeout");
        expect(ms).toBeGreaterThanOrEqual(tiny - 2);
        expect(ms).toBeLessThan(tiny + 400);
      }
    });

    it("keeps firstContent to the first byte of a stream", async () => {
      const server = await upstream((_seen, response) => void response.flushHeaders());
      const timeouts = { ...long, connect: kind === "undici" ? long.connect : 0, firstContent: tiny };
      const { body } = await transport().stream(post(server.url, { timeouts }));
      const { error, ms } = await timed(textOf(body));
      expect(error.code).toBe("upstream_timeout");
      expect(ms).toBeLessThan(tiny + 400);
    });

    it("keeps gap between two pieces, whole and streamed, and closes the socket", async () => {
      const closed: Promise<unknown>[] = [];
      const server = await upstream((_seen, response) => {
        closed.push(once(response, "close"));
        response.write("half");
      });
      const timeouts = { ...long, gap: tiny };
      const one = transport();
      const whole = await timed(one.whole(post(server.url, { timeouts })));
      const streamed = await timed(one.stream(post(server.url, { timeouts })).then((stream) => textOf(stream.body)));
      for (const { error, ms } of [whole, streamed]) {
        expect(error.code).toBe("upstream_timeout");
        expect(ms).toBeGreaterThanOrEqual(tiny - 2);
        expect(ms).toBeLessThan(tiny + 400);
      }
      await Promise.all(closed);
    });

    it("starts the gap anew with every piece", async () => {
      const server = await upstream(async (_seen, response) => {
        for (let n = 0; n < 6; n++) {
          response.write("x");
          await new Promise((resolve) => setTimeout(resolve, tiny / 2));
        }
        response.end();
      });
      const { body } = await transport().stream(post(server.url, { timeouts: { ...long, gap: tiny * 2 } }));
      expect(await textOf(body)).toBe("xxxxxx");
    });
  });

  describe("cancelling", () => {
    it("asks nobody when the signal was aborted before", async () => {
      const server = await upstream((_seen, response) => void response.end("ok"));
      const signal = AbortSignal.abort();
      expect((await failure(transport().whole(post(server.url, { signal })))).code).toBe("request_cancelled");
      expect((await failure(transport().stream(post(server.url, { signal })))).code).toBe("request_cancelled");
      expect(server.seen).toHaveLength(0);
    });

    it.each(["headers", "body"])("ends the upstream request at once while waiting for the %s", async (phase) => {
      const arrived = promised<ServerResponse>();
      const server = await upstream((_seen, response) => {
        if (phase === "body") response.write("half");
        arrived.resolve(response);
      });
      const controller = new AbortController();
      const request = post(server.url, { signal: controller.signal });
      const one = transport();
      const pending = failure(
        phase === "body" ? one.stream(request).then((stream) => textOf(stream.body)) : one.whole(request),
      );
      const response = await arrived.promise;
      const closed = once(response, "close");
      await new Promise(setImmediate);
      const start = performance.now();
      controller.abort();
      expect((await pending).code).toBe("request_cancelled");
      await closed;
      expect(performance.now() - start).toBeLessThan(50);
    });

    it("throws the signal's reason when it is a GatewayError", async () => {
      const server = await upstream(() => {});
      const controller = new AbortController();
      const pending = failure(transport().whole(post(server.url, { signal: controller.signal })));
      const reason = new GatewayError("upstream_timeout", "The whole request took too long.");
      controller.abort(reason);
      expect(await pending).toBe(reason);
    });

    it("returning early from the body ends the upstream request at once", async () => {
      const arrived = promised<ServerResponse>();
      const server = await upstream((_seen, response) => {
        response.write("half");
        arrived.resolve(response);
      });
      const { body } = await transport().stream(post(server.url));
      const closed = once(await arrived.promise, "close");
      const start = performance.now();
      for await (const piece of body) {
        expect(Buffer.from(piece).toString()).toBe("half");
        break;
      }
      await closed;
      expect(performance.now() - start).toBeLessThan(50);
    });

    it("leaves no listener on the signal, however the call ends", async () => {
      const controller = new AbortController();
      const { signal } = controller;
      const server = await upstream((seen, response) => {
        if (seen.path === "/good") response.end("ok");
        else response.write("half", () => response.socket?.resetAndDestroy());
      });
      const one = transport();
      await one.whole(post(`${server.url}/good`, { signal }));
      await textOf((await one.stream(post(`${server.url}/good`, { signal }))).body);
      await failure(one.whole(post(`${server.url}/bad`, { signal })));
      await failure(one.stream(post(`${server.url}/bad`, { signal })).then((stream) => textOf(stream.body)));
      const { body } = await one.stream(post(`${server.url}/bad`, { signal }));
      await body[Symbol.asyncIterator]().return?.();
      expect(getEventListeners(signal, "abort")).toHaveLength(0);
    });
  });
});
