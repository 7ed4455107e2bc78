import fc from "fast-check";
import { expect, it } from "vitest";
import { utf8Length } from "../../../../src/engine/runtime/utf8.ts";

it("counts the bytes that a text is written in, lone surrogates and long texts included", () =>
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 60 }), fc.constantFrom(1, 100, 200, 8_192), (text, times) => {
      const long = text.repeat(times);
      expect(utf8Length(long)).toBe(Buffer.from(long).length);
      expect(utf8Length(`${long}\ud800`)).toBe(Buffer.from(`${long}\ud800`).length);
    }),
    { numRuns: 200 },
  ));

it("counts at the edge of what is written to be counted", () => {
  for (const length of [0, 1, 8_191, 8_192, 8_193]) {
    for (const sign of ["a", "é", "漢"]) expect(utf8Length(sign.repeat(length))).toBe(length * Buffer.byteLength(sign));
  }
});
