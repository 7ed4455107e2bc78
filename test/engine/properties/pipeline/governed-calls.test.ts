import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { memoryCounters } from "../../../../adapters/counters/memory.ts";
import { memoryStore } from "../../../../adapters/stores/memory/index.ts";
import type { Budget } from "../../../../src/engine/api/governance.ts";
import { isGatewayError } from "../../../../src/engine/errors.ts";
import type { CounterReservation } from "../../../../src/engine/ports/counters.ts";
import { anyScript } from "../../../../src/testing/arbitraries.ts";
import { type Script, type ScriptedEngine, type ScriptStep, scriptedEngine } from "../../../../src/testing/index.ts";
import { watched } from "./tickets.ts";

const cast = { providers: ["a", "b"], models: ["m"] };
/** What one answer of a script may cost at most, in nano-dollars: 4,096 tokens written at 2,000, and a short prompt. */
const dearest = 4_096 * 2_000 + 1_000_000;

/** Budgets of the four levels, in US dollars; about one to ten answers' worth. */
const anyLimit = fc.option(
  fc.integer({ min: 1, max: 100 }).map((tenths) => (tenths * dearest) / 1e10),
  { nil: undefined },
);
const anyLevels = fc.record({ entry: anyLimit, key: anyLimit, project: anyLimit, customer: anyLimit });

const anyUsage = fc.record({ prompt: fc.integer({ min: 0, max: 60 }), completion: fc.integer({ min: 0, max: 4_096 }) });
const anyRound = fc.record({
  levels: anyLevels,
  script: anyScript(cast),
  usages: fc.array(anyUsage, { minLength: 1, maxLength: 6 }),
  calls: fc.array(
    fc.record({
      isStream: fc.boolean(),
      hasFallback: fc.boolean(),
      abortAfter: fc.option(fc.nat(6), { nil: undefined }),
    }),
    { minLength: 1, maxLength: 12 },
  ),
});
type Round = typeof anyRound extends fc.Arbitrary<infer R> ? R : never;

/** The script with answers that say what they used. */
function withUsage(script: Script, usages: Round["usages"]): Script {
  let turn = 0;
  const spend = (step: ScriptStep): ScriptStep => {
    if (step.kind !== "answer") return step;
    const { prompt, completion } = usages[turn++ % usages.length] as { prompt: number; completion: number };
    return {
      ...step,
      usage: { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion },
    };
  };
  return Object.fromEntries(Object.entries(script).map(([name, steps]) => [name, steps.map(spend)]));
}

interface World {
  readonly engine: ScriptedEngine;
  readonly keyId: string;
  readonly value: string;
  readonly ends: ReadonlyMap<CounterReservation, number>;
}

async function begin(
  { levels, script, usages }: Pick<Round, "levels" | "script" | "usages">,
  enforcement: Budget["enforcement"],
): Promise<World> {
  const { counters, ends } = watched(memoryCounters());
  const engine = scriptedEngine(withUsage(script, usages), { store: memoryStore(), counters, requireKey: true });
  const budgets = (limit: number | undefined) =>
    limit === undefined ? [] : [{ max_limit: limit, reset_duration: "1Y" as const, enforcement }];
  const customer = await engine.customers.create({ name: "c", budgets: budgets(levels.customer) });
  const project = await engine.projects.create({
    name: "p",
    customer_id: customer.id,
    budgets: budgets(levels.project),
  });
  const { key, value } = await engine.keys.create({
    name: "k",
    project_id: project.id,
    budgets: budgets(levels.key),
    provider_configs: cast.providers.map((provider) => ({
      provider,
      allowed_models: ["*"],
      budgets: budgets(levels.entry),
    })),
  });
  return { engine, keyId: key.id, value, ends };
}

async function ask(
  { engine, value }: World,
  { isStream, hasFallback, abortAfter }: Round["calls"][number],
): Promise<void> {
  const controller = new AbortController();
  const request = {
    model: "a/m",
    ...(hasFallback ? { fallbacks: ["b/m"] } : {}),
    messages: [{ role: "user" as const, content: "hi" }],
  };
  const options = { key: value, signal: controller.signal };
  try {
    if (!isStream) {
      const answer = engine.chat(request, options);
      if (abortAfter === 0) controller.abort();
      await answer;
      return;
    }
    let read = 0;
    for await (const _chunk of await engine.streamChat(request, options)) {
      if (read++ === abortAfter) controller.abort();
    }
  } catch (thrown) {
    if (!isGatewayError(thrown) || thrown.code === "internal") {
      if (!isGatewayError(thrown)) throw thrown;
    }
  }
}

async function play(round: Round, enforcement: Budget["enforcement"]): Promise<World> {
  const world = await begin(round, enforcement);
  await Promise.all(round.calls.map((call) => ask(world, call)));
  return world;
}

const check = (enforcement: Budget["enforcement"], judge: (world: World, round: Round) => Promise<void>) =>
  fc.assert(fc.asyncProperty(anyRound, async (round) => judge(await play(round, enforcement), round)));

describe("budgets under concurrent calls, fallbacks, failures and aborts", () => {
  it("hard: no level's spending ever passes its limit", () =>
    check("hard", async ({ engine, keyId }) => {
      for (const { unit, used, max } of await engine.usage.limits(keyId)) {
        if (unit === "cost") expect(used).toBeLessThanOrEqual(max);
      }
    }));
  it("soft: a level overshoots by what was in flight at most", () =>
    check("soft", async ({ engine, keyId }, { calls }) => {
      for (const { unit, used, max } of await engine.usage.limits(keyId)) {
        if (unit === "cost") expect(used).toBeLessThanOrEqual(max + (calls.length * dearest) / 1e9);
      }
    }));
  it("every reservation is settled exactly once, and nothing stays reserved", () =>
    check("hard", async ({ engine, keyId, ends }) => {
      expect([...ends.values()].every((count) => count === 1)).toBe(true);
      for (const { reserved } of await engine.usage.limits(keyId)) expect(reserved).toBe(0);
    }));
  it("the counters and the ledger agree to the nano-dollar", () =>
    check("soft", async ({ engine, keyId }) => {
      const [sums] = await engine.usage.query({ from: 0, to: engine.clock.now() + 1 });
      for (const { level, unit, used } of await engine.usage.limits(keyId)) {
        if (unit === "cost" && level !== "entry") expect(used).toBe(sums?.cost ?? 0);
      }
    }));
  it("every request has exactly one ledger entry, refused and aborted ones too", () =>
    check("hard", async ({ engine }, { calls }) => {
      const { entries } = await engine.usage.entries({ limit: 1_000 });
      expect(entries).toHaveLength(calls.length);
      expect(new Set(entries.map(({ id }) => id)).size).toBe(calls.length);
    }));
  it("an entry's items sum to its cost", () =>
    check("soft", async ({ engine }) => {
      const { entries } = await engine.usage.entries({ limit: 1_000 });
      for (const { cost_nano: cost, items } of entries.flatMap(({ attempts }) => attempts)) {
        expect(items.reduce((sum, { amount_nano }) => sum + amount_nano, 0)).toBe(cost);
      }
    }));
  it("alone, a call is refused only when the limit would really be passed", () =>
    fc.assert(
      fc.asyncProperty(anyRound, async (round) => {
        const world = await begin(
          { ...round, script: { "a/m": [{ kind: "answer", text: "to be" }], "b/m": [{ kind: "unreachable" }] } },
          "hard",
        );
        for (const call of round.calls) {
          const before = await world.engine.usage.limits(world.keyId);
          const { message } = await world.engine
            .chat({ model: "a/m", messages: [{ role: "user", content: "hi" }] }, { key: world.value })
            .then(
              () => ({ message: undefined }),
              (error) => error,
            );
          if (message === undefined || call.hasFallback) continue;
          expect(message).toMatch(/budget/);
          const limits = before.filter(
            ({ unit, owner, level }) => unit === "cost" && (level !== "entry" || owner.endsWith("/a")),
          );
          expect(limits.some(({ max_nano: max = 0, used_nano: used = 0 }) => used + dearest > max)).toBe(true);
        }
      }),
    ));
});
