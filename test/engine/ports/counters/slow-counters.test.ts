import { describe, expect, it } from "vitest";
import { memoryCounters } from "../../../../adapters/counters/memory.ts";
import type { GatewayError } from "../../../../src/engine/errors.ts";
import type { Counters } from "../../../../src/engine/ports/counters.ts";
import type { Provider } from "../../../../src/engine/ports/provider.ts";
import { keptBooks, promptOf, settled } from "../../support/books.ts";
import { record } from "../../support/support.ts";

/** Counters on a server that answers a reservation only when it is told to. */
function stalledCounters() {
  const inner = memoryCounters();
  const names: string[] = [];
  const waiting: (() => void)[] = [];
  const counters: Counters = {
    ...inner,
    reserve(call) {
      names.push(...call.holds.map(({ counter }) => counter));
      return new Promise((resolve) => waiting.push(() => resolve(inner.reserve(call))));
    },
  };
  const answerAll = async () => {
    for (const answer of waiting.splice(0)) answer();
    await settled();
  };
  const reserved = async (now: number) =>
    (await inner.read(names, now)).map((reading) => (reading ? reading.used + reading.reserved : 0));
  return { counters, answerAll, reserved };
}

const asked: string[] = [];
const provider: Provider = {
  name: "a",
  async embed() {
    asked.push("a");
    const vectors = [{ object: "embedding", index: 0, embedding: [1] }];
    return { object: "list", model: "m", data: vectors, usage: promptOf(3) };
  },
};

async function begin(options: { signal?: AbortSignal } = {}) {
  asked.length = 0;
  const stalled = stalledCounters();
  const world = await keptBooks([provider], { counters: stalled.counters });
  const terms = { ...world.options, ...options, timeouts: { whole: 2_000 } };
  const defects = record(world.engine, "defect");
  const call = world.engine.embed({ model: "a/m", input: "12345678" }, terms);
  const outcome = call.then(
    () => "answered",
    ({ code }: GatewayError) => code,
  );
  await settled();
  return { ...world, ...stalled, outcome, defects };
}

describe("counters that do not answer", () => {
  it("keep no call beyond its deadline; what they reserve later is given back", async () => {
    const { clock, engine, outcome, answerAll, reserved, defects } = await begin();
    await clock.advance(2_000);
    expect(await outcome).toBe("upstream_timeout");
    expect(engine.inFlight).toBe(0);
    await answerAll();
    const held = await reserved(clock.now());
    expect(held.length).toBeGreaterThan(0);
    expect(held.every((amount) => amount === 0)).toBe(true);
    expect([asked, defects]).toEqual([[], []]);
  });

  it("keep no caller who has hung up", async () => {
    const caller = new AbortController();
    const { clock, engine, outcome, answerAll, reserved } = await begin({ signal: caller.signal });
    caller.abort();
    expect(await outcome).toBe("request_cancelled");
    expect(engine.inFlight).toBe(0);
    await answerAll();
    expect((await reserved(clock.now())).every((amount) => amount === 0)).toBe(true);
    expect(asked).toEqual([]);
  });

  it("keep no engine from closing", async () => {
    const { clock, engine, outcome } = await begin();
    const closing = engine.close({ graceMs: 100 });
    await settled();
    await clock.advance(100);
    expect(await outcome).toBe("shutting_down");
    await closing;
  });

  it("are waited for where they answer in time", async () => {
    const { engine, outcome, answerAll, attempts } = await begin();
    await answerAll();
    expect(await outcome).toBe("answered");
    expect(engine.inFlight).toBe(0);
    expect(await attempts()).toMatchObject([{ cost_nano: 3_000 }]);
  });
});
