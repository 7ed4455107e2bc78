import { afterAll, beforeAll, expect, it } from "vitest";
import { redisCounters } from "../../../../adapters/counters/redis/index.ts";
import { memoryStore } from "../../../../adapters/stores/memory/index.ts";
import type { ChatResponse } from "../../../../src/engine/api/chat.ts";
import { createEngine } from "../../../../src/index.ts";
import { fakeClock } from "../../../../src/testing/clock.ts";
import { type RedisServer, startRedis } from "./redis-server.ts";

let redis: RedisServer;
beforeAll(async () => {
  redis = await startRedis();
}, 300_000);
afterAll(() => redis.stop());

const hour = 3_600_000;
const message = { role: "assistant" as const, content: "ok" };
const answer: ChatResponse = {
  ...{ id: "a", object: "chat.completion", created: 1, model: "m" },
  choices: [{ index: 0, finish_reason: "stop", message }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
};

it.each([36, -36, 24 * 40])("a gateway whose clock is %s hours off moves no window that it shares", async (hours) => {
  const store = memoryStore();
  const gatewayAt = async (startAt: number) =>
    createEngine({
      providers: [{ name: "a", chat: async () => answer }],
      store,
      counters: redisCounters({ client: await redis.connect(), prefix: `{time${hours}}:` }),
      clock: fakeClock({ startAt }),
    });
  const now = Date.now();
  const [right, wrong] = [await gatewayAt(now), await gatewayAt(now + hours * hour)];
  const { value: key } = await right.keys.create({
    name: "shared",
    provider_configs: [{ provider: "a", allowed_models: ["*"] }],
    rate_limits: [{ request_max_limit: 3, request_reset_duration: "1d" }],
  });
  const ask = (engine: typeof right) =>
    engine.chat({ model: "a/m", messages: [{ role: "user", content: "x" }] }, { key }).then(
      () => "served",
      (error: { code: string }) => error.code,
    );
  expect([await ask(right), await ask(wrong), await ask(right)]).toEqual(["served", "served", "served"]);
  expect([await ask(wrong), await ask(right), await ask(wrong)]).toEqual(Array(3).fill("request_limited"));
});
