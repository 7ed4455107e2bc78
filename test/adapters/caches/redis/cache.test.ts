import { expect, it, vi } from "vitest";
import { redisCache } from "../../../../adapters/caches/redis/index.ts";

const client = { get() {}, eval() {}, evalSha() {} };

it.each<[string, unknown, RegExp]>([
  ["no options", undefined, /`client` of redisCache is required/],
  ["a URL for a client", { client: "redis://user:secret@host" }, /^`client` of redisCache must be a client of redis/],
  [
    "one that cannot read",
    { client: { eval() {}, evalSha() {} } },
    /^`client` of redisCache must be a client of redis/,
  ],
  ["a prefix that is none", { client, prefix: 1 }, /^`prefix` of redisCache must be a string/],
  ["a size that is none", { client, maxAnswerBytes: 0 }, /^`maxAnswerBytes` of redisCache must be a number above 0/],
  ["an option that is none", { client, url: 1 }, /^Unknown option `url` of redisCache/],
])("redisCache says what is wrong with %s", (_what, options, problem) => {
  expect(() => redisCache(options as never)).toThrow(problem);
});

it("waits a quarter of a second for a server that does not answer, then asks it not at all for five, and then again", async () => {
  vi.useFakeTimers();
  const get = vi.fn(() => new Promise<never>(() => {}));
  const cache = redisCache({ client: { ...client, get } as never });
  const first = Promise.resolve(cache.get("s", "x", 10_000)).catch(String);
  await vi.advanceTimersByTimeAsync(249);
  expect(await Promise.race([first, "waits"])).toBe("waits");
  await vi.advanceTimersByTimeAsync(1);
  expect(await first).toContain("The cache in Redis does not answer.");
  for (const now of [10_000, 15_249]) await expect(cache.get("s", "x", now)).rejects.toThrow("does not answer");
  expect(get).toHaveBeenCalledOnce();
  for (const [call, now] of [15_250, 9_999].entries()) {
    const next = Promise.resolve(cache.get("s", "x", now)).catch(String);
    await vi.advanceTimersByTimeAsync(250);
    expect([await next, get.mock.calls.length]).toEqual([expect.stringContaining("does not answer"), call + 2]);
  }
});
