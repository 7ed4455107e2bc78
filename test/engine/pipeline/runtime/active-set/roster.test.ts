import fc from "fast-check";
import { expect, it } from "vitest";
import { type ActiveMember, createActiveSet } from "../../../../../src/engine/pipeline/runtime/active-set.ts";

it("holds what a Set would hold, whatever comes and goes", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.boolean(), fc.nat(9)), { maxLength: 200 }), (moves) => {
      const members: ActiveMember[] = Array.from({ length: 10 }, () => ({ slot: 0 }));
      const roster = createActiveSet<ActiveMember>();
      const model = new Set<ActiveMember>();
      for (const [comes, which] of moves) {
        const member = members[which] as ActiveMember;
        if (comes && !model.has(member)) roster.add(member);
        if (!comes) roster.remove(member);
        if (comes) model.add(member);
        else model.delete(member);
        expect(roster.size).toBe(model.size);
        expect(new Set(roster)).toEqual(model);
        expect([...roster].every((each) => model.has(each))).toBe(true);
      }
    }),
  );
});
