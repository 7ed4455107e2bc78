import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import { createListener } from "../../../../src/http/server/node.ts";
import { type FakeClock, fakeClock } from "../../../../src/testing/index.ts";
import { echo, engineDouble, hello } from "../../support/engine-double.ts";
import { connectRaw, promised, rawPost, serve, turns } from "../../support/server.ts";

const path = "/v1/chat/completions";
const head = (...lines: string[]) => `POST ${path} HTTP/1.1\r\nhost: x\r\n${lines.join("\r\n")}\r\n\r\n`;
const json = "content-type: application/json";

async function listen(clock: FakeClock, bodyBounds: { arrivalMs?: number } = {}) {
  const begun = promised<void>();
  const engine = engineDouble({
    chat: echo,
    clock,
    admit: () => begun.resolve(),
  });
  const server = await serve(createListener({ engine, clock, bodyBounds }));
  return { server, begun: begun.promise };
}

/** Waits until the condition holds, turn by turn of the event loop. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await turns(1);
}

describe("a body that does not arrive in time", () => {
  const starts = [
    ["short", head(json, "content-length: 100"), '{"model":'],
    ["long", head(json, "content-length: 100000"), '{"model":'],
    ["of unknown length", head(json, "transfer-encoding: chunked"), '9\r\n{"model":\r\n'],
  ] as const;

  test.each(starts)("is 408 when it is %s, and its connection closes", async (_what, start, piece) => {
    const clock = fakeClock();
    const { server, begun } = await listen(clock);
    await using _ = server;
    const { socket, received, over } = connectRaw(server.port, start);
    await begun;
    socket.write(piece);
    await until(() => clock.pending > 0);
    await clock.advance(59_999);
    await turns(20);
    expect(received()).toBe("");
    await clock.advance(1);
    const text = await over;
    expect(text).toMatch(/^HTTP\/1\.1 408 .*connection: close/is);
    expect(text).toContain("`arrivalMs`");
    await until(() => clock.pending === 0);
  });

  test.each(starts)("may take for ever with 0: %s", async (_what, start, piece) => {
    const clock = fakeClock();
    const { server, begun } = await listen(clock, { arrivalMs: 0 });
    await using _ = server;
    const { socket, received } = connectRaw(server.port, start);
    await begun;
    socket.write(piece);
    await turns(20);
    await clock.advance(86_400_000);
    await turns(20);
    expect(clock.pending).toBe(0);
    expect(received()).toBe("");
    socket.destroy();
  });

  test("leaves no timer behind when it does", async () => {
    const clock = fakeClock();
    const { server } = await listen(clock);
    await using _ = server;
    for (const filler of ["", "x".repeat(100_000)]) {
      const { socket, until: receives } = connectRaw(server.port, rawPost(path, { ...hello, user: filler }));
      expect(await receives("HTTP/1.1 ")).toMatch(/^HTTP\/1\.1 200 /);
      socket.destroy();
      await until(() => clock.pending === 0);
    }
  });
});

describe("a connection that closes behind its answer", () => {
  /** A client that goes on sending when the server has ended. */
  function stubborn(port: number) {
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    const closed = promised<void>();
    const ended = promised<void>();
    let text = "";
    socket.on("error", () => {});
    socket.on("data", (piece) => {
      text += piece;
    });
    socket.on("end", ended.resolve);
    socket.on("close", () => closed.resolve());
    socket.write(`POST /nowhere HTTP/1.1\r\nhost: x\r\n${json}\r\ncontent-length: 50000000\r\n\r\n`);
    return { socket, received: () => text, ended: ended.promise, closed: closed.promise };
  }

  test("is read for a second, so that its client reads the answer, and no longer", async () => {
    const clock = fakeClock();
    const { server } = await listen(clock);
    await using _ = server;
    const { socket, received, ended, closed } = stubborn(server.port);
    await ended;
    expect(received()).toMatch(/^HTTP\/1\.1 404 .*connection: close/is);
    await clock.advance(999);
    socket.write("x".repeat(100_000));
    await turns(20);
    expect(socket.destroyed).toBe(false);
    await clock.advance(1);
    const push = setInterval(() => socket.write("x"), 1); // what is sent now is answered with a reset
    await closed;
    clearInterval(push);
    expect(clock.pending).toBe(0);
  });

  test("is read for 4 MiB and no more", async () => {
    const clock = fakeClock();
    const { server } = await listen(clock);
    await using _ = server;
    const { socket, received, ended, closed } = stubborn(server.port);
    await ended;
    let sent = 0;
    const piece = Buffer.alloc(65_536, "x");
    const push = () => {
      while (!socket.destroyed && sent < 40_000_000) {
        sent += piece.length;
        if (!socket.write(piece)) return;
      }
    };
    socket.on("drain", push);
    push();
    await closed;
    expect(sent).toBeGreaterThan(4 * 1024 * 1024);
    expect(sent).toBeLessThan(40_000_000);
    expect(received()).toMatch(/^HTTP\/1\.1 404 /);
    await until(() => clock.pending === 0);
  });
});
