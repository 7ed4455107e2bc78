import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { freezeAll } from "../../../src/engine/runtime/freeze.ts";
import { checkOutput } from "../../../src/operations/invoke.ts";

const row = z.object({ id: z.string(), tags: z.array(z.string()) });
const anyRow = fc.record({ id: fc.string(), tags: fc.array(fc.string(), { maxLength: 2 }), surplus: fc.nat() });

describe("the check of an answer", () => {
  it("gives what the schema alone would, however often, whatever is frozen", () => {
    const anyRows = fc.array(fc.tuple(anyRow, fc.boolean()), { maxLength: 6 });
    fc.assert(
      fc.property(anyRows, fc.array(fc.nat(5), { maxLength: 10 }), (rows, order) => {
        const rules = z.array(row);
        const values = rows.map(([value, isFrozen]) => (isFrozen ? freezeAll(value) : value));
        const picked = order.flatMap((n) => values[n] ?? []);
        for (const answer of [values, picked, values]) {
          expect(checkOutput(rules, answer)).toEqual({ success: true, data: rules.parse(answer) });
        }
      }),
    );
  });

  it("sees an element that breaks its schema among known ones, at its own position", () => {
    const rules = z.array(row);
    const known = freezeAll({ id: "a", tags: [] });
    expect(checkOutput(rules, [known]).success).toBe(true);
    const checked = checkOutput(rules, [known, known, { id: 1, tags: [] }]);
    expect(checked.error?.issues[0]?.path).toEqual([2, "id"]);
    expect(checkOutput(rules, [known, freezeAll({ id: "b" })]).success).toBe(false);
  });

  it("looks again at what is not frozen, and keeps rules about lists as a whole", () => {
    const rules = z.array(row);
    const changing: { id: unknown; tags: string[] } = { id: "a", tags: [] };
    expect(checkOutput(rules, [changing]).success).toBe(true);
    changing.id = 1;
    expect(checkOutput(rules, [changing]).success).toBe(false);
    const single = freezeAll({ id: "a", tags: [] });
    expect(checkOutput(z.array(row).max(1), [single, single]).success).toBe(false);
  });

  it("keeps schemas apart: what one accepts is not known to another", () => {
    const value = freezeAll({ id: "a", tags: [], more: 1 });
    expect(checkOutput(z.array(row), [value]).data).toEqual([{ id: "a", tags: [] }]);
    expect(checkOutput(z.array(z.object({ more: z.int() })), [value]).data).toEqual([{ more: 1 }]);
    expect(checkOutput(z.array(z.object({ other: z.int() })), [value]).success).toBe(false);
  });
});
