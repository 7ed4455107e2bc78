import fc from "fast-check";
import { expect, test } from "vitest";
import { type AlertState, observeAlert, observerTtl } from "../../../src/portal/alerts/rules/state.ts";

const observers = ["store", "prc_1", "prc_2"] as const;

/** What an observer says, and how long after the one before. */
const said = fc.record({
  observer: fc.constantFrom(...observers),
  isFiring: fc.boolean(),
  after: fc.integer({ min: 0, max: 400_000 }),
});

test("an alert is open exactly while an observer that still speaks has seen its condition last; each change is one message", () => {
  fc.assert(
    fc.property(fc.array(said, { maxLength: 60 }), (all) => {
      let state: AlertState | undefined;
      let now = 1_000;
      let messages: string[] = [];
      /** What each observer said last that a reader could know of, and when. */
      const model = new Map<string, number>();
      for (const { observer, isFiring, after } of all) {
        now += after;
        for (const [name, at] of model) if (name !== observer && now - at >= observerTtl) model.delete(name);
        if (isFiring) model.set(observer, state?.observers[observer] ?? now);
        else model.delete(observer);
        const step = observeAlert(state, { observer, isFiring, now });
        if (step) {
          state = step.state;
          if (step.message) messages = [...messages, step.message];
        }
        if (isFiring) model.set(observer, state?.observers[observer] ?? now);
        expect(state?.status ?? "resolved").toBe(model.size > 0 ? "open" : "resolved");
        expect((state?.resolved_at ?? null) !== null).toBe(state?.status === "resolved");
      }
      expect(messages).toEqual(messages.map((_, at) => (at % 2 === 0 ? "triggered" : "resolved")));
      expect(state?.occurrence ?? 0).toBe(messages.filter((one) => one === "triggered").length);
    }),
    { numRuns: 500 },
  );
});

test("an observer that keeps seeing the condition is never taken for dead, and is stored at most every two minutes", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 60_000 }), { minLength: 1, maxLength: 100 }), (pauses) => {
      let state = observeAlert(undefined, { observer: "a", isFiring: true, now: 0 })?.state;
      let [now, writes] = [0, 0];
      for (const pause of pauses) {
        now += pause;
        const step = observeAlert(state, { observer: "a", isFiring: true, now });
        expect(step?.message).toBeUndefined();
        if (step) [state, writes] = [step.state, writes + 1];
        const other = observeAlert(state, { observer: "b", isFiring: false, now });
        expect(other?.message).toBeUndefined();
      }
      expect(writes).toBeLessThanOrEqual(now / 120_000);
    }),
  );
});
