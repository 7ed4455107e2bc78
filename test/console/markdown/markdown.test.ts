import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Block, parseBlocks } from "../../../console/src/markdown/blocks.ts";
import { type Inline, parseInline, safeHref } from "../../../console/src/markdown/inline.ts";

const wordsOf = (parts: readonly Inline[]): string =>
  parts.map((part) => ("parts" in part ? wordsOf(part.parts) : part.text)).join("");

const linksOf = (parts: readonly Inline[]): string[] =>
  parts.flatMap((part) =>
    "parts" in part ? [...(part.kind === "link" ? [part.href] : []), ...linksOf(part.parts)] : [],
  );

const linesOf = (block: Block): string[] => {
  if (block.kind === "rule") return [];
  if (block.kind === "code") return [block.text];
  if (block.kind === "heading") return [block.line];
  return [...(block.kind === "list" ? block.items : block.lines)];
};

/** Texts in which the marks of Markdown meet. */
const marked = fc
  .array(
    fc.constantFrom(
      "a",
      "b ",
      "*",
      "**",
      "`",
      "[",
      "](",
      ")",
      "!",
      "https://x.y",
      "javascript:alert(1)",
      "\n",
      "# ",
      "- ",
      "1. ",
      "> ",
      "```",
      "  ",
    ),
  )
  .map((pieces) => pieces.join(""));

describe("a line of Markdown", () => {
  it("never loses a letter of a text", () => {
    const letters = (value: string) => value.replace(/[^ab]/g, "");
    fc.assert(
      fc.property(
        marked.map((value) => value.replace(/\n|https:\/\/x\.y|javascript:alert\(1\)/g, "")),
        (line) => {
          const words = wordsOf(parseInline(line));
          const addresses = [...line.matchAll(/\]\(([^()\s]+)\)/g)].length;
          if (addresses === 0) expect(letters(words)).toBe(letters(line));
        },
      ),
    );
  });

  it("has links of allowed protocols only, whatever it says", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          marked,
          fc.webUrl().map((url) => `[x](${url})`),
          fc.string(),
        ),
        (line) => {
          for (const href of linksOf(parseInline(line))) expect(href).toMatch(/^(https?|mailto):/);
        },
      ),
    );
    for (const address of [
      "javascript:alert(1)",
      "JaVaScRiPt:alert(1)",
      "data:text/html,x",
      "vbscript:x",
      "/local",
      "\u0001javascript:x",
    ])
      expect(safeHref(address), address).toBeUndefined();
    expect(linksOf(parseInline("[a](javascript:x) and ![b](https://x.y/z)"))).toEqual(["https://x.y/z"]);
  });

  it("knows code, bold, italics and links inside each other", () => {
    expect(parseInline("**a `b`** *c* [d **e**](mailto:f@g.h)")).toEqual([
      {
        kind: "strong",
        parts: [
          { kind: "text", text: "a " },
          { kind: "code", text: "b" },
        ],
      },
      { kind: "text", text: " " },
      { kind: "em", parts: [{ kind: "text", text: "c" }] },
      { kind: "text", text: " " },
      {
        ...{ kind: "link", href: "mailto:f@g.h" },
        parts: [
          { kind: "text", text: "d " },
          { kind: "strong", parts: [{ kind: "text", text: "e" }] },
        ],
      },
    ]);
    expect(parseInline("2 * 3 * 4 and **open")).toEqual([{ kind: "text", text: "2 * 3 * 4 and **open" }]);
  });
});

describe("a text of Markdown", () => {
  it("is read to its end, and every word is in a block", () => {
    fc.assert(
      fc.property(marked, (value) => {
        const words = parseBlocks(value).flatMap(linesOf).join("");
        const letters = (one: string) => one.replace(/[^ab]/g, "");
        const languages = [...value.matchAll(/^ {0,3}```\s*([\w+#.-]*)\s*$/gm)].map(([, name = ""]) => name).join("");
        expect(letters(words).length).toBeGreaterThanOrEqual(letters(value).length - letters(languages).length);
      }),
    );
  });

  it("has headings, lists, quotations, rules and code, closed or not", () => {
    const text = "# A\nb\nc\n\n- d\n  e\n- f\n1. g\n\n> h\n> i\n\n---\n```ts\nj\n";
    expect(parseBlocks(text)).toEqual([
      { kind: "heading", level: 1, line: "A" },
      { kind: "paragraph", lines: ["b", "c"] },
      { kind: "list", isOrdered: false, items: ["d e", "f"] },
      { kind: "list", isOrdered: true, items: ["g"] },
      { kind: "quote", lines: ["h", "i"] },
      { kind: "rule" },
      { kind: "code", language: "ts", text: "j\n" },
    ]);
  });

  it("of a megabyte is read in linear time", () => {
    const read = (size: number) => {
      const started = performance.now();
      for (const block of parseBlocks("[*`".repeat(size))) for (const line of linesOf(block)) parseInline(line);
      return performance.now() - started;
    };
    read(1_000);
    expect(read(40_000)).toBeLessThan(5_000);
  });
});
