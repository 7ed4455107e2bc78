import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { memoryCounters } from "../../../../adapters/counters/memory.ts";
import { embedAll } from "../../../../adapters/shared/embeddings/embed.ts";
import { memoryStore } from "../../../../adapters/stores/memory/index.ts";
import type { ChatChunk } from "../../../../src/engine/api/chat.ts";
import { GatewayError } from "../../../../src/engine/errors.ts";
import type { Provider, ProviderCall } from "../../../../src/engine/ports/provider.ts";
import { createEngine, type Engine } from "../../../../src/index.ts";
import { fakeClock, scriptedWorld } from "../../../../src/testing/index.ts";
import {
  anyEnd,
  bookedCosts,
  bothProviders,
  chat,
  embedding,
  failureOf,
  optionsOf,
  readBooks,
  tokens,
  toldCosts,
} from "./spending.ts";
import { watched } from "./tickets.ts";

const text = "to be or not to be";
const failures = {
  busy: () => new GatewayError("upstream_error", "busy", { upstream: { status: 503, message: "busy" } }),
  refused: () => new GatewayError("upstream_error", "who?", { upstream: { status: 401, message: "who?" } }),
  lost: () => new GatewayError("upstream_unreachable", "The connection was lost."),
  broken: () => new GatewayError("upstream_stream_broken", "broke off"),
  unreadable: () => new GatewayError("upstream_invalid_response", "is none"),
};

/** What becomes of one request to a vendor. */
const anyTry = fc.record({
  end: anyEnd(failures),
  /** A stream tells its role before anything else. */
  opens: fc.boolean(),
  /** Characters of the text that a stream says first. */
  said: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: text.length })),
  turns: fc.nat(4),
});
type Try = typeof anyTry extends fc.Arbitrary<infer T> ? T : never;

const anyRound = fc.record({
  tries: fc.record({ a: fc.array(anyTry, { minLength: 1 }), b: fc.array(anyTry, { minLength: 1 }) }),
  /** Nano-dollars that a level may spend: one to four calls' worth. */
  limits: fc.record({ key: fc.nat(30), project: fc.nat(30), customer: fc.nat(30) }),
  calls: fc.array(
    fc.record({
      verb: fc.constantFrom("embed", "streamChat"),
      isHedged: fc.boolean(),
      abortAfter: fc.option(fc.nat(900)),
    }),
    { minLength: 1, maxLength: 5 },
  ),
});
type Round = typeof anyRound extends fc.Arbitrary<infer R> ? R : never;

const untilEnded = ({ signal }: ProviderCall) =>
  new Promise<never>((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason));
  });

/** Vendors that note what they gave: tokens of answered requests, streams that began, and characters said. */
function vendors({ tries }: Pick<Round, "tries">) {
  const given = { tokens: 0, begun: 0, characters: 0 };
  const turns = { a: 0, b: 0 };
  const nextTry = (name: "a" | "b") => tries[name][turns[name]++ % tries[name].length] as Try;
  const providers = (["a", "b"] as const).map((name): Provider => {
    const ask = async (request: { input: unknown }, call: ProviderCall) => {
      const { end, turns: wait } = nextTry(name);
      for (let turn = 0; turn < wait; turn++) await Promise.resolve();
      if (end === "hangs") await untilEnded(call);
      call.signal.throwIfAborted();
      if (end in failures) throw failures[end as keyof typeof failures]();
      const prompt_tokens = String(request.input).length;
      given.tokens += prompt_tokens;
      const answer = { object: "list", model: "m", data: [{ object: "embedding", index: 0, embedding: [1] }] };
      if (end === "silent") return answer;
      return { ...answer, usage: { prompt_tokens, completion_tokens: 0, total_tokens: prompt_tokens } };
    };
    return {
      name,
      embed: (request, call) => embedAll(request, call, { provider: name, limits: { inputs: 1 }, ask }),
      async *streamChat(_request, call): AsyncGenerator<ChatChunk> {
        const { end, said, opens } = nextTry(name);
        const { id, model } = call;
        const chunk = { id, object: "chat.completion.chunk", created: 1, model };
        const words = end === "well" || end === "silent" ? text : text.slice(0, said);
        if (opens || words !== "") given.begun++;
        if (opens) yield { ...chunk, choices: [{ index: 0, finish_reason: null, delta: { role: "assistant" } }] };
        for (const content of words) {
          call.signal.throwIfAborted();
          given.characters++;
          yield { ...chunk, choices: [{ index: 0, finish_reason: null, delta: { content } }] };
        }
        if (end === "hangs") await untilEnded(call);
        if (end in failures) throw failures[end as keyof typeof failures]();
        yield { ...chunk, choices: [{ index: 0, finish_reason: "stop", delta: {} }] };
      },
    };
  });
  return { providers, given };
}

async function ask(engine: Engine, key: string, { verb, ...manner }: Round["calls"][number]): Promise<void> {
  const options = optionsOf(engine, key, manner);
  if (verb === "embed") await engine.embed(embedding, options);
  else for await (const _chunk of await engine.streamChat(chat, options));
}

async function play(round: Round) {
  const { providers, given } = vendors(round);
  const { counters, ends } = watched(memoryCounters());
  const engine = createEngine({
    ...scriptedWorld(),
    providers,
    counters,
    store: memoryStore(),
    clock: fakeClock({ runsByItself: true }),
    tokens,
  });
  const told = toldCosts(engine);
  const budgets = (level: keyof Round["limits"]) => [
    {
      max_limit: (8_400_000 + round.limits[level] * 1_000_000) / 1e9,
      reset_duration: "1Y" as const,
      enforcement: "hard" as const,
    },
  ];
  const customer = await engine.customers.create({ name: "c", budgets: budgets("customer") });
  const project = await engine.projects.create({ name: "p", customer_id: customer.id, budgets: budgets("project") });
  const { key, value } = await engine.keys.create({
    name: "k",
    project_id: project.id,
    budgets: budgets("key"),
    provider_configs: bothProviders,
  });
  const outcomes = await Promise.all(round.calls.map((call) => failureOf(ask(engine, value, call))));
  for (const failure of outcomes) if (failure?.code === "internal") throw failure;
  return { given, ends, told, ...(await readBooks(engine, key.id)) };
}

const check = (judge: (world: Awaited<ReturnType<typeof play>>, round: Round) => void) =>
  fc.assert(fc.asyncProperty(anyRound, async (round) => judge(await play(round), round)));

describe("calls in parts, spliced streams and races, under hard budgets", () => {
  it("tell by their events what each of them cost, as the ledger has it", () =>
    check(({ told, entries }) => {
      expect(told).toEqual(bookedCosts({ entries }));
    }));

  it("are billed all that was answered, and every word that was said", () =>
    check(({ given, lines }) => {
      const sum = (field: "prompt_tokens" | "completion_tokens") => lines.reduce((all, line) => all + line[field], 0);
      expect(sum("prompt_tokens")).toBeGreaterThanOrEqual(given.tokens);
      expect(sum("completion_tokens")).toBe(given.characters);
    }));
  it("are billed the prompt of every stream that had begun, and of no other but those that lost a race", () =>
    check(({ given, entries }, { calls }) => {
      const lines = entries.flatMap((entry) => (entry.request_type === "embedding" ? [] : entry.attempts));
      const prompts = lines.filter((line) => line.prompt_tokens === 10 && line.cost > 0).length;
      const isRace = calls.some(({ verb, isHedged }) => verb === "streamChat" && isHedged);
      if (isRace) expect(prompts).toBeGreaterThanOrEqual(given.begun);
      else expect(prompts).toBe(given.begun);
      expect(lines.reduce((sum, line) => sum + line.prompt_tokens, 0)).toBe(10 * prompts);
    }));
  it("never spend more than a level may", () =>
    check(({ standing }) => {
      for (const { used, max } of standing) expect(used).toBeLessThanOrEqual(max);
    }));
  it("leave nothing reserved, and end every reservation once", () =>
    check(({ standing, ends }) => {
      expect([...ends.values()].every((count) => count === 1)).toBe(true);
      for (const { reserved } of standing) expect(reserved).toBe(0);
    }));
  it("cost what the counters were charged, to the nano-dollar, in one row each", () =>
    check(({ entries, lines, standing }, { calls }) => {
      expect(entries).toHaveLength(calls.length);
      const cost = lines.reduce((sum, line) => sum + line.cost_nano, 0);
      for (const { used_nano } of standing) expect(used_nano).toBe(cost);
      for (const { cost_nano, items } of lines)
        expect(items.reduce((sum, { amount_nano }) => sum + amount_nano, 0)).toBe(cost_nano);
    }));
});
