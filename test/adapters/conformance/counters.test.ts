import { describe, it } from "vitest";
import { memoryCounters } from "../../../adapters/counters/memory.ts";
import type { Counters } from "../../../src/engine/ports/counters.ts";
import { countersCases } from "../../../src/testing/conformance/counters/cases.ts";

/** The adapters of the Counters port that need no server; those that do are in counters-*.servers.test.ts. */
const adapters: readonly (readonly [name: string, make: () => Counters | Promise<Counters>])[] = [
  ["memory", memoryCounters],
];

describe.each(adapters)("counters: %s", (_name, make) => {
  for (const { title, run } of countersCases) {
    it(title, async () => {
      const counters = await make();
      await run(counters);
      await counters.close?.();
    });
  }
});
