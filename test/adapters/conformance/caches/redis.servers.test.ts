import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { redisCache } from "../../../../adapters/caches/redis/index.ts";
import type { CachedAnswer } from "../../../../src/engine/ports/answers.ts";
import { createEngine, defineProvider } from "../../../../src/index.ts";
import { answerCacheCases } from "../../../../src/testing/conformance/answers.ts";
import { type RedisServer, startRedis } from "../counters/redis-server.ts";

let redis: RedisServer;
beforeAll(async () => {
  redis = await startRedis();
}, 300_000);
afterAll(() => redis.stop());

let made = 0;
const newPrefix = () => `fresh-${made++}:`;
const now = Date.UTC(2026, 10, 20);

function kept(body: string, lifeMs = 60_000): CachedAnswer {
  return { body, provider: "p", deployment: "m", cost: 12, warnings: [], storedAt: now, expiresAt: now + lifeMs };
}

describe("answers: redis", () => {
  for (const { title, run } of answerCacheCases)
    it(title, async () => run(redisCache({ client: await redis.connect(), prefix: newPrefix() })));

  it("are seen by every engine with the same prefix, and by no other", async () => {
    const prefix = newPrefix();
    const [one, two] = [
      redisCache({ client: await redis.connect(), prefix }),
      redisCache({ client: await redis.connect(), prefix }),
    ];
    const other = redisCache({ client: await redis.connect(), prefix: newPrefix() });
    await one.put("s", "x", kept("1"));
    expect([(await two.get("s", "x", now))?.body, await other.get("s", "x", now)]).toEqual(["1", undefined]);
    expect(await two.clear("s")).toBe(1);
    expect(await one.get("s", "x", now)).toBeUndefined();
  });

  it("are dropped by the server when their time is over, index included", async () => {
    const client = await redis.connect();
    const prefix = newPrefix();
    const cache = redisCache({ client, prefix });
    await cache.put("s", "long", kept("1", 3_600_000));
    await cache.put("s", "short", kept("2", 1_000));
    const names = (await client.keys(`${prefix}*`)).sort((one, other) => one.length - other.length);
    expect(names).toHaveLength(3);
    const lives = await Promise.all(names.map((name) => client.pTTL(name)));
    for (const [position, most] of [3_660_000, 3_660_000, 61_000].entries()) {
      expect(lives[position]).toBeGreaterThan(most - 10_000);
      expect(lives[position]).toBeLessThanOrEqual(most);
    }
    await cache.put("s", "later", { ...kept("3"), storedAt: now + 200_000, expiresAt: now + 300_000 });
    expect(await client.zRange(names[0] ?? "", 0, -1)).toEqual(["later", "long"]);
  });

  it("are forgotten by the thousand, without one being left", async () => {
    const cache = redisCache({ client: await redis.connect(), prefix: newPrefix() });
    await Promise.all(Array.from({ length: 2_500 }, (_, n) => cache.put("s", `x${n}`, kept(`${n}`))));
    expect(await cache.clear("s")).toBe(2_500);
    expect(await cache.get("s", "x2499", now)).toBeUndefined();
  });

  it("are no answers, and gone, when something else has written them", async () => {
    const client = await redis.connect();
    const prefix = newPrefix();
    const cache = redisCache({ client, prefix });
    const whole = { provider: "p", deployment: "m", cost: 1, warnings: [], keptAt: now, expiresAt: now + 9 };
    const wrong = [
      "",
      "x",
      "{}\n{}",
      "null\n1",
      `${JSON.stringify({ ...whole, warnings: [1] })}\n1`,
      ...Object.keys(whole).map((name) => `${JSON.stringify({ ...whole, [name]: {} })}\n1`),
    ];
    for (const text of wrong) {
      await cache.put("s", "x", kept("1"));
      const [name = ""] = (await client.keys(`${prefix}*:x`)).filter((found) => found.endsWith(":x"));
      await client.set(name, text);
      expect(await cache.get("s", "x", now)).toBeUndefined();
      expect(await client.exists(name)).toBe(0);
    }
  });

  it("are not kept beyond the size that is set, nor the one before in their place", async () => {
    const cache = redisCache({ client: await redis.connect(), prefix: newPrefix(), maxAnswerBytes: 1_000 });
    await cache.put("s", "x", kept("small"));
    await cache.put("s", "x", kept("ü".repeat(500)));
    expect(await cache.get("s", "x", now)).toBeUndefined();
    await cache.put("s", "x", kept("u".repeat(500)));
    expect(await cache.get("s", "x", now)).toBeDefined();
  });
});

describe("an engine whose cache in Redis is gone", () => {
  it("answers as if nothing were kept, tells of it, and asks the server no more for some seconds", async () => {
    const gone = await startRedis();
    onTestFinished(() => gone.stop());
    const client = await gone.connect();
    const get = vi.spyOn(client, "get");
    const chat = vi.fn(async (_request: unknown, { id, model }: { id: string; model: string }) => {
      const message = { role: "assistant" as const, content: "yes" };
      const choices = [{ index: 0, finish_reason: "stop", message }];
      const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
      return { id, object: "chat.completion" as const, created: 1, model, choices, usage };
    });
    const engine = createEngine({
      providers: [defineProvider({ name: "a", chat })],
      cache: { answers: redisCache({ client }) },
    });
    const seen: string[] = [];
    engine.on("cache", ({ result }) => seen.push(result));
    const ask = () => engine.chat({ model: "a/m", messages: [{ role: "user", content: "is it?" }] });
    await ask();
    await ask();
    expect([seen, chat.mock.calls.length]).toEqual([["miss", "kept", "hit"], 1]);
    await gone.kill();
    const asked = get.mock.calls.length;
    for (let call = 0; call < 5; call++) expect((await ask()).choices[0]?.message.content).toBe("yes");
    expect(chat.mock.calls.length).toBe(6);
    expect(get.mock.calls.length).toBe(asked + 1);
    expect(seen).toContain("failed");
    await engine.close();
  });
});
