import { afterEach, expect, it, vi } from "vitest";
import { redisCounters } from "../../../../adapters/counters/redis/index.ts";
import type { CounterReservation } from "../../../../src/engine/ports/counters.ts";

const call = { reservationId: "t", holds: [], now: 1, expiresAt: 2 };

it.each<[string, unknown, RegExp]>([
  ["no options", undefined, /`client` of redisCounters is required/],
  ["no client", {}, /`client` of redisCounters is required/],
  [
    "a URL for a client",
    { client: "redis://user:secret@host" },
    /^`client` of redisCounters must be a client of redis/,
  ],
  ["something else for a client", { client: { get() {} } }, /^`client` of redisCounters must be a client of redis/],
  ["a prefix that is none", { client: { eval() {}, evalSha() {} }, prefix: 1 }, /^`prefix` of redisCounters must be/],
  ["a time that is none", { client: { eval() {}, evalSha() {} }, hardLapseMs: -1 }, /^`hardLapseMs` of redisCounters/],
  ["an option that is none", { client: { eval() {}, evalSha() {} }, url: 1 }, /^Unknown option `url` of redisCounters/],
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
  evalSha.mockRejectedValueOnce(new Error("NOPERM User default has no permissions to run the 'evalsha' command"));
  await expect(counters.reserve(call)).rejects.toThrow(/^NOPERM/);
  expect(client.eval).toHaveBeenCalledOnce();
});

afterEach(() => void vi.useRealTimers());

/** A client whose every answer is given by hand. */
function slowClient() {
  const asked: { keys: string[]; answer(value: unknown): void; fail(message: string): void }[] = [];
  const evalSha = (_sha1: string, { keys }: { keys: string[] }) =>
    new Promise<unknown>((answer, reject) => {
      asked.push({ keys, answer, fail: (message) => reject(new Error(message)) });
    });
  return { asked, client: { eval: evalSha, evalSha } };
}

it("waits five seconds to be answered, refuses those who come meanwhile unasked, and gives back what comes late", async () => {
  vi.useFakeTimers();
  const { asked, client } = slowClient();
  const counters = redisCounters({ client });
  const reserve = (ticket: string, now: number) =>
    Promise.resolve(counters.reserve({ ...call, reservationId: ticket, now }));
  const refused = { code: "store_unavailable", message: "The Redis server of the counters does not answer." };
  const first = reserve("a", 0).catch((thrown) => thrown);
  await vi.advanceTimersByTimeAsync(4_999);
  expect(await Promise.race([first, "waits"])).toBe("waits");
  await vi.advanceTimersByTimeAsync(1);
  expect(await first).toMatchObject(refused);
  await expect(reserve("b", 5_000)).rejects.toMatchObject(refused);
  await expect(reserve("b", 9_999)).rejects.toMatchObject(refused);
  expect(asked).toHaveLength(1);
  asked[0]?.answer([1]);
  await vi.advanceTimersByTimeAsync(0);
  expect(asked.map(({ keys }) => keys)).toEqual([["{tollgate}:ticket/a"], ["{tollgate}:ticket/a"]]);
  const next = reserve("c", 6_000);
  asked[2]?.answer([1]);
  expect(await next).toMatchObject({ kind: "reserved", id: "c" });
});

it("asks a server that stays silent again after five seconds more", async () => {
  vi.useFakeTimers();
  const { asked, client } = slowClient();
  const counters = redisCounters({ client });
  for (const now of [0, 10_000]) {
    const waits = Promise.resolve(counters.reserve({ ...call, now })).catch((thrown) => thrown.code);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await waits).toBe("store_unavailable");
  }
  expect(asked).toHaveLength(2);
});

it.each([
  ["Socket closed unexpectedly"],
  ["read ECONNRESET"],
  ["LOADING Redis is loading the dataset in memory"],
  ["READONLY You can't write against a read only replica."],
])("sends again what was not answered but with %s, until it is", async (failure) => {
  vi.useFakeTimers();
  const { asked, client } = slowClient();
  const counters = redisCounters({ client });
  const ticket = counters.reserve(call);
  asked[0]?.answer([1]);
  const settled = counters.settle((await ticket) as CounterReservation, [], 1);
  for (let tries = 1; tries < 12; tries++) {
    asked[tries]?.fail(failure);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(asked).toHaveLength(tries + 2);
  }
  asked[12]?.answer(0);
  expect(await settled).toEqual({ isFirst: true, values: [] });
});

it("does not repeat a look, which holds nothing", async () => {
  const evalSha = vi.fn().mockRejectedValue(new Error("Socket closed unexpectedly"));
  const counters = redisCounters({ client: { eval: evalSha, evalSha } });
  await expect(counters.read(["a"], 0)).rejects.toMatchObject({ code: "store_unavailable" });
  expect(evalSha).toHaveBeenCalledOnce();
  await counters.close?.();
});

it("tells in words what a server cannot do, an hour later, or once its client is closed", async () => {
  vi.useFakeTimers();
  const evalSha = vi.fn().mockResolvedValueOnce([1]).mockRejectedValue(new Error("OOM command not allowed"));
  const client = { eval: evalSha, evalSha, isOpen: true };
  const counters = redisCounters({ client });
  const ticket = (await counters.reserve(call)) as CounterReservation;
  const told = {
    code: "store_unavailable",
    message: "The Redis server of the counters cannot be used just now: its memory is full.",
  };
  const settled = Promise.resolve(counters.settle(ticket, [], 1)).catch((thrown) => thrown);
  await vi.advanceTimersByTimeAsync(0);
  const closed = Promise.resolve(counters.close?.()).then(() => "closed");
  await vi.advanceTimersByTimeAsync(3_500_000);
  expect(await Promise.race([closed, "waits"])).toBe("waits");
  await vi.advanceTimersByTimeAsync(200_000);
  expect(await settled).toMatchObject(told);
  expect(await closed).toBe("closed");
  client.isOpen = false;
  const calls = evalSha.mock.calls.length;
  await expect(counters.release(ticket, 1)).rejects.toMatchObject(told);
  expect(evalSha.mock.calls.length).toBe(calls + 1);
});
