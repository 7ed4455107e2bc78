import fc from "fast-check";
import { expect, it } from "vitest";
import { findSimilar } from "../../../src/engine/runtime/did-you-mean.ts";

it.each([
  ["prot", ["host", "port"], "port"],
  ["apikey", ["baseUrl", "apiKey"], "apiKey"],
  ["opanai", ["openai", "azure"], "openai"],
  ["provider", ["providers"], "providers"],
  ["groc", ["grok", "groq", "groc", "gro"], "groc"],
  ["x", ["port"], undefined],
  ["", ["port"], undefined],
  ["teleport", ["port", "models"], undefined],
])("%s among %j is probably %s", (word, candidates, found) => expect(findSimilar(word, candidates)).toBe(found));

it("a word is most like itself", () =>
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), fc.array(fc.string()), (word, others) => {
      expect(findSimilar(word, [...others, word])?.toLowerCase()).toBe(word.toLowerCase());
    }),
  ));

it("one letter off is always noticed: changed, dropped, doubled or swapped", () =>
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom(..."abcdefgh"), minLength: 4, maxLength: 12 }),
      fc.nat(),
      fc.nat(3),
      (word, seed, kind) => {
        const at = seed % (word.length - 1);
        const middle = [["z"], [], [word[at], word[at]], [word[at + 1], word[at]]][kind]!.join("");
        const typo = word.slice(0, at) + middle + word.slice(at + (kind === 3 ? 2 : 1));
        expect(findSimilar(typo, [word])).toBe(word);
      },
    ),
  ));
