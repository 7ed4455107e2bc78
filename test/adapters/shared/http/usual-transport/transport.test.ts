import { brotliCompressSync, createGzip, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { addressOfFailure } from "../../../../../src/engine/errors.ts";
import { failure, post, rawServer, textOf, transports, upstream } from "../../../support/shared/http/setup.ts";

const text = "Grüße, 世界 🌍 ".repeat(50);

describe.each(transports)("%s transport", (_kind, transport) => {
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
    expect(server.observation[0]).toMatchObject({ method: "POST", path: "/a/b?c=d", body: { e: 1 } });
    expect(server.observation[0]?.headers["x-one"]).toBe("1");
  });

  it.each([
    [200, true],
    [302, false],
    [404, false],
    [500, false],
  ])("tells that a whole answer begins unless it is a refusal: %i", async (status, begins) => {
    const server = await upstream((_seen, response) => void response.writeHead(status).end("{}"));
    let hasBegun = false;
    const onBegin = () => {
      hasBegun = true;
    };
    await transport().whole(post(server.url, { onBegin }));
    expect(hasBegun).toBe(begins);
  });

  it("sends GET without a body", async () => {
    const server = await upstream((_seen, response) => void response.end("ok"));
    const request = post(server.url, { method: "GET", body: undefined });
    expect((await transport().whole(request)).body).toBe("ok");
    expect(server.observation[0]).toMatchObject({ method: "GET", path: "/", body: "" });
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

  it("tells a refused connection as upstream_unreachable, naming who was asked; the host is for the log", async () => {
    const { host, close } = await rawServer(() => {});
    await close();
    for (const ask of [transport().whole, transport().stream]) {
      const error = await failure(ask({ ...post(`http://${host}/v1/chat?key=secret`), peer: "acme" }));
      expect(error.code).toBe("upstream_unreachable");
      expect(error.message).toBe("Cannot reach acme: ECONNREFUSED.");
      expect(addressOfFailure(error)).toBe(`${host}: ECONNREFUSED`);
    }
  });

  it("tells a reset before the headers as upstream_unreachable", async () => {
    const { host } = await rawServer((socket) => socket.once("data", () => socket.resetAndDestroy()));
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
});
