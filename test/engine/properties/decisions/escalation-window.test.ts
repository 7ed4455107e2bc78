import fc from "fast-check";
import { expect, it } from "vitest";
import { createEscalationWindow, windowSize } from "../../../../src/engine/decisions/ensembles/window.ts";

const limits = fc.record({ share: fc.double({ min: 0, max: 0.3, noNaN: true }), sum: fc.nat({ max: 100 }) });
const steps = fc.array(
  fc.record({
    decisions: fc.integer({ min: 1, max: 128 }),
    wanted: fc.nat({ max: 128 }),
    bound: fc.nat({ max: 60 }),
    part: fc.double({ min: 0, max: 1, noNaN: true }),
    late: fc.boolean(),
  }),
  { maxLength: 60 },
);

it("never escalates more of the last thousand decisions than the share, nor for more than the sum, also while some are under way", () => {
  fc.assert(
    fc.property(limits, steps, (bounds, requests) => {
      const window = createEscalationWindow();
      /** Every decision: whether it was escalated, and what its request costs at most now. */
      const decisions: { isEscalated: boolean; cost: number }[] = [];
      const open: (() => void)[] = [];
      for (const { decisions: count, wanted, bound, part, late } of requests) {
        window.note(count);
        for (let each = 0; each < count; each++) decisions.push({ isEscalated: false, cost: 0 });
        const granted = Math.min(wanted, count, window.roomFor(bounds));
        const escalation = granted > 0 ? window.open(granted, bound, bounds) : undefined;
        if (escalation) {
          const own = decisions.slice(-granted);
          for (const each of own) each.isEscalated = true;
          const [first] = own as [(typeof own)[number]];
          first.cost = bound;
          const close = () => {
            first.cost = bound * part;
            escalation.close(bound * part);
          };
          if (late) open.push(close);
          else close();
        } else open.shift()?.();
        const last = decisions.slice(-windowSize);
        expect(last.filter(({ isEscalated }) => isEscalated).length).toBeLessThanOrEqual(bounds.share * windowSize);
        const spent = last.reduce((sum, { cost }) => sum + cost, 0);
        expect(spent).toBeLessThanOrEqual(bounds.sum + 1e-6);
      }
    }),
  );
});

it("leaves room again once the escalated decisions are older than a thousand", () => {
  const window = createEscalationWindow();
  const bounds = { share: 0.002, sum: 10 };
  window.note(2);
  window.open(2, 10, bounds)?.close(10);
  expect(window.roomFor(bounds)).toBe(0);
  window.note(windowSize - 1);
  expect(window.roomFor(bounds)).toBe(1);
  window.note(1);
  expect(window.roomFor(bounds)).toBe(2);
});
