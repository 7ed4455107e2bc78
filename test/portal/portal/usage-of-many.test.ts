import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AiUsageRow } from "../../../src/operations/portal/tenancy/ai/insights.ts";
import { operator } from "../../../src/portal/call/operator.ts";
import { attempt, day, entry, midnight } from "../../../src/testing/conformance/ledger/entries.ts";
import { openGateway } from "../support/gateway.ts";
import { stores } from "../support/rig.ts";

const from = new Date(midnight).toISOString();
const to = new Date(midnight + 3 * day).toISOString();

/** What rows add up to; money in whole nano-dollars. */
function sumsOf(rows: readonly AiUsageRow[]) {
  const sum = (count: (row: AiUsageRow) => number) => rows.reduce((total, row) => total + count(row), 0);
  return {
    ...{
      requests: sum((row) => row.requests),
      attempts: sum((row) => row.attempts),
      latency: sum((row) => row.latency),
    },
    ...{ prompt_tokens: sum((row) => row.prompt_tokens), cost: Math.round(sum((row) => row.cost * 1e9)) },
  };
}

describe.each(stores)("usage of more keys than are shown: %s", (_name, open) => {
  it.each(["UTC", "Europe/Rome"])(
    "in %s the largest and the sum of the others are those of the whole answer",
    async (timezone) => {
      const store = await open();
      const { portal, clock } = await openGateway(store);
      await store.ledger.recover(clock.now());
      const entries = Array.from({ length: 120 }, (_, nth) => {
        const at = midnight + (nth * 3 * day) / 120;
        const key = nth % 7;
        const attempts = [attempt({ at, cost: 1_000_000 * (key + 1) })];
        return entry({
          id: `evt_${nth}`,
          at,
          key_id: key === 0 ? undefined : `vk_${key}`,
          latency: 10 + nth,
          attempts,
        });
      });
      await store.ledger.append(entries);
      const { ai } = portal.as(operator);
      for (const interval of ["hour", "day", "month"] as const) {
        const ask = (limit: number) => ai.usage({ from, to, timezone, interval, group_by: ["key_id"], limit });
        const all = await ask(100);
        const few = await ask(3);
        const isShown = ({ group }: (typeof all)[number]) => ["vk_6", "vk_5", "vk_4"].includes(String(group.key_id));
        expect(few.filter(({ is_other }) => !is_other)).toEqual(all.filter(isShown));
        for (const at of new Set(all.map((row) => row.at))) {
          const rest = all.filter((row) => row.at === at && !isShown(row));
          expect(sumsOf(few.filter((row) => row.at === at && row.is_other))).toEqual(sumsOf(rest));
        }
      }
    },
  );
});

/** An entry of a key on one of three days: answered, failed at its provider, or refused before one was asked. */
const anyEntry = fc.record({
  hour: fc.nat(71),
  key: fc.constantFrom(undefined, "vk_1", "vk_2"),
  outcome: fc.constantFrom("answered", "failed", "refused"),
});

describe.each(stores)("refused requests: %s", (_name, open) => {
  it("are as many by key and day as among the requests themselves", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyEntry, { minLength: 1, maxLength: 30 }), async (drawn) => {
        const store = await open();
        const { portal, clock } = await openGateway(store);
        await store.ledger.recover(clock.now());
        const entries = drawn.map(({ hour, key, outcome }, nth) => {
          const at = midnight + (hour * day) / 24;
          const status = outcome === "answered" ? 200 : 402;
          const attempts = outcome === "refused" ? [] : [attempt({ at, status })];
          return entry({ id: `evt_${nth}`, at, key_id: key, status, attempts });
        });
        await store.ledger.append(entries);
        const { ai } = portal.as(operator);
        const rows = await ai.usage({ from, to, interval: "day", group_by: ["key_id"] });
        const counted = rows.filter(({ refused }) => refused > 0);
        const expected = new Map<string, number>();
        for (const { hour, key } of drawn.filter(({ outcome }) => outcome === "refused")) {
          const name = `${Math.floor(hour / 24)} ${key}`;
          expected.set(name, (expected.get(name) ?? 0) + 1);
        }
        const nameOf = ({ at, group }: AiUsageRow) =>
          `${(Date.parse(at ?? "") - midnight) / day} ${group.key_id ?? undefined}`;
        expect(new Map(counted.map((row) => [nameOf(row), row.refused]))).toEqual(expected);
        const whole = await ai.usage({ from, to });
        expect(whole.map(({ refused }) => refused)).toEqual([
          [...expected.values()].reduce((total, count) => total + count, 0),
        ]);
      }),
      { numRuns: 15 },
    );
  });
});
