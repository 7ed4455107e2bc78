import fc from "fast-check";
import { expect, test } from "vitest";
import { memoryStore } from "../../../adapters/stores/memory/index.ts";
import type { CoreEngine } from "../../../src/engine/engine.ts";
import type { EventMap } from "../../../src/engine/events.ts";
import type { LimitUsage } from "../../../src/engine/policy/limit-usage.ts";
import { watchLimits } from "../../../src/portal/alerts/limits.ts";
import { createNotify } from "../../../src/portal/notify.ts";
import { fakeClock } from "../../../src/testing/clock.ts";
import { withPortalKinds } from "../../portal-kinds.ts";

/** What a budget of 100 nano-dollars holds after a request, in which of its windows. */
const moment = fc.record({ used: fc.integer({ min: 0, max: 130 }), window: fc.integer({ min: 1, max: 3 }) });

function standingOf({ used, window }: { used: number; window: number }): LimitUsage {
  const budget = { level: "key", owner: "vk_1", unit: "cost", max: 1e-7, duration: "1d" } as const;
  const left = Math.max(0, 100 - used);
  return {
    ...budget,
    ...{ is_calendar: true, is_hard: false, resets_at: window, is_used_up: left === 0 },
    ...{ used: used / 1e9, reserved: 0, left: left / 1e9 },
    ...{ max_nano: 100, used_nano: used, reserved_nano: 0, left_nano: left },
  };
}

test("each window of a budget is told of once at 80 % and once at 100 %, exactly when a request left it there", async () => {
  const told = fc.asyncProperty(fc.array(moment, { maxLength: 20 }), fc.boolean(), async (moments, restarts) => {
    const { records } = withPortalKinds(memoryStore());
    const clock = fakeClock();
    let listeners: ((event: EventMap["settled"]) => void)[] = [];
    let standing = standingOf({ used: 0, window: 1 });
    const engine = {
      isDraining: false,
      usage: { limits: async () => [standing] },
      on: (_name: string, listener: (event: EventMap["settled"]) => void) => void listeners.push(listener),
    } as unknown as CoreEngine; // what the watch uses of one
    const start = () => watchLimits({ engine, records, clock, notify: createNotify({ records, clock }) });
    start();
    for (const one of moments) {
      standing = standingOf(one);
      for (const tell of listeners) tell({ key_id: "vk_1", reason: "ok" } as EventMap["settled"]);
      await clock.advance(1_000);
      await new Promise((resolve) => setImmediate(resolve));
      if (restarts) {
        listeners = [];
        start();
      }
    }
    const page = await records.list("notification", { limit: 100 });
    const wanted = new Set(
      moments.filter(({ used }) => used >= 80).map(({ used, window }) => `budget_${used >= 100 ? 100 : 80} ${window}`),
    );
    const windows = page.records.map(({ record: { type, text } }) => `${type} ${Date.parse(text.slice(-25, -1))}`);
    expect(windows.sort()).toEqual([...wanted].sort());
  });
  await fc.assert(told, { numRuns: 60 });
});
