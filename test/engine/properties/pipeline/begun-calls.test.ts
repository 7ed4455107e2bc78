import fc from "fast-check";
import { expect, it } from "vitest";
import { memoryCounters } from "../../../../adapters/counters/memory.ts";
import { embedAll } from "../../../../adapters/shared/embeddings/embed.ts";
import { memoryStore } from "../../../../adapters/stores/memory/index.ts";
import type { Usage } from "../../../../src/engine/api/usage.ts";
import { GatewayError } from "../../../../src/engine/errors.ts";
import type { Provider, ProviderCall } from "../../../../src/engine/ports/provider.ts";
import { createEngine, type Engine } from "../../../../src/index.ts";
import { fakeClock, scriptedWorld } from "../../../../src/testing/index.ts";
import { belief, request as decision } from "../../support/case.ts";
import { byToken, byTool } from "../../support/judges.ts";
import {
  anyEnd,
  bookedCosts,
  bothProviders,
  chat,
  embedding,
  failureOf,
  optionsOf,
  readBooks,
  route,
  tokens,
  toldCosts,
} from "./spending.ts";
import { watched } from "./tickets.ts";

const refusal = (status: number) => () =>
  new GatewayError("upstream_error", "no", { upstream: { status, message: "no" } });
const refusals = { busy: refusal(503), limited: refusal(429), unknown: refusal(401) };
const failures = {
  ...refusals,
  lost: () => new GatewayError("upstream_unreachable", "The connection was lost."),
  unreadable: () => new GatewayError("upstream_invalid_response", "is none"),
  bug: () => new TypeError("a bug"),
};

const anyTry = fc.record({
  end: anyEnd(failures),
  /** The answer begins before anything else; otherwise with its end, and one that fails was never answered. */
  begins: fc.boolean(),
  /** Turns before the answer begins and after, and milliseconds then. */
  turns: fc.nat(4),
  later: fc.nat(4),
  ms: fc.constantFrom(0, 0, 0, 150, 700),
});
const anyRound = fc.record({
  tries: fc.record({ a: fc.array(anyTry, { minLength: 1 }), b: fc.array(anyTry, { minLength: 1 }) }),
  /** Nano-dollars of the budget, over what one decision may take. */
  room: fc.constantFrom(0, 100, 1_000_000, 60_000_000),
  judge: fc.constantFrom(byToken, byTool),
  calls: fc.array(
    fc.record({
      verb: fc.constantFrom("embed", "chat", "decide", "decide"),
      isHedged: fc.boolean(),
      abortAfter: fc.option(fc.nat(900)),
    }),
    { minLength: 1, maxLength: 4 },
  ),
});
type Round = typeof anyRound extends fc.Arbitrary<infer R> ? R : never;
type Ask = Round["calls"][number];

const untilEnded = ({ signal }: ProviderCall) =>
  new Promise<never>((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason));
  });
const turnsOf = async (count: number) => {
  for (let turn = 0; turn < count; turn++) await Promise.resolve();
};
const usageOf = (prompt_tokens: number): Usage => ({
  prompt_tokens,
  completion_tokens: 0,
  total_tokens: prompt_tokens,
});

/** Vendors that note the tokens which they have read for an answer that has begun. */
function vendors({ tries, judge }: Round, clock: ReturnType<typeof fakeClock>) {
  const given = { read: 0 };
  const asked = { a: 0, b: 0 };
  const answer = async (name: "a" | "b", call: ProviderCall, prompt: number): Promise<{ usage?: Usage }> => {
    const { end, begins, turns, later, ms } = tries[name][asked[name]++ % tries[name].length] as Round["tries"]["a"][0];
    await turnsOf(turns);
    call.signal.throwIfAborted();
    const begin = () => {
      given.read += prompt;
      call.begun?.();
    };
    if (begins && !(end in refusals)) begin();
    await turnsOf(later);
    if (ms > 0) await Promise.race([untilEnded(call), new Promise<void>((resolve) => clock.after(ms, resolve))]);
    if (end === "hangs") await untilEnded(call);
    call.signal.throwIfAborted();
    if (end in failures) throw failures[end as keyof typeof failures]();
    if (!begins) begin();
    return end === "silent" ? {} : { usage: usageOf(prompt) };
  };
  const providers = (["a", "b"] as const).map((name): Provider => {
    const { chat } = judge(name, belief) as Required<Provider>;
    return {
      name,
      async chat(request, call) {
        const told = await answer(name, call, 10);
        const { usage: _own, ...rest } = await chat(request, call);
        return { ...rest, ...told };
      },
      embed: (request, call) =>
        embedAll(request, call, {
          provider: name,
          limits: { inputs: 1 },
          async ask({ input }, own) {
            const told = await answer(name, own, String(input).length);
            return { object: "list", model: "m", data: [{ object: "embedding", index: 0, embedding: [1] }], ...told };
          },
        }),
    };
  });
  return { providers, given };
}

function ask(engine: Engine, key: string, { verb, ...manner }: Ask): Promise<unknown> {
  const options = optionsOf(engine, key, manner);
  if (verb === "embed") return engine.embed(embedding, options);
  return verb === "chat" ? engine.chat(chat, options) : engine.decide({ ...decision, ...route }, options);
}

async function play(round: Round) {
  const clock = fakeClock({ runsByItself: true });
  const { providers, given } = vendors(round, clock);
  const { counters, ends } = watched(memoryCounters());
  const engine = createEngine({ ...scriptedWorld(), providers, counters, store: memoryStore(), clock, tokens });
  const told = toldCosts(engine);
  const max_limit = (34_000_000 + round.room) / 1e9;
  const { key, value } = await engine.keys.create({
    name: "k",
    budgets: [{ max_limit, reset_duration: "1Y", enforcement: "hard" }],
    provider_configs: bothProviders,
  });
  await Promise.all(round.calls.map((call) => failureOf(ask(engine, value, call))));
  return { given, ends, told, ...(await readBooks(engine, key.id)) };
}

const check = (judge: (world: Awaited<ReturnType<typeof play>>, round: Round) => void) =>
  fc.assert(fc.asyncProperty(anyRound, async (round) => judge(await play(round), round)));

it("whole answers that begin are billed what was read, once, whatever becomes of them, and no other answer is", () =>
  check(({ given, lines }, { calls }) => {
    const billed = lines.reduce((sum, { prompt_tokens }) => sum + prompt_tokens, 0);
    if (calls.some(({ isHedged }) => isHedged)) expect(billed).toBeGreaterThanOrEqual(given.read);
    else expect(billed).toBe(given.read);
  }));
it("cost what the counters were charged, in one row each, and leave nothing reserved", () =>
  check(({ ends, entries, lines, standing }, { calls }) => {
    expect(entries).toHaveLength(calls.length);
    const cost = lines.reduce((sum, line) => sum + line.cost_nano, 0);
    for (const { used, used_nano, reserved, max } of standing) {
      expect([used_nano, reserved]).toEqual([cost, 0]);
      expect(used).toBeLessThanOrEqual(max);
    }
    expect([...ends.values()].every((count) => count === 1)).toBe(true);
  }));
it("events tell what each call cost with all its tries, as the ledger has it", () =>
  check(({ told, entries }) => {
    expect(told).toEqual(bookedCosts({ entries }));
  }));
