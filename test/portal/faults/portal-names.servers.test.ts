import fc from "fast-check";
import { expect, it } from "vitest";
import { postgresSuite } from "../../adapters/conformance/stores/postgres-suite.ts";
import { nameSteps, playNames } from "../properties/names-world.ts";

const suite = postgresSuite();

it("no two keys, projects, roles or tokens of one owner ever have one name: postgres", async () => {
  let refusals = 0;
  const play = async (steps: Parameters<typeof playNames>[1]) => {
    refusals += await playNames(suite.openStore(), steps);
  };
  await fc.assert(fc.asyncProperty(nameSteps, play), { numRuns: 12 });
  expect(refusals).toBeGreaterThan(3);
});
