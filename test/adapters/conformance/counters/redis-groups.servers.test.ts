import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { redisCache } from "../../../../adapters/caches/redis/index.ts";
import { redisCounters } from "../../../../adapters/counters/redis/index.ts";
import { connectRedis } from "../../../../src/server/store/redis/connection.ts";
import { hold, mustReserve, start } from "../../../../src/testing/conformance/counters/probe.ts";
import { startCluster, startSentinels } from "./redis-groups.ts";
import type { RedisServer } from "./redis-server.ts";

describe.each([
  { name: "sentinels", open: startSentinels },
  { name: "a cluster", open: startCluster },
])("$name", ({ open }) => {
  let group: Awaited<ReturnType<typeof open>>;
  beforeAll(async () => {
    group = await open();
  });
  afterAll(() => group.stop());

  const connect = async (setting: string) => {
    const connection = await connectRedis({ address: group.address, setting });
    onTestFinished(() => connection.close());
    return connection.client;
  };

  it("keep counts and answers of several scopes", async () => {
    const client = await connect("counters");
    const counters = redisCounters({ time: "caller", client });
    const ticket = await mustReserve(counters, [hold({ counter: "one" }), hold({ counter: "two" })]);
    expect(await counters.settle(ticket, [4, 5], start)).toMatchObject({ isFirst: true });
    expect(await counters.read(["one", "two"], start)).toMatchObject([{ used: 4 }, { used: 5 }]);
    const cache = redisCache({ client: await connect("cache.answers") });
    const answer = { body: "b", provider: "p", deployment: "d", cost: 0, warnings: [], storedAt: 0, expiresAt: 9_000 };
    for (const scope of ["a", "b", "c", "d"]) await cache.put(scope, "id", answer);
    for (const scope of ["a", "b", "c", "d"]) expect(await cache.get(scope, "id", 1)).toEqual(answer);
    expect(await cache.clear("a")).toBe(1);
    expect(await cache.get("a", "id", 1)).toBeUndefined();
  });

  it("say of the node that keeps the counters what it does when its memory is full", async () => {
    const connection = await connectRedis({ address: group.address, setting: "counters" });
    onTestFinished(() => connection.close());
    expect(await connection.info()).toMatch(/^maxmemory_policy:noeviction/m);
  });

  it("lose the primary: calls go on at the one that takes over, and what was counted stands", async () => {
    const counters = redisCounters({ time: "caller", client: await connect("counters") });
    onTestFinished(() => counters.close?.());
    const before = await mustReserve(counters, [hold({ counter: "failing-over" })]);
    await counters.settle(before, [4], start);
    const open = await mustReserve(counters, [hold({ counter: "failing-over" })]);
    const primary = await findPrimary(group.servers, "{tollgate}:failing-over");
    await waitForReplicas(primary);
    await primary.kill();
    expect(await counters.settle(open, [5], start)).toMatchObject({ isFirst: true }); // sent again until somebody answers
    await vi.waitFor(async () => void (await mustReserve(counters, [hold({ counter: "failing-over" })])), {
      timeout: 20_000,
    });
    const [reading] = await counters.read(["failing-over"], start);
    expect(reading?.used).toBe(9);
    expect(await findPrimary(group.servers, "{tollgate}:failing-over")).not.toBe(primary);
  });
});

describe("an address of servers of which none answers", () => {
  it.each([
    ["redis+sentinel://127.0.0.1:1,127.0.0.1:2/main", "redis+sentinel://127.0.0.1:1,127.0.0.1:2/main"],
    ["redis+cluster://:secret-word@127.0.0.1:1", "redis+cluster://127.0.0.1:1"],
  ])("%s is refused in words at the start", async (address, shown) => {
    await expect(connectRedis({ address, setting: "counters" })).rejects.toThrow(
      `names ${shown}, which cannot be used: `,
    );
  });

  it.each(["redis+sentinel://127.0.0.1:1/main", "redis+cluster://127.0.0.1:1"])(
    "%s is reported where it is a cache, and asked again",
    async (address) => {
      const notices: string[] = [];
      const notify = (notice: string) => void notices.push(notice);
      const connection = await connectRedis({ address, setting: "cache.answers", notify });
      await connection.close();
      expect(notices).toEqual([expect.stringContaining("It is done without until it answers.")]);
    },
  );
});

/** The living server that keeps this key and takes writes. */
async function findPrimary(servers: readonly RedisServer[], key: string): Promise<RedisServer> {
  for (const server of servers.filter(({ pid }) => isAlive(pid))) {
    const client = await server.connect();
    const isThere = await client.sendCommand(["EXISTS", key]).catch(() => 0); // a node of a cluster that keeps other keys
    if (isThere === 1 && (await client.info("replication")).includes("role:master")) return server;
  }
  throw new Error("no server keeps this key");
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Waits until a replica has what its primary has: what it has not is lost with the primary. */
async function waitForReplicas(primary: RedisServer): Promise<void> {
  const client = await primary.connect();
  expect(await client.sendCommand(["WAIT", "1", "10000"])).toBe(1);
}
