import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countTokens, cutText, tokensOf } from "../../../../adapters/providers/local/words.ts";

const anyText = fc.string({ unit: fc.constantFrom("a", "be", " ", "\n", "日本", "😀", "supercalifragilistic") });
const stops = fc.array(fc.constantFrom("a", "be", " ", "bea", "本a"), { maxLength: 4 });
const anyLimit = fc.option(fc.integer({ min: 1, max: 20 }), { nil: undefined });

describe("tokens", () => {
  it("joined are the text again", () =>
    fc.assert(fc.property(anyText, (text) => void expect(tokensOf(text).join("")).toBe(text))));

  it("are at most sixteen characters long, without what stands before them", () =>
    fc.assert(
      fc.property(anyText, (text) => {
        for (const token of tokensOf(text)) expect([...token.trim()].length).toBeLessThanOrEqual(16);
      }),
    ));

  it("of ordinary words are the words", () => expect(tokensOf("to be, or not")).toEqual(["to", " be,", " or", " not"]));
});

describe("a text cut as a model's would be", () => {
  const anyCut = [anyText, anyLimit, stops] as const;

  it("is the beginning of the text", () =>
    fc.assert(
      fc.property(
        ...anyCut,
        (text, limit, ends) => void expect(text.startsWith(cutText(text, limit, ends).tokens.join(""))).toBe(true),
      ),
    ));

  it("has no more tokens than the limit, by its own count", () =>
    fc.assert(
      fc.property(...anyCut, (text, limit = Infinity, ends) => {
        const { tokens } = cutText(text, limit, ends);
        expect(tokens.length).toBeLessThanOrEqual(limit);
        expect(tokens.length).toBe(countTokens(tokens.join("")));
      }),
    ));

  it("holds no stop sequence", () =>
    fc.assert(
      fc.property(...anyCut, (text, limit, ends) => {
        const kept = cutText(text, limit, ends).tokens.join("");
        expect(ends.filter((end) => kept.includes(end))).toEqual([]);
      }),
    ));

  it("ends for `length` exactly when the limit ended it", () =>
    fc.assert(
      fc.property(...anyCut, (text, limit, ends) => {
        const { finishReason, tokens } = cutText(text, limit, ends);
        const isLimited = tokens.length === limit && countTokens(text) > limit;
        if (finishReason === "length") expect(isLimited).toBe(true);
        else
          expect(tokens.join("") === text || ends.some((end) => text.startsWith(end, tokens.join("").length))).toBe(
            true,
          );
      }),
    ));
});
