import { getEventListeners, once } from "node:events";
import type { ServerResponse } from "node:http";
import { beforeAll, describe, expect, it } from "vitest";
import { GatewayError } from "../../../../../src/engine/errors.ts";
import type { Transport } from "../../../../../src/engine/ports/transport.ts";
import { failure, long, post, promised, textOf, transports, upstream } from "../../../support/shared/http/setup.ts";

beforeAll(async () => {
  await fetch("data:,loaded"); // the first call of fetch loads it, which takes longer than the deadlines here
});

describe.each(transports)("%s transport", (kind, transport) => {
  describe("deadlines", () => {
    const tiny = 60;
    async function timed(act: () => Promise<unknown>): Promise<{ error: GatewayError; ms: number }> {
      const start = performance.now();
      const error = await failure(act());
      return { error, ms: performance.now() - start };
    }

    it("keeps firstContent to the headers, also when it is far below a second", async () => {
      const server = await upstream(() => {});
      const timeouts = { ...long, connect: 0, firstContent: tiny };
      if (kind === "undici") timeouts.connect = long.connect;
      for (const ask of [transport().whole, transport().stream]) {
        const { error, ms } = await timed(() => ask(post(server.url, { timeouts })));
        expect(error.code).toBe("upstream_timeout");
        expect(ms).toBeGreaterThanOrEqual(tiny - 2);
        expect(ms).toBeLessThan(tiny + 400);
      }
    });

    it("keeps firstContent to the first byte of a stream", async () => {
      const server = await upstream((_seen, response) => void response.flushHeaders());
      const timeouts = { ...long, connect: kind === "undici" ? long.connect : 0, firstContent: tiny };
      const { body } = await transport().stream(post(server.url, { timeouts }));
      const { error, ms } = await timed(() => textOf(body));
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
      const whole = await timed(() => one.whole(post(server.url, { timeouts })));
      const streamed = await timed(async () => textOf((await one.stream(post(server.url, { timeouts }))).body));
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
      expect(server.observation).toHaveLength(0);
    });

    /** Milliseconds until the upstream saw its request end: the best of five, since the machine may be busy. */
    async function best(once: () => Promise<number>): Promise<number> {
      let least = Number.POSITIVE_INFINITY;
      for (let n = 0; n < 5 && least >= 50; n++) least = Math.min(least, await once());
      return least;
    }

    async function timeToAbort(one: Transport, phase: string): Promise<number> {
      const arrived = promised<ServerResponse>();
      const server = await upstream((_seen, response) => {
        if (phase === "body") response.write("half");
        arrived.resolve(response);
      });
      const controller = new AbortController();
      const request = post(server.url, { signal: controller.signal });
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
      return performance.now() - start;
    }

    it.each(["headers", "body"])("ends the upstream request at once while waiting for the %s", async (phase) => {
      expect(await best(() => timeToAbort(transport(), phase))).toBeLessThan(50);
    });

    it("throws the signal's reason when it is a GatewayError", async () => {
      const server = await upstream(() => {});
      const controller = new AbortController();
      const pending = failure(transport().whole(post(server.url, { signal: controller.signal })));
      const reason = new GatewayError("upstream_timeout", "The whole request took too long.");
      controller.abort(reason);
      expect(await pending).toBe(reason);
    });

    async function timeToStop(one: Transport): Promise<number> {
      const arrived = promised<ServerResponse>();
      const server = await upstream((_seen, response) => {
        response.write("half");
        arrived.resolve(response);
      });
      const { body } = await one.stream(post(server.url));
      const closed = once(await arrived.promise, "close");
      const start = performance.now();
      for await (const piece of body) {
        expect(Buffer.from(piece).toString()).toBe("half");
        break;
      }
      await closed;
      return performance.now() - start;
    }

    it("returning early from the body ends the upstream request at once", async () => {
      expect(await best(() => timeToStop(transport()))).toBeLessThan(50);
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
