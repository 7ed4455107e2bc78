import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { undiciTransport } from "../../../../../../adapters/shared/http/dispatch/undici.ts";
import type { Transport } from "../../../../../../src/engine/ports/transport.ts";
import { closedAfter, failure, post } from "../../../../support/shared/http/setup.ts";

/** A server whose connections of an earlier generation reset whatever comes; `act` answers the others. */
async function edge(act: (request: IncomingMessage, response: ServerResponse) => void = well) {
  const seen = { good: 0, stale: 0 };
  let generation = 0;
  const birth = new WeakMap<Socket, number>();
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    request.resume().on("end", () => {
      if ((birth.get(request.socket) ?? 0) < generation) {
        seen.stale++;
        request.socket.resetAndDestroy();
        return;
      }
      seen.good++;
      act(request, response);
    });
  });
  server.on("connection", (socket) => birth.set(socket, generation));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closedAfter({
    async close() {
      server.closeAllConnections();
      server.close();
    },
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/chat`;
  return { url, seen, restart: () => void generation++ };
}

/** Answers a little later, so that calls at the same time have a connection each. */
function well(_request: IncomingMessage, response: ServerResponse): void {
  setTimeout(() => response.end("well"), 10);
}

/** The text of an answer, once its connection is idle again. */
async function textOf(transport: Transport, way: "whole" | "stream", url: string): Promise<string> {
  let text = "";
  if (way === "whole") text = (await transport.whole(post(url))).body;
  else for await (const piece of (await transport.stream(post(url))).body) text += Buffer.from(piece).toString();
  await new Promise((resolve) => setImmediate(resolve));
  return text;
}

const together = (transport: Transport, count: number, url: string) =>
  Promise.all(Array.from({ length: count }, () => textOf(transport, "whole", url)));

describe.each(["whole", "stream"] as const)("the reset of a connection that had answered before (%s)", (way) => {
  it("sends the request once more, on a fresh one", async () => {
    const { url, seen, restart } = await edge();
    const transport = closedAfter(undiciTransport());
    await textOf(transport, way, url);
    restart();
    expect(await textOf(transport, way, url)).toBe("well");
    expect(seen).toEqual({ good: 2, stale: 1 });
  });

  it("drops the other idle connections of the server", async () => {
    const { url, seen, restart } = await edge();
    const transport = closedAfter(undiciTransport());
    await together(transport, 5, url);
    restart();
    await textOf(transport, way, url);
    expect(await together(transport, 5, url)).toHaveLength(5);
    expect(seen).toEqual({ good: 11, stale: 1 });
  });

  it("leaves a call alone that is under way on another one", async () => {
    let finish = () => {};
    const { url, restart } = await edge((request, response) => {
      if (request.headers["x-slow"] === undefined) return well(request, response);
      response.write("half ");
      finish = () => response.end("and half");
    });
    const transport = closedAfter(undiciTransport());
    await textOf(transport, way, url);
    const slow = transport.whole(post(url, { headers: { "x-slow": "1" } }));
    await textOf(transport, way, url);
    restart();
    await textOf(transport, way, url);
    finish();
    expect((await slow).body).toBe("half and half");
  });

  it("is the failure of the call when the fresh one is reset too", async () => {
    const { url, seen, restart } = await edge();
    const transport = closedAfter(undiciTransport());
    await textOf(transport, way, url);
    restart();
    const broken = await edge((request) => request.socket.resetAndDestroy());
    expect((await failure(textOf(transport, way, broken.url))).code).toBe("upstream_unreachable");
    expect(broken.seen.good).toBe(1);
    expect(await textOf(transport, way, url)).toBe("well");
    expect(seen.stale).toBe(1);
  });
});

it("an answer that has begun is not asked for again", async () => {
  let calls = 0;
  const { url, seen } = await edge((request, response) => {
    if (++calls === 1) response.end("well");
    else response.write("half", () => setTimeout(() => request.socket.resetAndDestroy(), 10));
  });
  const transport = closedAfter(undiciTransport());
  await textOf(transport, "whole", url);
  expect((await failure(textOf(transport, "whole", url))).message).toContain("broke off");
  expect(seen.good).toBe(2);
});

it("a request is sent twice at most, however often its connections are reset", async () => {
  let calls = 0;
  const { url } = await edge((request, response) => {
    if (++calls === 1) response.end("well");
    else request.socket.resetAndDestroy();
  });
  const transport = closedAfter(undiciTransport());
  await textOf(transport, "whole", url);
  expect((await failure(textOf(transport, "whole", url))).code).toBe("upstream_unreachable");
  expect(calls).toBe(3);
});
