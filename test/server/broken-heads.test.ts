import { once } from "node:events";
import { connect } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { headLimit } from "../../src/server/broken-heads.ts";
import { type Listening, startServer } from "../../src/server/server.ts";

let server: Listening | undefined;
afterEach(() => server?.close(0));

async function open() {
  const failed: [code: string, eventId: string][] = [];
  let count = 0;
  const heads = {
    newEventId: () => `evt_${++count}`,
    onFailure: ({ code }: { readonly code: string }, { eventId }: { readonly eventId: string }) =>
      void failed.push([code, eventId]),
  };
  server = await startServer((request, response) => response.end(String(request.url?.length)), place, heads);
  const { port } = server;
  /** Sends bytes as they are; resolves with all that came back. */
  const send = async (text: string) => {
    const socket = connect(port, "127.0.0.1");
    socket.end(text);
    const pieces: Buffer[] = [];
    socket.on("data", (piece) => pieces.push(piece));
    await once(socket, "close");
    const [head = "", body = ""] = Buffer.concat(pieces).toString().split("\r\n\r\n");
    return { head, body };
  };
  return { send, failed };
}

const place = { host: "127.0.0.1", port: 0 };

describe("a request that Node's parser refuses", () => {
  it.each([
    ["a head that is too long", `GET / HTTP/1.1\r\nhost: a\r\nx-a: ${"a".repeat(headLimit)}\r\n\r\n`, 431],
    ["a query that is too long", `GET /?${"a".repeat(headLimit)} HTTP/1.1\r\nhost: a\r\n\r\n`, 431],
    ["no HTTP at all", "GARBAGE\r\n\r\n", 400],
    ["a header without a name", "GET / HTTP/1.1\r\nhost: a\r\n: b\r\n\r\n", 400],
    ["a body of two lengths", "POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\na", 400],
  ])("is answered and reported like any other failure: %s", async (_name, text, status) => {
    const { send, failed } = await open();
    const { head, body } = await send(text);
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    const code = status === 431 ? "request_too_large" : "invalid_request";
    expect(JSON.parse(body)).toMatchObject({
      ...{ status_code: status, event_id: "evt_1", is_gateway_error: true },
      error: { code, event_id: "evt_1" },
    });
    expect(head).toContain("x-tg-event-id: evt_1");
    expect(head).toContain(`content-length: ${Buffer.byteLength(body)}`);
    expect(failed).toEqual([[code, "evt_1"]]);
  });

  it("is none where the head has a thousand identifiers", async () => {
    const { send, failed } = await open();
    const ids = Array.from({ length: 1_000 }, (_unused, at) => `ids=vk_${String(at).padStart(20, "0")}`).join("&");
    const { head } = await send(`GET /?${ids} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`);
    expect(head).toMatch(/^HTTP\/1\.1 200 /);
    expect(failed).toEqual([]);
  });

  it("never gets into an answer that is under way", async () => {
    let answer = (_text: string) => {};
    const heads = { newEventId: () => "evt_1", onFailure: () => {} };
    server = await startServer(
      (_request, response) => {
        response.write("begun");
        answer = (text) => void response.end(text);
      },
      place,
      heads,
    );
    const socket = connect(server.port, "127.0.0.1");
    let got = "";
    socket.on("data", (piece) => {
      got += piece.toString();
      if (got.includes("begun")) socket.write("GARBAGE\r\n\r\n");
    });
    socket.write("GET / HTTP/1.1\r\nhost: a\r\n\r\n");
    await once(socket, "close");
    answer("done");
    expect(got.match(/HTTP\/1\.1/g)).toHaveLength(1);
    expect(got).not.toContain("evt_1");
  });
});
