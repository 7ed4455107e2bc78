import fc from "fast-check";
import { expect, it } from "vitest";
import { memoryStore } from "../../../adapters/stores/memory/index.ts";
import { sqliteStore } from "../../../adapters/stores/sqlite/index.ts";
import type { Store } from "../../../src/engine/ports/store.ts";
import { nameSteps, playNames } from "../../portal/properties/names-world.ts";
import { atDepth } from "../../tiers/depth.ts";

const opened: readonly [string, number, () => Promise<Store> | Store][] = [
  ["memory", 60, () => memoryStore()],
  ["sqlite", 30, () => sqliteStore(":memory:")],
];

it.each(opened)(
  "no two keys, projects, roles or tokens of one owner ever have one name: %s",
  async (_name, numRuns, open) => {
    let refusals = 0;
    const play = async (steps: Parameters<typeof playNames>[1]) => {
      refusals += await playNames(await open(), steps);
    };
    await fc.assert(fc.asyncProperty(nameSteps, play), { numRuns });
    expect(refusals).toBeGreaterThan(atDepth(numRuns / 4));
  },
);
