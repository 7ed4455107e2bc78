import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sampleOfPattern } from "../../../../adapters/providers/local/pattern.ts";

const quantifier = fc.constantFrom("", "", "", "?", "*", "+", "{2}", "{1,3}", "{0,2}", "+?");
const classPart = fc.constantFrom("a", "z", "0", "a-f", "A-Z", "0-9", "\\d", "\\w", "_", "\\-", ".", "\\]");
const anyClass = fc
  .tuple(fc.boolean(), fc.array(classPart, { minLength: 1, maxLength: 3 }))
  .map(([isNegated, parts]) => `[${isNegated ? "^" : ""}${parts.join("")}]`);
const literal = fc.constantFrom(
  "a",
  "Z",
  "7",
  "-",
  " ",
  "\\.",
  "\\/",
  "\\d",
  "\\w",
  "\\s",
  "\\D",
  "\\S",
  "\\x41",
  "\\u00e9",
  ".",
);

/** Any expression of the syntax that is read. */
const { expression } = fc.letrec<{ expression: string; sequence: string; atom: string }>((tie) => ({
  expression: fc.array(tie("sequence"), { minLength: 1, maxLength: 2 }).map((parts) => parts.join("|")),
  sequence: fc
    .array(fc.tuple(tie("atom"), quantifier), { minLength: 1, maxLength: 3 })
    .map((parts) => parts.flat().join("")),
  atom: fc.oneof(
    { maxDepth: 2 },
    literal,
    anyClass,
    tie("expression").map((inner) => `(${inner})`),
    tie("expression").map((inner) => `(?:${inner})`),
  ),
}));

describe("a text for a pattern", () => {
  it("matches the whole pattern, whatever it is made of", () =>
    fc.assert(
      fc.property(expression, (source) => {
        const text = sampleOfPattern(`^(?:${source})$`);
        expect(text).toBeDefined();
        expect(text).toMatch(new RegExp(`^(?:${source})$`));
      }),
      { numRuns: 500 },
    ));

  it.each([
    ["^[A-Z]{3}-\\d{4}$", "AAA-0000"],
    ["^(?<year>\\d{4})$", "0000"],
    ["^(cat|dog)$", "cat"],
    ["[^a-zA-Z]", "0"],
    ["^\\p{L}+$", undefined],
    ["^(?=.*\\d).+$", undefined],
    ["(a)\\1", undefined],
    ["[]", undefined],
    ["(", undefined],
    [")", undefined],
    ["*a", undefined],
    ["\\", undefined],
    ["[a", undefined],
    ["(a{900}){900}", undefined],
    ["(".repeat(100_000), undefined],
  ])("of %s is %s", (source, text) => expect(sampleOfPattern(source)).toBe(text));

  it("is found without running the pattern, so that no pattern can hang the process", () => {
    expect(sampleOfPattern("^(([a-z])+.)+[A-Z]([a-z])+$")).toMatch(/^aaAa$/);
  });

  it("never throws on what is no pattern", () =>
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(..."ab1\\[](){}?*+|^$.-,:<>=!") }),
        (source) => void sampleOfPattern(source),
      ),
    ));
});
