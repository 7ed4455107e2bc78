import { expect, it } from "vitest";
import { alignColumns } from "../../../../src/server/terminal/format.ts";
import { plainLine } from "../../../../src/server/terminal/plain-text.ts";

it("columns stand under each other whatever letters a name has", () => {
  expect(
    alignColumns([
      ["名前🚀", "1"],
      ["abcdef", "2"],
      ["e\u0301", "3"],
    ])
      .split("\n")
      .slice(0, 3),
  ).toEqual(["  名前🚀  1", "  abcdef  2", "  e\u0301       3"]);
});

it.each([
  ["", 0],
  ["ci…", 3],
  ["déjà", 4],
  ["한국어", 6],
  ["カタカナ", 8],
  ["ｆｕｌｌ", 8],
  ["שלום", 4],
  ["a\u200bb", 2],
  ["👩‍👩‍👧‍👦", 2],
  ["Ω…±", 3],
])("%j takes %d columns", (text, columns) => {
  const [line] = alignColumns([
    [text, "1"],
    ["12345678", "2"],
  ]).split("\n");
  expect(line).toBe(`  ${text}${" ".repeat(8 - columns)}  1`);
});

it("a line from elsewhere neither commands the terminal nor runs backwards", () => {
  expect(plainLine("a\u001b[31mb\u202ecod\u2066e\u200fx")).toBe("a [31mb cod e x");
});
