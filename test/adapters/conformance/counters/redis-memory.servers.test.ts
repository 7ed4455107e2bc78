import { afterAll, beforeAll, expect, it } from "vitest";
import { redisCountersAt } from "../../../../src/server/store/redis/adapters.ts";
import { type RedisServer, startRedis } from "./redis-server.ts";

let redis: RedisServer;
beforeAll(async () => {
  redis = await startRedis();
}, 300_000);
afterAll(() => redis.stop());

/** What becomes of counters of a server with this memory, for who signs in so. */
async function opened(maxmemory: string, policy: string, login = "") {
  const client = await redis.connect();
  await client.configSet({ maxmemory, "maxmemory-policy": policy });
  const address = `redis://${login}127.0.0.1:${redis.port}`;
  const counters = await redisCountersAt({ address }).catch((thrown) => thrown as Error);
  if (counters instanceof Error) return counters.message;
  await counters.close?.();
  return "taken";
}

it.each(["allkeys-lru", "volatile-lru", "volatile-ttl"])(
  "a server that drops keys when its memory is full (%s) is refused, without its password",
  async (policy) => {
    const client = await redis.connect();
    await client.aclSetUser("teller", ["on", ">hush-hush", "~*", "+@all"]);
    expect(await opened("100mb", policy, "teller:hush-hush@")).toBe(
      `\`counters\` names redis://teller@127.0.0.1:${redis.port}, which drops keys when its memory is full (maxmemory-policy ${policy}), ` +
        "and with them what budgets have spent; set noeviction there, or name another server.",
    );
  },
);

it("one that refuses to write then is taken, and so is one that has no limit", async () => {
  expect(await opened("100mb", "noeviction")).toBe("taken");
  expect(await opened("0", "allkeys-lru")).toBe("taken");
});

it("one that takes snapshots and writes no append-only file is taken, and its operator learns what a crash costs", async () => {
  const client = await redis.connect();
  const noticesOf = async (save: string, appendonly: string) => {
    await client.configSet({ save, appendonly });
    const notices: string[] = [];
    const address = `redis://:hush-hush@127.0.0.1:${redis.port}`;
    await client.configSet({ requirepass: "hush-hush" });
    const counters = await redisCountersAt({ address }, (notice) => void notices.push(notice));
    await client.configSet({ requirepass: "" });
    await counters.close?.();
    return notices;
  };
  expect(await noticesOf("3600 1", "no")).toEqual([
    `\`counters\` names redis://127.0.0.1:${redis.port}, which writes no append-only file: after a crash it comes back with the counts of ` +
      "its last snapshot, and limits allow again what was spent since. Set `appendonly yes` there.",
  ]);
  expect(await noticesOf("3600 1", "yes")).toEqual([]);
  expect(await noticesOf("", "no")).toEqual([]);
});

it("one that does not tell is taken", async () => {
  const client = await redis.connect();
  await client.aclSetUser("clerk", ["on", ">hush-hush", "~*", "+@all", "-info"]);
  expect(await opened("100mb", "allkeys-lru", "clerk:hush-hush@")).toBe("taken");
});
