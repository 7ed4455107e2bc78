import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { matchesAny, matchesPattern } from "../../../src/engine/routing/index.ts";

describe("matchesPattern", () => {
  it.each([
    ["*", "", true],
    ["*", "anything/at.all", true],
    ["", "", true],
    ["", "a", false],
    ["gpt-5", "gpt-5", true],
    ["gpt-5", "gpt-5-mini", false],
    ["gpt-5*", "gpt-5-mini", true],
    ["*-mini", "gpt-5-mini", true],
    ["gpt*mini", "gpt-5-mini", true],
    ["gpt*mini", "gpt-5-mini-2", false],
    ["a*a", "a", false],
    ["ab*ba", "aba", false],
    ["a*b*c", "a-b-c", true],
    ["a*b*c", "acb", false],
    ["*b*", "abc", true],
    ["**", "", true],
    ["GPT-5", "gpt-5", false],
    ["a.c", "abc", false],
  ])("%j fits %j: %s", (pattern, text, expected) => {
    expect(matchesPattern(pattern, text)).toBe(expected);
  });
  it("fits what a regular expression with .* for * fits", () =>
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom("a", "b", "*"), maxLength: 6 }),
        fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 8 }),
        (pattern, text) => {
          expect(matchesPattern(pattern, text)).toBe(new RegExp(`^${pattern.replaceAll("*", ".*")}$`).test(text));
        },
      ),
      { numRuns: 2_000 },
    ));
  it("takes no longer than a product of the lengths, however the pattern is made", () => {
    const pattern = `${"*a".repeat(2_000)}*b`;
    const text = "a".repeat(50_000);
    expect(matchesPattern(pattern, text)).toBe(false);
  });
});

describe("matchesAny", () => {
  it("takes one pattern or several; none fits nothing", () => {
    expect(matchesAny("a*", "ab")).toBe(true);
    expect(matchesAny(["b", "a*"], "ab")).toBe(true);
    expect(matchesAny(["b", "c"], "ab")).toBe(false);
    expect(matchesAny([], "ab")).toBe(false);
  });
});
