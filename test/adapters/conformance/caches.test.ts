import { describe, it } from "vitest";
import { memoryCache } from "../../../adapters/caches/memory.ts";
import { embeddedVectors } from "../../../adapters/vectors/embedded/index.ts";
import type { AnswerCache } from "../../../src/engine/ports/answers.ts";
import type { VectorIndex } from "../../../src/engine/ports/vectors.ts";
import { answerCacheCases } from "../../../src/testing/conformance/answers.ts";
import { vectorIndexCases } from "../../../src/testing/conformance/vectors.ts";

/** Every adapter of the AnswerCache port; a new one is a line here. */
const caches: readonly (readonly [name: string, make: () => AnswerCache | Promise<AnswerCache>])[] = [
  ["memory", memoryCache],
];

/** Every adapter of the VectorIndex port. */
const indexes: readonly (readonly [name: string, make: () => VectorIndex | Promise<VectorIndex>])[] = [
  ["embedded", embeddedVectors],
];

describe.each(caches)("answers: %s", (_name, make) => {
  for (const { title, run } of answerCacheCases) {
    it(title, async () => {
      const cache = await make();
      await run(cache);
      await cache.close?.();
    });
  }
});

describe.each(indexes)("vectors: %s", (_name, make) => {
  for (const { title, run } of vectorIndexCases) {
    it(title, async () => {
      const index = await make();
      await run(index);
      await index.close?.();
    });
  }
});
