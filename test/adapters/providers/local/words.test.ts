import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countTokens, cutText, tokensOf } from "../../../../adapters/providers/local/words.ts";

const piece = fc.oneof(
  fc.constantFrom(" ", "\n", "\u00a0", "\u2003", "\ufeff", "a", "é", "😀", "\ud800", "\udc00", "x".repeat(15)),
  fc.string({ unit: "binary", maxLength: 40 }),
);
const text = fc.array(piece, { maxLength: 20 }).map((pieces) => pieces.join(""));

describe("the tokens of the echo", () => {
  it("are counted without being made", () => {
    fc.assert(
      fc.property(text, (given) => {
        expect(countTokens(given)).toBe(tokensOf(given).length);
      }),
      { numRuns: 2_000 },
    );
  });

  it("are a text again", () => {
    fc.assert(
      fc.property(text, (given) => {
        expect(tokensOf(given).join("")).toBe(given);
      }),
    );
  });

  it("end after the limit, or before a stop sequence within it", () => {
    expect(cutText("one two three", undefined, [])).toEqual({ text: "one two three", count: 3, finishReason: "stop" });
    expect(cutText("one two three", 2, [])).toEqual({ text: "one two", count: 2, finishReason: "length" });
    expect(cutText("one two three", 2, [" two"])).toEqual({ text: "one", count: 1, finishReason: "stop" });
    expect(cutText("one two three", 2, ["three"])).toEqual({ text: "one two", count: 2, finishReason: "length" });
    expect(cutText("one two three", 3, [])).toEqual({ text: "one two three", count: 3, finishReason: "stop" });
  });
});
