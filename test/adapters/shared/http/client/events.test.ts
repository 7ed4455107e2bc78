import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { RawExchange } from "../../../../../src/engine/ports/provider.ts";
import type { Answerer } from "../../../../../src/testing/conformance/provider/upstream.ts";
import { call, json, page, secret, setUp } from "../../../support/shared/http/client-setup.ts";
import { collect, failure } from "../../../support/shared/http/setup.ts";

describe("httpClient events", () => {
  const sse = (text: string): Answerer => page(200, "text/event-stream; charset=utf-8", text);

  it("gives events batch by batch, and the raw exchange holds their data", async () => {
    const { client, server } = await setUp(sse(`data: {"a":1}\n\nevent: x\ndata: ${secret}\n\ndata: [DONE]`));
    const raw: RawExchange = {};
    const batches = await collect(client.events("/chat", { stream: true }, call(raw)));
    const data = batches.flat().map((event) => event.data);
    expect(data).toEqual(['{"a":1}', "[redacted]", "[DONE]"]);
    expect(batches.every((batch) => batch.length > 0)).toBe(true);
    expect(raw).toEqual({ request: { stream: true }, response: ['{"a":1}', "[redacted]", "[DONE]"] });
    expect(server.observation[0]?.headers.accept).toBe("text/event-stream");
  });

  it("throws the vendor's error when the stream is refused", async () => {
    const { client } = await setUp(json(429, { error: { message: "slow", code: "rate" } }, { "retry-after": "1" }));
    const error = await failure(collect(client.events("/chat", {}, call())));
    expect(error).toMatchObject({
      code: "upstream_error",
      status: 429,
      retryAfterMs: 1_000,
      upstream: { code: "rate" },
    });
  });

  it("is over once it could not begin: it does not ask again", async () => {
    const { client, server } = await setUp(json(503, {}));
    const events = client.events("/chat", {}, call());
    expect(await failure(events.next())).toMatchObject({ code: "upstream_error", status: 503 });
    expect(await events.next()).toEqual({ done: true, value: undefined });
    const { client: away, server: gone } = await setUp(sse("data: 1\n\n"));
    await gone.close();
    const unreachable = away.events("/chat", {}, call());
    expect(await failure(unreachable.next())).toMatchObject({ code: "upstream_unreachable" });
    expect(await unreachable.next()).toEqual({ done: true, value: undefined });
    expect(server.observation).toHaveLength(1);
  });

  it("reads JSON in place of events: an error inside is the vendor's, anything else cannot be read", async () => {
    const hidden = await setUp(json(200, { error: { message: "overloaded", code: 529 } }));
    const error = await failure(collect(hidden.client.events("/chat", {}, call())));
    expect(error).toMatchObject({ code: "upstream_error", status: 529, message: "overloaded" });
    const other = await setUp(json(200, { choices: [] }));
    expect((await failure(collect(other.client.events("/chat", {}, call())))).code).toBe("upstream_invalid_response");
  });

  it("refuses one endless event", async () => {
    const { client } = await setUp(
      (_seen, response) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.write(`data: ${"x".repeat(5_000)}`);
      },
      { eventLimit: 4_000 },
    );
    expect((await failure(collect(client.events("/chat", {}, call())))).code).toBe("upstream_invalid_response");
  });

  it("ends at the last event, without waiting for the server to end, and keeps the socket when it does", async () => {
    const endings: (() => Promise<void>)[] = [];
    const { client, server } = await setUp((_seen, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write("data: 1\n\ndata: [DONE]\n\n");
      endings.push(() => new Promise<void>((resolve) => response.end(resolve)));
    });
    for (let n = 0; n < 3; n++) {
      expect((await collect(client.events("/chat", {}, call()))).flat()).toHaveLength(2);
      await endings.at(-1)?.();
      for (let turn = 0; turn < 20; turn++) await nextTurn(); // what was sent within this process has been read by then
    }
    expect(server.sockets()).toBe(1);
  });

  it("closes the socket of a server that does not end after the last event", async () => {
    let closed = Promise.resolve();
    const { client } = await setUp((_seen, response) => {
      closed = new Promise((resolve) => response.once("close", () => resolve()));
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write("data: [DONE]\n\n");
    });
    await collect(client.events("/chat", {}, call()));
    await closed;
  });

  it("ends the upstream request when the reader stops", async () => {
    let closed = Promise.resolve();
    const { client } = await setUp((_seen, response) => {
      closed = new Promise((resolve) => response.once("close", () => resolve()));
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write("data: 1\n\n");
    });
    for await (const _ of client.events("/chat", {}, call())) break;
    await closed;
  });
});
