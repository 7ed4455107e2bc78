import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sampleOfPattern } from "../../../../../adapters/providers/local/sampling/pattern.ts";

/**
 * An expression, and where its matches end in a text that start at any of some places. V8 is not asked: it tries one way after the other,
 * and for one expression in 100,000 of these that takes longer than anyone waits.
 */
interface Piece {
  readonly source: string;
  ends(text: string, starts: ReadonlySet<number>): ReadonlySet<number>;
}

/** A piece that takes one character, which V8 knows at once. */
function one(source: string): Piece {
  const single = new RegExp(`^${source}$`);
  const takes = (character: string | undefined) => character !== undefined && single.test(character);
  return {
    source,
    ends: (text, starts) => new Set([...starts].filter((at) => takes(text[at])).map((at) => at + 1)),
  };
}

function oneAfterTheOther(pieces: readonly Piece[]): Piece {
  return {
    source: pieces.map(({ source }) => source).join(""),
    ends: (text, starts) => pieces.reduce((reached, piece) => piece.ends(text, reached), starts),
  };
}

function eitherOf(pieces: readonly Piece[]): Piece {
  return {
    source: pieces.map(({ source }) => source).join("|"),
    ends: (text, starts) => new Set(pieces.flatMap((piece) => [...piece.ends(text, starts)])),
  };
}

const grouped =
  (open: string) =>
  (piece: Piece): Piece => ({ ...piece, source: `${open}${piece.source})` });

const quantifiers = { "": [1, 1], "?": [0, 1], "*": [0, Infinity], "+": [1, Infinity], "+?": [1, Infinity] } as const;
const counted = { "{2}": [2, 2], "{1,3}": [1, 3], "{0,2}": [0, 2] } as const;

/** A piece some times over: places that were reached before lead nowhere new. */
function repeated(piece: Piece, [mark, [least, most]]: readonly [string, readonly [number, number]]): Piece {
  return {
    source: `${piece.source}${mark}`,
    ends(text, starts) {
      let latest = starts;
      for (let time = 0; time < least; time++) latest = piece.ends(text, latest);
      const reached = new Set(latest);
      for (let time = least; time < most && latest.size > 0; time++) {
        latest = new Set([...piece.ends(text, latest)].filter((end) => !reached.has(end)));
        for (const end of latest) reached.add(end);
      }
      return reached;
    },
  };
}

const quantifier = fc.oneof(
  fc.constant(["", quantifiers[""]] as const),
  fc.constantFrom(...Object.entries({ ...quantifiers, ...counted })),
);
const classPart = fc.constantFrom("a", "z", "0", "a-f", "A-Z", "0-9", "\\d", "\\w", "_", "\\-", ".", "\\]");
const anyClass = fc
  .tuple(fc.boolean(), fc.array(classPart, { minLength: 1, maxLength: 3 }))
  .map(([isNegated, parts]) => `[${isNegated ? "^" : ""}${parts.join("")}]`);
const escapes = ["\\.", "\\/", "\\d", "\\w", "\\s", "\\D", "\\S", "\\x41", "\\u00e9"];
const literal = fc.constantFrom("a", "Z", "7", "-", " ", ".", ...escapes);

/** Any expression of the syntax that is read. */
const { expression } = fc.letrec<{ expression: Piece; sequence: Piece; atom: Piece }>((tie) => ({
  expression: fc.array(tie("sequence"), { minLength: 1, maxLength: 2 }).map(eitherOf),
  sequence: fc
    .array(fc.tuple(tie("atom"), quantifier), { minLength: 1, maxLength: 3 })
    .map((parts) => oneAfterTheOther(parts.map(([atom, times]) => repeated(atom, times)))),
  atom: fc.oneof(
    { maxDepth: 2 },
    literal.map(one),
    anyClass.map(one),
    tie("expression").map(grouped("(")),
    tie("expression").map(grouped("(?:")),
  ),
}));

describe("a text for a pattern", () => {
  it("matches the whole pattern, whatever it is made of", () =>
    fc.assert(
      fc.property(expression, (piece) => {
        const text = sampleOfPattern(`^(?:${piece.source})$`) ?? "nothing was found";
        expect(() => new RegExp(piece.source)).not.toThrow();
        expect([...piece.ends(text, new Set([0]))], `${piece.source} for ${text}`).toContain(text.length);
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
