import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { writeKnownModels } from "../../../../scripts/known-models.ts";

test("the names that editors complete are those of the catalogue", () => {
  const words = (text: string) => [...text.matchAll(/"([^"]+)"/g)].map(([, word = ""]) => word);
  const written = readFileSync(new URL("../../../../src/engine/api/sent/known-models.ts", import.meta.url), "utf8");
  expect(words(written)).toEqual(words(writeKnownModels(Date.parse("2026-11-27T12:00:00Z"))));
  expect(written).toMatch(/"anthropic",\s+"[^"]*claude-/);
});
