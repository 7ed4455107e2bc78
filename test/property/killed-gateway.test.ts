import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, it } from "vitest";
import { sqliteStore } from "../../adapters/stores/sqlite/index.ts";
import type { Budget, RateLimit } from "../../src/api/governance.ts";
import { createEngine, defineProvider, type Engine, GatewayError } from "../../src/index.ts";
import { type FakeClock, fakeClock, scriptedPrices } from "../../src/testing/index.ts";

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
  isLost: fc.constant(false),
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

/** Providers that take their time on the clock, and do as the text of the request says. */
function slowProviders(clock: FakeClock) {
  const provider = (name: string, position: 0 | 1) =>
    defineProvider({
      name,
      async chat({ messages }, { id, model }) {
        const { times, isLost, tokens } = JSON.parse(String(messages[0]?.content)) as Plan;
        await new Promise<void>((resolve) => clock.after(times[position], resolve));
        if (isLost && position === 0) throw new GatewayError("upstream_timeout", "Too late.");
        const message = { role: "assistant" as const, content: "yes" };
        const usage = { prompt_tokens: tokens, completion_tokens: 1, total_tokens: tokens + 1 };
        const choices = [{ index: 0, finish_reason: "stop" as const, message }];
        return { id, object: "chat.completion", created: 1, model, choices, usage };
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

async function begin({ rollEvery, key: limits, entries }: Round): Promise<World> {
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
  const ask = (call: Plan) =>
    engine.chat(
      { model: "a/m", fallbacks: ["b/m"], messages: [{ role: "user", content: JSON.stringify(call) }] },
      { key: value },
    );
  return { clock, path, engine, keyId: key.id, ask };
}

/** How the limits of the key stand for a gateway that begins with what the file holds. */
async function standAfterDeath({ path, clock, keyId }: World) {
  const { records, ledger, close } = sqliteStore(path);
  const beside = { ...ledger, recover: ledger.inspect, append: async () => {} };
  const engine = createEngine({ providers: slowProviders(clock), clock, store: { records, close, ledger: beside } });
  const standing = await engine.usage.standing(keyId);
  await engine.close();
  return standing;
}

it("a gateway that dies counts on as the one that lives, whatever calls overlapped, windows ended and counters were written before", async () => {
  await fc.assert(
    fc.asyncProperty(anyRound, async (round) => {
      const world = await begin(round);
      const { clock, engine, keyId, ask } = world;
      const answers: Promise<unknown>[] = [];
      for (const call of round.calls) {
        await clock.advance(call.pause);
        answers.push(ask(call));
        await new Promise(setImmediate);
      }
      let open = answers.length;
      for (const answer of answers) answer.finally(() => open--);
      while (open > 0) await clock.advance(3_000);
      await Promise.all(answers);
      expect(await standAfterDeath(world)).toEqual(await engine.usage.standing(keyId));
      await engine.close();
    }),
    { numRuns: 60 },
  );
});
