import { expect, test } from "vitest";
import { memo } from "../../../src/engine/runtime/memo.ts";

/** How often each of these texts is worked out by one memo. */
function worksFor(texts: readonly string[], most?: number): number {
  let works = 0;
  const lengthOf = memo((text) => {
    works++;
    return text.length;
  }, most);
  for (const text of texts) expect(lengthOf(text)).toBe(text.length);
  return works;
}

test("a text is worked out once", () => expect(worksFor(["a", "bb", "a", "bb", "a"])).toBe(2));

test("after so many texts the memory starts anew", () => {
  expect(worksFor(["a", "bb", "a"], 2)).toBe(2);
  expect(worksFor(["a", "bb", "ccc", "ccc", "a"], 2)).toBe(4);
});

test("a text that is too long is not kept", () => {
  const [longest, longer] = ["x".repeat(2_048), "x".repeat(2_049)];
  expect(worksFor([longest, longest])).toBe(1);
  expect(worksFor([longer, longer])).toBe(2);
});
