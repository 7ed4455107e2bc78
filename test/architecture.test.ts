import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { borderRules, doorRules } from "./architecture/borders.ts";
import { browserRules } from "./architecture/browser.ts";
import { layerRules } from "./architecture/layers.ts";
import { roomRules } from "./architecture/rooms.ts";
import { styleRules } from "./architecture/style.ts";
import { testRules } from "./architecture/tests.ts";
import { parseTree, readTree } from "./architecture/tree.ts";
import { wordRules } from "./architecture/words.ts";
import { worldRules } from "./architecture/world.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const files = parseTree(readTree(root, ["src", "adapters", "test", "bench", "console/src", "console/build"]));

describe.each([
  ...[...layerRules, ...borderRules, ...doorRules, ...roomRules],
  ...[...testRules, ...styleRules, ...wordRules, ...worldRules, ...browserRules],
])("$title", ({ find, planted }) => {
  it("holds", () => {
    expect(find(files)).toEqual([]);
  });

  for (const tree of planted) {
    it(`would see ${JSON.stringify(tree).slice(0, 120)}`, () => {
      expect(find(parseTree(new Map(Object.entries(tree))))).not.toEqual([]);
    });
  }
});

describe("the rules leave alone", () => {
  const innocent = {
    "src/engine/ports/clock.ts": 'import type { Chat } from "../api/chat.ts"; export interface Clock { now(): number }',
    "src/engine/api/chat.ts":
      'import { z } from "zod"; export const Chat = z.object({ data: z.string() }); export type Chat = 1;',
    "src/engine/routing/index.ts": 'import type { Chat } from "../api/chat.ts"; export type { Chat };',
    "src/engine/engine.ts":
      "export const ask = ({ fetch, data }: O) => fetch(data, new Date(5)); export interface O { fetch(u: string): void }",
    "src/index.ts": 'export * from "./http/create-engine.ts";',
    "src/http/create-engine.ts":
      'export * from "../engine/engine.ts"; export * from "../../adapters/counters/memory.ts";',
    "src/cli/main.ts": "const port = process.env.PORT; const at = Date.now();",
    "src/server/providers/kinds.ts": 'const { openai } = await import("tollgate/providers/openai");',
    "adapters/stores/memory.ts":
      'import { a } from "../shared/a.ts"; import { b } from "../../src/engine/metering/money.ts";',
    "adapters/providers/a/index.ts":
      'import { b } from "./b.ts"; import type { C } from "../../../src/engine/api/chat.ts";',
  };
  const parsed = parseTree(new Map(Object.entries(innocent)));

  it.each([...layerRules, ...borderRules, ...roomRules, ...styleRules, ...wordRules, ...worldRules])(
    "a tree in order: $title",
    ({ find }) => {
      expect(find(parsed)).toEqual([]);
    },
  );
});
