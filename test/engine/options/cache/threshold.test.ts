import { expect, it } from "vitest";
import { memoryCache } from "../../../../adapters/caches/memory.ts";
import { cacheSettingsOf } from "../../../../src/engine/options/cache.ts";

it.each([
  [undefined, undefined, 0.95],
  ["openai/text-embedding-3-small", undefined, 0.95],
  ["local/minilm-l6-v2", undefined, 0.94],
  ["mine/minilm-l6-v2", undefined, 0.94],
  ["local/minilm-l6-v2", 0.9, 0.9],
])("embedded by %s, with %s configured, the threshold is %s", (embed, threshold, expected) => {
  expect(cacheSettingsOf({ answers: memoryCache(), embed, threshold }).threshold).toBe(expected);
});
