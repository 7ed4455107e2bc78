import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, it } from "vitest";
import { sqliteStore } from "../../../../adapters/stores/sqlite/index.ts";
import type { ChatRequest } from "../../../../src/engine/api/chat.ts";
import type { Budget, RateLimit } from "../../../../src/engine/api/governance.ts";
import type { LimitUsage } from "../../../../src/engine/policy/limit-usage.ts";
import { createEngine, defineProvider, type Engine, GatewayError } from "../../../../src/index.ts";
import { type FakeClock, fakeClock, scriptedPrices } from "../../../../src/testing/index.ts";

const folder = mkdtempSync(join(tmpdir(), "tollgate-killed-"));
afterAll(() => rmSync(folder, { recursive: true }));

const anyBudgets = fc.uniqueArray(
  fc.record({ reset_duration: fc.constantFrom("1m", "1h", "1d"), calendar_aligned: fc.boolean() }),
  {
    minLength: 1,
    maxLength: 2,
    selector: ({ reset_duration, calendar_aligned }) => `${reset_duration} ${calendar_aligned}`,
  },
);
const anyRates = fc.subarray(["1m", "1h"] as const, { maxLength: 1 });
const anyLimits = fc.record({ budgets: anyBudgets, rates: anyRates }).map(({ budgets, rates }) => ({
  budgets: budgets.map((parts) => ({ ...parts, max_limit: 1_000_000, enforcement: "soft" }) as Budget),
  rate_limits: rates.map(
    (reset): RateLimit => ({
      request_max_limit: 1e6,
      request_reset_duration: reset,
      token_max_limit: 1e9,
      token_reset_duration: reset,
    }),
  ),
}));

/** Some seconds, or about a minute: windows of a minute end while calls go on. */
const anyTime = fc.oneof(fc.integer({ min: 1, max: 9_000 }), fc.integer({ min: 50_000, max: 62_000 }));
/** A call: after which pause it begins, how long `a` and, when that fails, `b` take, and what they consume. */
const anyCall = fc.record({
  pause: anyTime,
  times: fc.tuple(anyTime, anyTime),
  isLost: fc.boolean(),
  /** Breaks after its first words when it is lost. */
  isStream: fc.boolean(),
  /** `b` is asked, too, when `a` takes longer than two seconds. */
  isHedged: fc.boolean(),
  tokens: fc.nat(999),
});
type Plan = typeof anyCall extends fc.Arbitrary<infer Value> ? Value : never;

const anyRound = fc.record({
  rollEvery: fc.integer({ min: 1, max: 4 }),
  calls: fc.array(anyCall, { minLength: 1, maxLength: 6 }),
  key: anyLimits,
  entries: fc.oneof(fc.tuple(anyLimits), fc.tuple(anyLimits, anyLimits)),
});
type Round = typeof anyRound extends fc.Arbitrary<infer Value> ? Value : never;

type Limits = Round["key"];
/** The same with a window that the calendar opens, and not a call that may end after the death. */
const alignLimits = ({ budgets }: Limits): Limits => ({
  budgets: budgets.slice(0, 1).map((budget) => ({ ...budget, calendar_aligned: true })),
  rate_limits: [],
});
const alignRound = ({ key, entries, ...round }: Round) => ({
  ...round,
  key: alignLimits(key),
  entries: entries.map(alignLimits),
});

const readPlan = ({ messages }: ChatRequest) => JSON.parse(String(messages[0]?.content)) as Plan;
const usageOf = (tokens: number) => ({ prompt_tokens: tokens, completion_tokens: 1, total_tokens: tokens + 1 });

/** Providers that take their time on the clock, and do as the text of the request says. */
function slowProviders(clock: FakeClock) {
  const wait = (ms: number) => new Promise<void>((resolve) => clock.after(ms, resolve));
  const provider = (name: string, position: 0 | 1) =>
    defineProvider({
      name,
      async chat(request, { id, model }) {
        const { times, isLost, tokens } = readPlan(request);
        await wait(times[position]);
        if (isLost && position === 0) throw new GatewayError("upstream_timeout", "Too late.");
        const message = { role: "assistant" as const, content: "yes" };
        const choices = [{ index: 0, finish_reason: "stop" as const, message }];
        return { id, object: "chat.completion", created: 1, model, choices, usage: usageOf(tokens) };
      },
      async *streamChat(request, { id, model }) {
        const { times, isLost, tokens } = readPlan(request);
        const chunk = { id, object: "chat.completion.chunk", created: 1, model };
        await wait(times[position] / 2);
        yield { ...chunk, choices: [{ index: 0, finish_reason: null, delta: { content: "yes" } }] };
        await wait(times[position] / 2);
        if (isLost && position === 0) throw new GatewayError("upstream_stream_broken", "Lost.");
        yield { ...chunk, choices: [{ index: 0, finish_reason: "stop", delta: {} }], usage: usageOf(tokens) };
      },
    });
  return [provider("a", 0), provider("b", 1)];
}

interface World {
  readonly clock: FakeClock;
  readonly path: string;
  readonly engine: Engine;
  readonly keyId: string;
  readonly ask: (call: Plan) => Promise<unknown>;
}

let files = 0;

type Setting = Pick<Round, "rollEvery" | "key"> & { readonly entries: readonly Limits[] };

async function begin({ rollEvery, key: limits, entries }: Setting): Promise<World> {
  const clock = fakeClock({ startAt: Date.parse("2026-01-30T23:58:00Z") });
  const path = join(folder, `${files++}.db`);
  const store = sqliteStore(path, { rollEvery });
  const timeouts = { whole: 600_000, connect: 600_000, firstContent: 600_000, gap: 600_000 };
  const options = { prices: scriptedPrices(), clock, timeouts, retry: { retries: 0 } };
  const engine = createEngine({ ...options, store, providers: slowProviders(clock) });
  const names = entries.length === 1 ? ["*"] : ["a", "b"];
  const { key, value } = await engine.keys.create({
    name: "k",
    ...limits,
    provider_configs: entries.map((entry, position) => ({
      provider: names[position] ?? "",
      allowed_models: ["*"],
      ...entry,
    })),
  });
  const ask = async (call: Plan) => {
    const messages = [{ role: "user" as const, content: JSON.stringify(call) }];
    const request = { model: "a/m", fallbacks: ["b/m"], messages };
    const options = { key: value, ...(call.isHedged ? { hedge: { after_ms: 2_000 } } : {}) };
    if (call.isStream) for await (const _ of await engine.streamChat(request, options));
    else await engine.chat(request, options);
  };
  return { clock, path, engine, keyId: key.id, ask };
}

/** How the limits of the key stand for a gateway that begins with what the file holds. */
async function standAfterDeath({ path, clock, keyId }: World) {
  const { records, ledger, close } = sqliteStore(path);
  const beside = { ...ledger, recover: ledger.inspect, append: async () => {} };
  const engine = createEngine({ providers: slowProviders(clock), clock, store: { records, close, ledger: beside } });
  const standing = await engine.usage.limits(keyId);
  await engine.close();
  return standing;
}

/** A stream that breaks when everybody was asked already fails; any other call is answered. */
const isLeftAlone = ({ isStream, isHedged, isLost }: Plan) => isStream && isHedged && isLost;

/** Lets calls begin and time pass until all are over; `look` is called now and then. */
async function play({ clock, ask }: World, calls: readonly Plan[], look = async () => {}): Promise<void> {
  const answers: Promise<unknown>[] = [];
  for (const call of calls) {
    await clock.advance(call.pause);
    answers.push(ask(call).catch((thrown) => expect(isLeftAlone(call), String(thrown)).toBe(true)));
    await new Promise(setImmediate);
    await look();
  }
  let open = answers.length;
  for (const answer of answers) answer.finally(() => open--);
  while (open > 0) {
    await clock.advance(3_000);
    await look();
  }
}

it("a gateway that dies counts on as the one that lives, whatever calls overlapped, windows ended and counters were written before", async () => {
  await fc.assert(
    fc.asyncProperty(anyRound, async (round) => {
      const world = await begin(round);
      const { engine, keyId } = world;
      await play(world, round.calls);
      expect(await standAfterDeath(world)).toEqual(await engine.usage.limits(keyId));
      await engine.close();
    }),
    { numRuns: 60 },
  );
});

const usedOf = (standing: readonly LimitUsage[]) =>
  standing.map(({ owner, duration, used }) => ({ owner, duration, used }));

it("at any moment a gateway that dies counts on with all that was used, without what is reserved for calls under way", async () => {
  await fc.assert(
    fc.asyncProperty(anyRound.map(alignRound), fc.nat(12), async (round, moment) => {
      const world = await begin(round);
      const { engine, keyId } = world;
      let looks = 0;
      await play(world, round.calls, async () => {
        if (looks++ !== moment) return;
        await new Promise(setImmediate); // what was appended is written
        expect(usedOf(await standAfterDeath(world))).toEqual(usedOf(await engine.usage.limits(keyId)));
      });
      await engine.close();
    }),
    { numRuns: 60 },
  );
});
