import { expect, it, vi } from "vitest";
import { redisCounters } from "../../../adapters/counters/redis/index.ts";

const call = { ticket: "t", holds: [], now: 1, expiresAt: 2 };

it.each<[string, unknown, RegExp]>([
  ["no options", undefined, /`client` of redisCounters is missing/],
  ["no client", {}, /`client` of redisCounters is missing/],
  [
    "a URL for a client",
    { client: "redis://user:secret@host" },
    /^`client` of redisCounters must be a client of redis/,
  ],
  ["something else for a client", { client: { get() {} } }, /^`client` of redisCounters must be a client of redis/],
  ["a prefix that is none", { client: { eval() {}, evalSha() {} }, prefix: 1 }, /^`prefix` of redisCounters must be/],
  ["an option that is none", { client: { eval() {}, evalSha() {} }, url: 1 }, /^`url` is no option of redisCounters/],
])("redisCounters says what is wrong with %s", (_what, options, problem) => {
  expect(() => redisCounters(options as never)).toThrow(problem);
});

it("sends the text of a script once it is known that the server lacks it, and no other error twice", async () => {
  const evalSha = vi.fn().mockRejectedValueOnce(new Error("NOSCRIPT No matching script")).mockResolvedValue([1]);
  const client = { eval: vi.fn().mockResolvedValue([1]), evalSha };
  const counters = redisCounters({ client });
  await counters.reserve(call);
  await counters.reserve(call);
  expect([client.eval.mock.calls.length, evalSha.mock.calls.length]).toEqual([1, 2]);
  evalSha.mockRejectedValueOnce(new Error("READONLY You can't write against a read only replica."));
  await expect(counters.reserve(call)).rejects.toThrow("READONLY");
  expect(client.eval).toHaveBeenCalledOnce();
});
