import { createServer } from "node:http";
import { describe, expect, it, vi } from "vitest";
import { type NameSystem, systemNames } from "../../../../../adapters/shared/http/dispatch/names.ts";
import { undiciTransport } from "../../../../../adapters/shared/http/dispatch/undici.ts";
import { turns } from "../../../../http/support/server.ts";
import { closedAfter, failure, portOf, post, says } from "../../../support/shared/http/setup.ts";

describe("names with several addresses, or other ones than before", () => {
  interface Resolver {
    addresses: readonly string[];
    /** Seconds that the name server states. */
    ttl?: number | undefined;
    asked: number;
    now: number;
  }

  function resolved(by: Resolver) {
    const nameSystem: NameSystem = {
      async resolve() {
        by.asked += 1;
        if (by.addresses.length === 0) throw Object.assign(new Error("no answer"), { code: "EAI_AGAIN" });
        return by.addresses.map((address) => ({ address, family: 4 }));
      },
      lifetime: async () => by.ttl,
    };
    return closedAfter(undiciTransport({ nameSystem, now: () => by.now }));
  }

  const resolver = (over: Partial<Resolver> = {}): Resolver => ({
    addresses: ["127.0.0.1"],
    asked: 0,
    now: 0,
    ...over,
  });

  it("asks the next address where the first one is dead, and that one first from then on", async () => {
    const port = await portOf(createServer(says("well")));
    const by = resolver({ addresses: ["127.0.0.2", "127.0.0.1"] });
    const transport = resolved(by);
    expect((await transport.whole(post(`http://vendor.test:${port}/`))).body).toBe("well");
    await portOf(createServer(says("risen")), "127.0.0.2", port);
    const both = await Promise.all([1, 2].map(() => transport.whole(post(`http://vendor.test:${port}/`))));
    expect(both.map(({ body }) => body)).toEqual(["well", "well"]);
    expect(by.asked).toBe(1);
  });

  it.each([
    ["that the name server states", 20, 20],
    ["of a minute where none states it", undefined, 60],
    ["of at least 5 s", 0, 5],
    ["of at most 5 min", 86_400, 300],
  ])("asks the new address once the old answer has lived its time, %s", async (_what, ttl, seconds) => {
    const port = await portOf(createServer(says("old")));
    await portOf(createServer(says("new")), "127.0.0.2", port);
    const by = resolver({ ttl });
    const transport = resolved(by);
    const ask = async () => {
      const { body } = await transport.whole(post(`http://vendor.test:${port}/`));
      await turns(5); // until the connection is idle again
      return body;
    };
    expect(await ask()).toBe("old");
    by.addresses = ["127.0.0.2"];
    by.now = seconds * 1_000 - 1;
    expect([await ask(), by.asked]).toEqual(["old", 1]);
    by.now += 1;
    expect([await ask(), by.asked]).toEqual(["new", 2]);
  });

  it("keeps its connections where the name still has their address, and where no answer comes", async () => {
    const peers = new Set<number | undefined>();
    const server = createServer((request, response) => {
      peers.add(request.socket.remotePort);
      request.resume();
      response.end("well");
    });
    const port = await portOf(server);
    const by = resolver();
    const transport = resolved(by);
    for (const addresses of [["127.0.0.1"], ["127.0.0.2", "127.0.0.1"], [], ["127.0.0.1"]]) {
      by.addresses = addresses;
      await transport.whole(post(`http://vendor.test:${port}/`));
      await turns(5);
      by.now += 61_000;
    }
    expect([peers.size, by.asked]).toEqual([1, 4]);
  });

  it("ends a call under way on the address where it began", async () => {
    let answer: (() => void) | undefined;
    const slow = createServer((request, response) => {
      request.resume();
      answer = () => response.end("old");
    });
    const port = await portOf(slow);
    await portOf(createServer(says("new")), "127.0.0.2", port);
    const by = resolver();
    const transport = resolved(by);
    const first = transport.whole(post(`http://vendor.test:${port}/`));
    await vi.waitFor(() => expect(answer).toBeDefined());
    Object.assign(by, { addresses: ["127.0.0.2"], now: 61_000 });
    expect((await transport.whole(post(`http://vendor.test:${port}/`))).body).toBe("new");
    answer?.();
    expect((await first).body).toBe("old");
  });

  it("resolves anew at once where no address accepts a connection", async () => {
    const port = await portOf(createServer(says("well")));
    const by = resolver({ addresses: ["127.0.0.2"] });
    const transport = resolved(by);
    const error = await failure(transport.whole(post(`http://vendor.test:${port}/`)));
    expect(error).toMatchObject({ code: "upstream_unreachable" });
    by.addresses = ["127.0.0.1"];
    expect((await transport.whole(post(`http://vendor.test:${port}/`))).body).toBe("well");
  });

  it("reads this machine's own names from the system, without a name server", async () => {
    const found = await systemNames.resolve("localhost");
    expect(found.map(({ address }) => address)).toContain("127.0.0.1");
    expect(await systemNames.lifetime("localhost", found)).toBeUndefined();
  });
});
