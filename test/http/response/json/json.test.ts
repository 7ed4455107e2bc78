import fc from "fast-check";
import { expect, it } from "vitest";
import { freezeAll } from "../../../../src/engine/runtime/freeze.ts";
import { writeJson } from "../../../../src/http/response/json.ts";

it("a value is written as `JSON.stringify` writes it, however often, whatever is frozen", () => {
  const anyElement = fc.oneof(
    fc.jsonValue(),
    fc.constant(undefined),
    fc.record({ gone: fc.constant(undefined), at: fc.date({ noInvalidDate: true }) }),
  );
  const anyValue = fc.oneof(
    anyElement,
    fc
      .array(fc.tuple(anyElement, fc.boolean()), { maxLength: 5 })
      .map((pairs) => pairs.map(([element, isFrozen]) => (isFrozen ? freezeAll(element) : element))),
  );
  fc.assert(
    fc.property(anyValue, (value) => {
      expect(writeJson(value)).toBe(JSON.stringify(value));
      expect(writeJson(value)).toBe(JSON.stringify(value));
    }),
  );
});

it("what is not frozen is written as it is now", () => {
  const changing = { n: 1 };
  const list = [freezeAll({ fixed: true }), changing];
  expect(writeJson(list)).toBe('[{"fixed":true},{"n":1}]');
  changing.n = 2;
  expect(writeJson(list)).toBe('[{"fixed":true},{"n":2}]');
});
