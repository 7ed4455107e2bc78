import fc from "fast-check";
import { expect, it } from "vitest";
import { nameSteps, playNames } from "../property/names-world.ts";
import { postgresSuite } from "./postgres-suite.ts";

const suite = postgresSuite();

it("no two keys, projects, roles or tokens of one owner ever have one name: postgres", async () => {
  let refusals = 0;
  const play = async (steps: Parameters<typeof playNames>[1]) => {
    refusals += await playNames(suite.openStore(), steps);
  };
  await fc.assert(fc.asyncProperty(nameSteps, play), { numRuns: 12 });
  expect(refusals).toBeGreaterThan(3);
});
