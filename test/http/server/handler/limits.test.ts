import { request as httpRequest } from "node:http";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import type { ChatRequest } from "../../../../src/engine/api/chat.ts";
import { type CoreListenerOptions, createListener } from "../../../../src/http/server/node.ts";
import { echo, engineDouble, hello } from "../../support/engine-double.ts";
import { connectRaw, post, promised, rawPost, serve, stillClock } from "../../support/server.ts";

const path = "/v1/chat/completions";
const listen = (options: Partial<CoreListenerOptions> = {}) =>
  serve(createListener({ engine: engineDouble({ chat: echo }), clock: stillClock, ...options }));
const head = (...lines: string[]) => `POST ${path} HTTP/1.1\r\nhost: x\r\n${lines.join("\r\n")}\r\n\r\n`;
const json = "content-type: application/json";
const typeOf = (text: string) => /"type":"(\w+)"/.exec(text)?.[1];

test("a declared length over the limit is 413 before a byte of the body is sent, and the connection closes", async () => {
  await using server = await listen({ bodyLimit: 1_000 });
  const { over } = connectRaw(server.port, head(json, "content-length: 2000000"));
  const text = await over;
  expect(text).toMatch(/^HTTP\/1\.1 413 /);
  expect(typeOf(text)).toBe("request_too_large");
  expect(text).toContain("connection: close");
});

test("the limit is 32 MiB unless it is said otherwise", async () => {
  await using server = await listen();
  const { over } = connectRaw(server.port, head(json, "content-length: 33554433"));
  expect(await over).toMatch(/^HTTP\/1\.1 413 /);
});

test("a chunked body is cut off at the limit: the rest is not read", async () => {
  await using server = await listen({ bodyLimit: 10_000 });
  const { socket, over } = connectRaw(server.port, head(json, "transfer-encoding: chunked"));
  const piece = `2000\r\n${" ".repeat(0x2000)}\r\n`;
  let sent = 0;
  const send = () => {
    while (!socket.destroyed && sent < 10_000_000 && socket.write(piece)) sent += 0x2000;
    if (sent >= 10_000_000) socket.end();
  };
  socket.on("drain", send);
  send();
  const text = await over;
  expect(text).toMatch(/^HTTP\/1\.1 413 /);
  expect(sent).toBeLessThan(10_000_000);
});

test("a body of exactly the limit passes", async () => {
  const body = JSON.stringify(hello);
  await using server = await listen({ bodyLimit: body.length });
  expect((await post(server.url + path, body)).status).toBe(200);
  expect((await post(server.url + path, `${body} `)).status).toBe(413);
});

test("after a small body over the limit the connection goes on", async () => {
  await using server = await listen({ bodyLimit: 10 });
  const { socket, until } = connectRaw(
    server.port,
    `${head(json, "content-length: 20")}${" ".repeat(20)}GET /health HTTP/1.1\r\nhost: x\r\n\r\n`,
  );
  const text = await until('{"status":"ok"}');
  socket.destroy();
  expect(text).toMatch(/^HTTP\/1\.1 413 /);
});

test("clients that send on regardless still read their 413", async () => {
  await using server = await listen({ bodyLimit: 1_000_000 });
  const response = await post(server.url + path, JSON.stringify({ ...hello, user: "x".repeat(4_000_000) }));
  expect([response.status, ((await response.json()) as { type: string }).type]).toEqual([413, "request_too_large"]);
});

test.each([
  ["no content-type", []],
  ["a form", ["content-type: application/x-www-form-urlencoded"]],
  ["text", ["content-type: text/plain;charset=UTF-8"]],
])("a body with %s is 415", async (_name, lines) => {
  await using server = await listen();
  const { socket, until } = connectRaw(server.port, `${head(...lines, "content-length: 2")}{}`);
  const text = await until("}}");
  socket.destroy();
  expect(text).toMatch(/^HTTP\/1\.1 415 /);
  expect(typeOf(text)).toBe("unsupported_media_type");
});

test.each([
  ["no body", []],
  ["an empty body", ["content-length: 0"]],
])("%s is 400", async (_name, lines) => {
  await using server = await listen();
  const { socket, until } = connectRaw(server.port, head(json, ...lines));
  const text = await until("}}");
  socket.destroy();
  expect(text).toMatch(/^HTTP\/1\.1 400 /);
  expect(text).toContain("is empty");
});

test("a compressed body is read, whatever pieces it comes in", async () => {
  await using server = await listen();
  const body = gzipSync(JSON.stringify(hello));
  const status = await new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json", "content-encoding": "gzip" };
    const req = httpRequest(server.url + path, { method: "POST", headers }, (res) => resolve(res.resume().statusCode));
    req.on("error", reject);
    req.flushHeaders();
    for (const byte of body) req.write(Buffer.of(byte));
    req.end();
  });
  expect(status).toBe(200);
});

test("a caller that hangs up amid its body leaves nothing behind: the engine is never asked", async () => {
  const arrived = promised<void>();
  const failed = promised<string>();
  const engine = engineDouble({ chat: echo });
  const newEventId = () => {
    arrived.resolve();
    return "evt_1";
  };
  await using server = await listen({
    engine: { ...engine, newEventId },
    onFailure: ({ code }) => failed.resolve(code),
  });
  const { socket } = connectRaw(server.port, `${head(json, "content-length: 100")}{"model":`);
  await arrived.promise;
  socket.destroy();
  expect(await failed.promise).toBe("request_cancelled");
  expect(engine.asked).toEqual([]);
});

test("an error that comes before a large body is read closes the connection", async () => {
  await using server = await listen();
  const { over } = connectRaw(
    server.port,
    `POST /nowhere HTTP/1.1\r\nhost: x\r\n${json}\r\ncontent-length: 50000000\r\n\r\n`,
  );
  expect(await over).toMatch(/^HTTP\/1\.1 404 /);
});

test("so does one before a body whose length nobody knows, and none where no body comes", async () => {
  await using server = await listen();
  const chunked = connectRaw(
    server.port,
    `POST /nowhere HTTP/1.1\r\nhost: x\r\n${json}\r\ntransfer-encoding: chunked\r\n\r\n`,
  );
  expect(await chunked.over).toMatch(/^HTTP\/1\.1 404 .*connection: close/s);
  const bare = "GET /nowhere HTTP/1.1\r\nhost: x\r\n\r\n";
  const { socket, until } = connectRaw(server.port, `${bare}${bare}GET /health HTTP/1.1\r\nhost: x\r\n\r\n`);
  expect((await until('{"status":"ok"}')).match(/HTTP\/1\.1 404 /g)).toHaveLength(2);
  socket.destroy();
});

test("a refused request with a short body may send the rest of it, and the connection goes on", async () => {
  await using server = await listen();
  const { socket, until } = connectRaw(
    server.port,
    `POST /nowhere HTTP/1.1\r\nhost: x\r\n${json}\r\ncontent-length: 40000\r\n\r\n{`,
  );
  await until("HTTP/1.1 404 ");
  socket.write(`${" ".repeat(39_999)}GET /health HTTP/1.1\r\nhost: x\r\n\r\n`);
  await until('{"status":"ok"}');
  socket.destroy();
});

test("a caller that hangs up between its request and the end of that turn is known to be gone", async () => {
  const gone = promised<boolean>();
  const engine = engineDouble({
    chat: (request, options) => {
      gone.resolve(options?.signal?.aborted === true);
      return echo(request as ChatRequest);
    },
  });
  const listener = createListener({ engine, clock: stillClock });
  await using server = await serve((req, res) => {
    listener(req, res);
    // As Node does in the turns behind, and here in front of the turn's end:
    res.emit("close");
    Object.defineProperty(res, "closed", { value: true });
  });
  const { socket } = connectRaw(server.port, rawPost(path, hello));
  expect(await gone.promise).toBe(true);
  socket.destroy();
});
