import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { memoryCounters } from "../../../../adapters/counters/memory.ts";
import { type Budget, ResetDuration } from "../../../../src/engine/api/governance.ts";
import { compileAccess, entryFor, entryName, type KeyPermissions } from "../../../../src/engine/policy/access.ts";
import type { Limit } from "../../../../src/engine/policy/limit.ts";
import { forUser, selectLimits } from "../../../../src/engine/policy/limit-scope.ts";
import {
  type Counting,
  chargeReservation,
  countTarget,
  planReservation,
} from "../../../../src/engine/policy/limits-reservation.ts";
import { replayCounterValues } from "../../../../src/engine/policy/replay.ts";
import type {
  CounterReading,
  CounterReservation,
  Counters,
  CounterValue,
} from "../../../../src/engine/ports/counters.ts";
import type { LedgerEntry } from "../../../../src/engine/ports/ledger.ts";
import { anAttempt, anEntryOf } from "../../../adapters/support/entries.ts";
import { aBudget, aCustomer, aKey, anEntry, aProject } from "../../support/records.ts";

const anyDuration = fc.constantFrom(...ResetDuration.options);
const users = ["ann", "bob"];
/** What a limit counts, where not all. */
const anyScope = fc.record(
  { models: fc.constant<string[]>(["a/*"]), user: fc.constantFrom("*", "ann") },
  { requiredKeys: [] },
);
const anyBudgets = fc.array(
  fc
    .tuple(fc.record({ reset_duration: anyDuration, calendar_aligned: fc.boolean() }), anyScope)
    .map(([parts, scope]): Budget => ({ ...parts, ...scope, max_limit: 9_000_000, enforcement: "soft" })),
  { maxLength: 2 },
);
const anyRates = fc.array(
  fc.tuple(anyDuration, anyScope).map(([duration, scope]) => ({
    ...scope,
    request_max_limit: 1e9,
    request_reset_duration: duration,
    token_max_limit: 1e9,
    token_reset_duration: duration,
  })),
  { maxLength: 1 },
);
const anyLimits = fc.record({ budgets: anyBudgets, rate_limits: anyRates });
const anyAccess = fc
  .tuple(fc.tuple(fc.boolean(), anyLimits, anyLimits), anyLimits, anyLimits, anyLimits)
  .map(([[isGeneral, one, two], key, project, customer]) =>
    compileAccess({
      key: aKey({
        provider_configs: isGeneral
          ? [anEntry({ provider: "*", ...one })]
          : [anEntry({ provider: "a", ...one }), anEntry({ provider: "b", ...two })],
        project_id: "prj_1",
        ...key,
      }),
      project: aProject({ customer_id: "cus_1", ...project }),
      customer: aCustomer(customer),
    }),
  );
/** A request: the providers that were asked in turn, and the pauses before, between and after them. */
const anyRequest = fc.record({
  asked: fc.array(fc.record({ provider: fc.constantFrom("a", "b"), cost: fc.nat(1_000), tokens: fc.nat(50) }), {
    maxLength: 3,
  }),
  pauses: fc.array(fc.oneof(fc.nat(90_000), fc.nat(40 * 86_400_000)), { minLength: 4, maxLength: 4 }),
  isCached: fc.boolean(),
  user: fc.constantFrom(undefined, ...users),
});
type Request = typeof anyRequest extends fc.Arbitrary<infer Value> ? Value : never;

function reserve(counters: Counters, limits: readonly Limit[], { now, counting }: { now: number; counting: Counting }) {
  const bounds = { cost: { hard: 0, soft: 0 }, tokens: 0, counting };
  const reservation = planReservation(limits, bounds, { reservationId: "t", now, expiresAt: Infinity });
  return { reservation, ticket: counters.reserve(reservation.call) as CounterReservation };
}

/** Plays a request live, as the conductor does, and gives its ledger entry. */
function play(
  counters: Counters,
  access: KeyPermissions,
  { request, now }: { request: Request; now: number },
): LedgerEntry {
  const { isCached, user } = request; // behind attempts too: a similar question was put into vectors before its answer was found, at once here
  let at = now + (request.pauses[0] ?? 0);
  const base = { key_id: access.keyId, at };
  const asked: string[] = [];
  const attempts = request.asked.map(({ provider, cost, tokens }, position) => {
    const all = entryFor(access, provider)?.limits ?? [];
    const limits = selectLimits(all, { model: { provider, model: "m" }, user });
    const { reservation, ticket } = reserve(counters, limits, {
      now: at,
      counting: countTarget(entryName(access, provider), asked),
    });
    asked.push(entryName(access, provider));
    const attempt = anAttempt({
      at,
      provider,
      model: `${provider}/m`,
      cost,
      prompt_tokens: tokens,
      completion_tokens: 1,
    });
    if (!isCached) at += request.pauses[position + 1] ?? 0;
    counters.settle(ticket, chargeReservation(reservation, { requests: 1, tokens: tokens + 1, cost }), at);
    return attempt;
  });
  if (isCached) {
    const counting = countTarget(entryName(access, "b"), asked);
    const limits = selectLimits(entryFor(access, "b")?.limits ?? [], { model: { provider: "b", model: "m" }, user });
    const { reservation, ticket } = reserve(counters, limits, { now: at, counting });
    counters.settle(ticket, chargeReservation(reservation, { requests: 1, tokens: 0, cost: 0 }), at);
  }
  return anEntryOf({
    ...base,
    user,
    model_requested: "b/m",
    attempts,
    ...(isCached ? { cache: "direct" as const } : {}),
  });
}

function read(counters: Counters, access: KeyPermissions, now: number): CounterValue[] {
  const all = access.entries.flatMap(({ limits }) => limits);
  const resolved = all.flatMap((limit) =>
    limit.user === "*" ? ["", ...users].map((user) => forUser(limit, user)) : limit,
  );
  const names = [...new Set(resolved.map(({ counter }) => counter))];
  const readings = counters.read(names, now) as readonly (CounterReading | undefined)[];
  return readings.flatMap((reading) =>
    reading ? [{ counter: reading.counter, start: reading.start, end: reading.end, used: reading.used }] : [],
  );
}

describe("replaying the ledger", () => {
  it("from what was written at any moment gives what the counters held when the process died", () => {
    fc.assert(
      fc.property(anyAccess, fc.array(anyRequest, { maxLength: 12 }), fc.nat(12), (access, requests, cut) => {
        const live = memoryCounters();
        let now = Date.parse("2026-01-30T23:00:00Z");
        let standings: CounterValue[] = [];
        const entries: LedgerEntry[] = [];
        for (const [position, request] of requests.entries()) {
          if (position === cut) standings = read(live, access, now);
          entries.push(play(live, access, { request, now }));
          now += request.pauses.reduce((sum, pause) => sum + pause, 0);
        }
        const tail = cut < requests.length ? entries.slice(cut) : entries;
        const replayed = memoryCounters();
        replayed.restore?.(
          replayCounterValues({ counterValues: standings, entries: tail, accessOf: () => access }),
          now,
        );
        expect(read(replayed, access, now)).toEqual(read(live, access, now));
      }),
      { numRuns: 500 },
    );
  });

  it("opens windows in the order in which attempts were reserved, not in that in which requests ended", () => {
    const access = compileAccess({ key: aKey({ budgets: [aBudget()] }) });
    const start = Date.parse("2026-11-20T10:00:00Z");
    const attempts = [20, 0].map((later) => [anAttempt({ at: start + later, cost: 100 })]); // the long call ended last
    const entries = attempts.map((attempts) => anEntryOf({ at: start, attempts }));
    const replayed = replayCounterValues({ counterValues: [], entries, accessOf: () => access });
    expect(replayed).toEqual([{ counter: "key/vk_1/cost/1d", start, end: start + 86_400_000, used: 200 }]);
  });

  it("counts a request for the attempt that was reserved first, also when another one ended before it", () => {
    const rate_limits = [
      {
        request_max_limit: 9,
        request_reset_duration: "1m" as const,
        token_max_limit: 9,
        token_reset_duration: "1m" as const,
      },
    ];
    const access = compileAccess({ key: aKey({ rate_limits }) });
    const start = Date.parse("2026-11-20T10:00:00Z");
    const attempts = [20, 0].map((later) => anAttempt({ at: start + later, prompt_tokens: 1, completion_tokens: 0 }));
    const entries = [anEntryOf({ at: start, attempts })];
    const replayed = replayCounterValues({ counterValues: [], entries, accessOf: () => access });
    expect(replayed.map(({ start: opened, used }) => [opened, used])).toEqual([
      [start, 1],
      [start, 2],
    ]);
  });

  it("leaves a window alone that opened after the attempt was reserved", () => {
    const access = compileAccess({
      key: aKey({ budgets: [{ max_limit: 1, reset_duration: "1d", calendar_aligned: true, enforcement: "soft" }] }),
    });
    const start = Date.parse("2026-11-21T00:00:00Z");
    const standing = { counter: "key/vk_1/cost/1d/calendar", start, end: start + 86_400_000, used: 7 };
    const entries = [start - 1, start].map((at) => anEntryOf({ attempts: [anAttempt({ at, cost: 100 })] }));
    const replayed = replayCounterValues({ counterValues: [standing], entries, accessOf: () => access });
    expect(replayed).toEqual([{ ...standing, used: 107 }]);
  });

  it("leaves the bills of keys that are gone alone", () => {
    const entry = anEntryOf({ key_id: "gone", attempts: [anAttempt({})] });
    expect(replayCounterValues({ counterValues: [], entries: [entry], accessOf: () => undefined })).toEqual([]);
  });
});
