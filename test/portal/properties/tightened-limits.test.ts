import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Budget, ProviderConfig, type RateLimit, type ResetDuration } from "../../../src/engine/api/governance.ts";
import { compileAccess } from "../../../src/engine/policy/access.ts";
import { decideTarget } from "../../../src/engine/policy/decide.ts";
import { isWithinBudgets, isWithinRates, meetBudgets, meetRates } from "../../../src/engine/policy/tighten.ts";
import { meetEntries } from "../../../src/portal/tariff/llms.ts";
import { nextWindow, type Window } from "../../engine/properties/policy/tightened-windows.ts";
import { aKey } from "../../engine/support/records.ts";

const durations = ["1m", "1h", "1d", "1w", "1M"] as const satisfies readonly ResetDuration[];
const anyBudget = fc
  .record({
    max_limit: fc.integer({ min: 0, max: 200 }),
    reset_duration: fc.constantFrom(...durations),
    calendar_aligned: fc.boolean(),
    enforcement: fc.constantFrom("hard" as const, "soft" as const),
  })
  .map((budget) => Budget.parse(budget));
const anyBudgets = fc.array(anyBudget, { maxLength: 3 });
const anyRate: fc.Arbitrary<RateLimit> = fc.oneof(
  fc.record({ token_max_limit: fc.nat(200), token_reset_duration: fc.constantFrom(...durations) }),
  fc.record({ request_max_limit: fc.nat(200), request_reset_duration: fc.constantFrom(...durations) }),
);
const anyRates = fc.array(anyRate, { maxLength: 3 });

/** Amounts that are spent, and the minutes before each. */
const anySpending = fc.array(
  fc.record({ wait: fc.oneof(fc.nat(3), fc.nat(100), fc.nat(20_000)), amount: fc.integer({ min: 1, max: 60 }) }),
  { maxLength: 30 },
);

/** Spends as far as the limits allow; returns what was spent and when, in milliseconds. */
function spend(limits: readonly Window[], wanted: readonly { wait: number; amount: number }[]) {
  const done: { at: number; amount: number }[] = [];
  let state = limits.map((limit) => ({ limit, until: Number.NEGATIVE_INFINITY, used: 0 }));
  let at = Date.UTC(2026, 0, 31);
  for (const { wait, amount } of wanted) {
    at += wait * 60_000;
    // What is refused begins no window.
    const next = state.map((one) => (at < one.until ? one : { ...one, until: nextWindow(one.limit, at), used: 0 }));
    if (next.some(({ limit, used }) => used + amount > limit.max)) continue;
    state = next.map((one) => ({ ...one, used: one.used + amount }));
    done.push({ at, amount });
  }
  return done;
}

/** True when limits would have let all of it through. */
function allows(limits: readonly Window[], spent: readonly { at: number; amount: number }[]): boolean {
  let last = Date.UTC(2026, 0, 31);
  const wanted = spent.map(({ at, amount }) => {
    const wait = (at - last) / 60_000;
    last = at;
    return { wait, amount };
  });
  return spend(limits, wanted).length === spent.length;
}

const windowsOf = (budgets: readonly Budget[]): Window[] =>
  budgets.map(({ max_limit, reset_duration, calendar_aligned }) => ({
    max: max_limit,
    duration: reset_duration,
    isAligned: calendar_aligned,
  }));
const requestsOf = (limits: readonly RateLimit[]): Window[] =>
  limits.flatMap(({ request_max_limit: max, request_reset_duration: duration }) =>
    max === undefined || duration === undefined ? [] : [{ max, duration, isAligned: false }],
  );

describe("limits that are called tighter", () => {
  it("let nothing through that the bound would have stopped, whenever it is asked for", () => {
    fc.assert(
      fc.property(anyBudgets, anyBudgets, anySpending, (own, bound, wanted) => {
        fc.pre(bound.length > 0 && isWithinBudgets(own, bound));
        expect(allows(windowsOf(bound), spend(windowsOf(own), wanted))).toBe(true);
      }),
      { numRuns: 2_000, maxSkipsPerRun: 1_000 },
    );
  });

  it("keep a hard budget hard", () => {
    fc.assert(
      fc.property(anyBudgets, anyBudgets, (own, bound) => {
        fc.pre(bound.some(({ enforcement }) => enforcement === "hard") && isWithinBudgets(own, bound));
        expect(own.some(({ enforcement }) => enforcement === "hard")).toBe(true);
      }),
    );
  });

  it("let no request through that the bound would have stopped", () => {
    fc.assert(
      fc.property(anyRates, anyRates, anySpending, (own, bound, wanted) => {
        fc.pre(requestsOf(bound).length > 0 && isWithinRates(own, bound));
        expect(allows(requestsOf(bound), spend(requestsOf(own), wanted))).toBe(true);
      }),
      { numRuns: 1_000, maxSkipsPerRun: 1_000 },
    );
  });

  it("that two lists have in common keep both; a list that keeps the other stays as it is", () => {
    fc.assert(
      fc.property(
        fc.tuple(anyBudgets, anyBudgets),
        fc.tuple(anyRates, anyRates),
        ([budgets, others], [rates, ceiling]) => {
          const [met, kept] = [meetBudgets(budgets, others), meetRates(rates, ceiling)];
          expect([isWithinBudgets(met, budgets), isWithinBudgets(met, others)]).toEqual([true, true]);
          expect([isWithinRates(kept, rates), isWithinRates(kept, ceiling)]).toEqual([true, true]);
          expect(meetBudgets(met, others)).toEqual(met);
          expect(meetRates(kept, ceiling)).toEqual(kept);
        },
      ),
    );
  });
});

const [providers, models] = [
  ["a", "b", "c"],
  ["m", "n"],
];
const anyPattern = fc.oneof(
  fc.constant("*"),
  fc.constantFrom(...providers).map((provider) => `${provider}/*`),
  fc.tuple(fc.constantFrom(...providers), fc.constantFrom(...models)).map((parts) => parts.join("/")),
  fc.constantFrom(...models),
);
const anyEntries = fc
  .uniqueArray(
    fc.record({
      provider: fc.constantFrom(...providers, "*"),
      allowed_models: fc.array(anyPattern, { maxLength: 3 }),
      blocked_models: fc.array(anyPattern, { maxLength: 1 }),
    }),
    { selector: ({ provider }) => provider, maxLength: 4 },
  )
  .map((entries) => entries.map((entry) => ProviderConfig.parse(entry)));

function allowedBy(entries: readonly ProviderConfig[]): string[] {
  const access = compileAccess({ key: aKey({ provider_configs: [...entries] }) });
  const all = providers.flatMap((provider) => models.map((model) => ({ provider, model })));
  return all
    .filter((name) => decideTarget(access, name).kind === "grant")
    .map(({ provider, model }) => `${provider}/${model}`);
}

it("entries within others allow no model that either does not", () => {
  fc.assert(
    fc.property(anyEntries, anyEntries, (entries, bound) => {
      const [own, most] = [allowedBy(entries), allowedBy(bound)];
      for (const model of allowedBy(meetEntries(entries, bound))) {
        expect(own).toContain(model);
        expect(most).toContain(model);
      }
      expect(meetEntries(entries, entries)).toEqual(entries);
    }),
    { numRuns: 2_000 },
  );
});
