import fc from "fast-check";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { type RedisClient, redisCounters } from "../../../../adapters/counters/redis/index.ts";
import type { CounterReservation, Counters, Window } from "../../../../src/engine/ports/counters.ts";
import { start, today, tomorrow } from "../../../../src/testing/conformance/counters/probe.ts";
import { type RedisServer, startRedis } from "./redis-server.ts";

let redis: RedisServer;
beforeAll(async () => {
  redis = await startRedis();
}, 300_000);
afterAll(() => redis.stop());

/** What becomes of a command: it arrives and is answered, is lost on its way, or does its work and its answer is lost. */
type Fate = "answered" | "lost" | "unanswered";

/** A client whose connection breaks as `fates` say, one for each command; after them it holds. */
function breaking(client: RedisClient, fates: Fate[]): RedisClient {
  const via =
    (send: "eval" | "evalSha"): RedisClient["eval"] =>
    async (script, call) => {
      const fate = fates.shift() ?? "answered";
      const answer = fate === "lost" ? undefined : await client[send](script, call);
      if (fate === "answered") return answer;
      throw new Error("Socket closed unexpectedly");
    };
  return { eval: via("eval"), evalSha: via("evalSha") };
}

const fate = fc.constantFrom<Fate>("answered", "lost", "unanswered");
/** Reserves for a new ticket, or ends one that is there. */
const step = fc.record({
  what: fc.constantFrom("reserve", "reserve", "settle", "release"),
  amounts: fc.tuple(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 40 })),
  isHard: fc.boolean(),
  which: fc.nat(),
  fates: fc.array(fate, { maxLength: 2 }),
});
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** Takes the steps; all that is told, and what is counted in the end. */
async function walk(counters: Counters, steps: readonly Step[], before: (fates: readonly Fate[]) => void) {
  const open: CounterReservation[] = [];
  const told: unknown[] = [];
  for (const [place, { what, amounts, isHard, which, fates }] of steps.entries()) {
    before(fates);
    const [ticket] = what === "reserve" ? [] : open.splice(which % Math.max(1, open.length), 1);
    if (ticket) {
      const isFirst = await (what === "settle"
        ? counters.settle(ticket, amounts, start)
        : counters.release(ticket, start));
      told.push(isFirst);
      continue;
    }
    const holds = amounts.map((amount, at) => ({ counter: `c${at}`, amount, limit: 100, opens: today, isHard }));
    const answer = await counters.reserve({ reservationId: `t${place}`, holds, now: start, expiresAt: start + 1_000 });
    if (answer.kind === "reserved") open.push(answer);
    told.push(answer);
  }
  before([]);
  return { told, counted: await counters.read(["c0", "c1"], start) };
}

it("what is lost on the way, or answered in vain, is counted once all the same", async () => {
  const client = await redis.connect();
  let run = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
      run++;
      const fates: Fate[] = [];
      const broken = redisCounters({ time: "caller", client: breaking(client, fates), prefix: `{broken-${run}}:` });
      const whole = redisCounters({ time: "caller", client, prefix: `{whole-${run}}:` });
      const seen = await walk(broken, steps, (next) => void fates.splice(0, fates.length, ...next));
      expect(seen).toEqual(await walk(whole, steps, () => {}));
    }),
    { numRuns: 60 },
  );
});

it("a ticket that is asked for again keeps its own window when the counter has begun another", async () => {
  const client = await redis.connect();
  const other = redisCounters({ time: "caller", client, prefix: "{again}:" });
  const held = (opens: Window) => ({ counter: "c", amount: 30, limit: 100, opens, isHard: true });
  const late = { reservationId: "b", holds: [held(tomorrow)], now: tomorrow.start, expiresAt: tomorrow.end };
  const evalSha = vi.fn(client.evalSha.bind(client)).mockImplementationOnce(async (sha1, call) => {
    await client.evalSha(sha1, call);
    await other.reserve(late);
    throw new Error("Socket closed unexpectedly");
  });
  const counters = redisCounters({
    time: "caller",
    client: { eval: client.eval.bind(client), evalSha },
    prefix: "{again}:",
  });
  const open = { start: start - 1_000, end: tomorrow.start - 1_000 };
  await other.reserve({ reservationId: "a", holds: [held(open)], now: start - 1, expiresAt: tomorrow.end });
  const ticket = await counters.reserve({
    reservationId: "c",
    holds: [held(today)],
    now: start,
    expiresAt: start + 1_000,
  });
  expect(ticket).toMatchObject({ held: [{ window: open }] });
  expect(evalSha).toHaveBeenCalledTimes(2);
  await counters.settle(ticket as CounterReservation, [20], start);
  expect(await other.read(["c"], tomorrow.start)).toMatchObject([{ ...tomorrow, used: 0, reserved: 30 }]);
});
