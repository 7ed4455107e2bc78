import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { redisCounters } from "../../../../adapters/counters/redis/index.ts";
import type { RedisConnection } from "../../../../src/server/store/redis/client.ts";
import { connectRedis } from "../../../../src/server/store/redis/connection.ts";
import { hold, mustReserve, notify, start } from "../../../../src/testing/conformance/counters/probe.ts";
import { type Relay, startRelay } from "../../../support/relay.ts";
import { type RedisServer, startRedis } from "./redis-server.ts";

let redis: RedisServer;
let relay: Relay;
let connection: RedisConnection;
beforeAll(async () => {
  redis = await startRedis();
}, 300_000);
afterAll(() => redis.stop());
beforeEach(async () => {
  relay = await startRelay(redis.port);
  const address = `redis://127.0.0.1:${relay.port}`;
  connection = await connectRedis({ address, setting: "counters" }, 50);
  onTestFinished(async () => {
    await connection.close();
    await relay.close();
  });
});

it("a connection that is dead without a word is left for another, and what waited is sent again", async () => {
  const counters = redisCounters({ time: "caller", client: connection.client, prefix: "{hushed}:" });
  const ticket = await mustReserve(counters, [hold({ isHard: true })]);
  relay.hush();
  expect(await counters.settle(ticket, [4], start)).toMatchObject({ isFirst: true });
  expect(relay.connections).toBe(2);
  expect(await notify(counters)).toBe("4+0 -");
});

it("a connection that answers is kept", async () => {
  const before = relay.answers;
  await vi.waitFor(() => expect(relay.answers).toBeGreaterThan(before + 5), { timeout: 5_000 }); // five looks
  expect(relay.connections).toBe(1);
});

it("what is cut off after the server has counted it is counted once", async () => {
  const counters = redisCounters({ time: "caller", client: connection.client, prefix: "{cut}:" });
  await mustReserve(counters, [hold({ isHard: true })]); // the server knows the script from here on
  relay.cutAtNextAnswer();
  const ticket = await mustReserve(counters, [hold({ isHard: true })]);
  expect(await notify(counters)).toBe("0+20 -");
  relay.cutAtNextAnswer();
  expect(await counters.settle(ticket, [4], start)).toMatchObject({ isFirst: true });
  expect(await notify(counters)).toBe("4+10 -");
});

it("a server that has become a replica while its connections stayed open is left for the one that the address leads to now", async () => {
  const primary = await startRedis();
  onTestFinished(() => primary.stop());
  const counters = redisCounters({ time: "caller", client: connection.client, prefix: "{failed-over}:" });
  await mustReserve(counters, [hold({ isHard: true })]);
  const operator = await redis.connect();
  onTestFinished(async () => void (await operator.sendCommand(["REPLICAOF", "NO", "ONE"])));
  await operator.sendCommand(["REPLICAOF", "127.0.0.1", String(primary.port)]);
  relay.redirect(primary.port);
  await vi.waitFor(
    async () => {
      const ticket = await mustReserve(counters, [hold({ isHard: true })]);
      expect(await counters.settle(ticket, [4], start)).toMatchObject({ isFirst: true });
    },
    { timeout: 5_000 },
  );
  expect(relay.connections).toBe(2);
});

it("a close waits for a server that is gone no longer than two seconds", async () => {
  const server = await startRedis();
  const dead = await startRelay(server.port);
  onTestFinished(async () => {
    await dead.close();
    await server.stop();
  });
  const opened = await connectRedis({ address: `redis://127.0.0.1:${dead.port}`, setting: "counters" });
  dead.hush();
  const unanswered = opened.client.get("a").catch((thrown: unknown) => thrown);
  await opened.close();
  expect(await unanswered).toBeInstanceOf(Error);
});
