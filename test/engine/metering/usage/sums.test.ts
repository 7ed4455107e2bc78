import { expect, test } from "vitest";
import { addSums, noSums, sumNames } from "../../../../src/engine/metering/usage/sums.ts";

test("every sum is added, each to its own", () => {
  const [sums, more] = [noSums(), noSums()];
  for (const [position, name] of sumNames.entries()) {
    sums[name] = 1_000 * position;
    more[name] = position + 1;
  }
  addSums(sums, more);
  expect(sums).toEqual(Object.fromEntries(sumNames.map((name, position) => [name, 1_001 * position + 1])));
});
