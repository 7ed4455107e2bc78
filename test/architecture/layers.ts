import { findInEach, isShipped, type Rule } from "./rule.ts";
import type { Import, SourceFile } from "./tree.ts";

/**
 * docs/architecture.md, "Layers": lowest first. Names are the folders and files directly in `src/engine`, then the other rooms; `adapters` is
 * the folder beside `src`, and `clouds` the one in it.
 */
const layers = [
  ["errors", "api", "node-version", "node-floor"],
  ["runtime"],
  ["ports", "events"],
  ["dialects"],
  ["adapters"],
  ["metering", "routing", "policy", "caching", "decisions"],
  ["options"],
  ["pipeline"],
  ["assemble"],
  ["engine"],
  ["operations"],
  ["portal"],
  ["clouds"],
  ["http"],
  ["server"],
  ["testing"],
  ["cli", "ai-sdk"],
  ["index"],
] as const;

const rankOf = new Map<string, number>(layers.flatMap((names, rank) => names.map((name) => [name, rank] as const)));

/** The layer of a shipped file: `src/engine/routing/plan.ts` → `routing`, `src/http/context.ts` → `http`, `adapters/…` → `adapters` or `clouds`. */
function layerOf(path: string): string {
  const [top = "", room = "", name = ""] = path.split("/");
  if (top === "adapters") return isCloud(path) ? "clouds" : "adapters";
  return (room === "engine" ? name : room).replace(/\.ts$/, "");
}

/** Clouds implement the areas of the portal, and so stand above its table (docs/decisions/0010-backends-layer.md). */
function isCloud(path: string): boolean {
  return path.startsWith("adapters/clouds/");
}

function isAdapter(path: string): boolean {
  return path.startsWith("adapters/") && !isCloud(path);
}

/** Pure files that adapters need as the layers above them do. */
const lent: readonly string[] = [
  "src/engine/metering/money.ts",
  "src/engine/metering/counts.ts",
  "src/engine/metering/usage/sums.ts",
  "src/engine/decisions/question.ts",
  "src/engine/routing/model-spelling.ts",
];

function isLentToAdapters(from: string, target: string): boolean {
  return isAdapter(from) && lent.includes(target);
}

function findUpward({ path, imports }: SourceFile): string[] {
  const own = rankOf.get(layerOf(path)) ?? -1;
  return imports
    .filter(({ target }) => isShipped(target) && !isLentToAdapters(path, target))
    .filter(({ target }) => (rankOf.get(layerOf(target)) ?? Infinity) > own)
    .map(({ target }) => `${layerOf(path)} is below ${layerOf(target)}, yet imports ${target}`);
}

/** The adapter that a file is part of: `adapters/providers/openai.ts`, `adapters/providers/anthropic/events.ts` → its second folder. */
function unitOf(path: string): string {
  return path.split("/").slice(0, 3).join("/").replace(/\.ts$/, "");
}

function mayAdapterImport(from: string, { target, isType }: Import): boolean {
  if (!isShipped(target) || target === "src/engine/errors.ts") return true;
  if (["src/engine/ports/", "src/engine/runtime/", "src/engine/dialects/"].some((folder) => target.startsWith(folder)))
    return true;
  if (target.startsWith("src/engine/api/")) return isType;
  if (target === "src/engine/events.ts") return isType && from.startsWith("adapters/telemetry/");
  if (isLentToAdapters(from, target)) return true;
  return isAdapter(target) && (target.split("/").includes("shared") || unitOf(target) === unitOf(from));
}

type Graph = ReadonlyMap<string, readonly string[]>;

/** For every file that `start` leads to, one step back on a shortest way. */
function searchFrom(start: string, graph: Graph): Map<string, string> {
  const cameFrom = new Map<string, string>();
  const queue = [start];
  for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
    for (const next of graph.get(file) ?? []) {
      if (cameFrom.has(next)) continue;
      cameFrom.set(next, file);
      queue.push(next);
    }
  }
  return cameFrom;
}

/** A shortest cycle through `start` along imports of every kind, as the files on it. */
function findCycle(start: string, graph: Graph): string[] | undefined {
  const cameFrom = searchFrom(start, graph);
  if (!cameFrom.has(start)) return undefined;
  const cycle = [start];
  for (let at = cameFrom.get(start); at !== undefined && at !== start; at = cameFrom.get(at)) cycle.unshift(at);
  return cycle;
}

function findCycles(files: readonly SourceFile[]): string[] {
  const graph = new Map(files.map(({ path, imports }) => [path, imports.map(({ target }) => target)]));
  const cycles = files.flatMap(({ path }) => findCycle(path, graph)?.join(" → ") ?? []);
  return cycles.filter((cycle, index) => cycles.findIndex((other) => haveSameFiles(cycle, other)) === index);
}

function haveSameFiles(one: string, other: string): boolean {
  return one.split(" → ").sort().join() === other.split(" → ").sort().join();
}

const withoutZod = ["routing", "policy", "caching", "metering", "decisions", "dialects", "runtime"];

/** The chain of run-time imports from a file to zod, if there is one. */
function findPathToZod(start: string, files: ReadonlyMap<string, SourceFile>, seen = new Set<string>()): string[] {
  if (seen.has(start)) return [];
  seen.add(start);
  for (const { target, isType } of files.get(start)?.imports ?? []) {
    if (isType) continue;
    if (target === "zod" || target.startsWith("zod/")) return [start, target];
    const rest = findPathToZod(target, files, seen);
    if (rest.length > 0) return [start, ...rest];
  }
  return [];
}

/** Who may import whom. */
export const layerRules: readonly Rule[] = [
  {
    title: "every file of src has a place in the layers",
    find: findInEach(isShipped, ({ path }) =>
      rankOf.has(layerOf(path)) ? [] : [`no layer is named ${layerOf(path)}`],
    ),
    planted: [{ "src/misc.ts": "" }, { "src/misc/thing.ts": "" }, { "src/engine/misc/thing.ts": "" }],
  },
  {
    title: "a file imports its own layer or a lower one",
    find: findInEach(isShipped, findUpward),
    planted: [
      { "src/engine/routing/plan.ts": 'import type { Engine } from "../engine.ts";' },
      { "src/engine/dialects/a/usage.ts": 'import { b } from "../../../../adapters/shared/b.ts";' },
      { "src/engine/errors.ts": 'export { x } from "./events.ts";' },
      { "src/engine/pipeline/run.ts": 'const x = await import("../../http/handler.ts");' },
      { "src/engine/events.ts": 'export type Plan = import("./routing/plan.ts").Plan;' },
      { "adapters/stores/memory.ts": 'import { fold } from "../../src/engine/metering/merge-chunks.ts";' },
    ],
  },
  {
    title: "no import cycles, type imports included",
    find: findCycles,
    planted: [
      {
        "src/engine/ports/a.ts": 'import type { A } from "../events.ts";',
        "src/engine/events.ts": 'import type { B } from "./ports/a.ts";',
      },
      {
        "src/engine/routing/a.ts": 'export * from "./b.ts";',
        "src/engine/routing/b.ts": 'import "./c.ts";',
        "src/engine/routing/c.ts": 'import { a } from "./a.ts";',
      },
      { "src/engine/routing/a.ts": 'import { a } from "./a.ts";' },
    ],
  },
  {
    title:
      "adapters import ports, errors, types of api, metering/money, metering/counts, metering/usage/sums, decisions/question, what is shared, and themselves",
    find: findInEach(isAdapter, ({ path, imports }) =>
      imports.filter((one) => !mayAdapterImport(path, one)).map(({ target }) => `imports ${target}`),
    ),
    planted: [
      { "adapters/providers/a.ts": 'import { b } from "./b.ts";' },
      { "adapters/providers/a.ts": 'import { ChatRequest } from "../../src/engine/api/chat.ts";' },
      { "adapters/providers/a/index.ts": 'import type { b } from "../b/index.ts";' },
      { "adapters/shared/http/sse.ts": 'import { a } from "../../providers/a.ts";' },
      { "adapters/stores/memory.ts": 'import type { EventMap } from "../../src/engine/events.ts";' },
    ],
  },
  {
    title: "src/http/create-engine.ts is the only file of src that imports adapters",
    find: findInEach(
      (path) => path.startsWith("src/") && path !== "src/http/create-engine.ts",
      ({ imports }) =>
        imports
          .filter(({ target }) => isAdapter(target))
          .map(({ target }) => `imports ${target}; the server and the command line say tollgate/<kind>/<name> instead`),
    ),
    planted: [
      { "src/engine/engine.ts": 'import { memory } from "../../adapters/stores/memory.ts";' },
      { "src/testing/index.ts": 'import type { X } from "../../adapters/shared/http/target.ts";' },
    ],
  },
  {
    title: "only the server and the command line use the package by its own name, as programs do",
    find: findInEach(
      (path) => isShipped(path) && !/^src\/(cli|server)\//.test(path),
      ({ imports }) =>
        imports.filter(({ target }) => /^tollgate(\/|$)/.test(target)).map(({ target }) => `imports ${target}`),
    ),
    planted: [
      { "src/http/server/handler.ts": 'import { local } from "tollgate/providers/local";' },
      { "adapters/stores/a.ts": 'import type { Engine } from "tollgate";' },
    ],
  },
  {
    title: "api imports nothing but zod and itself",
    find: findInEach(
      (path) => path.startsWith("src/engine/api/"),
      ({ imports }) =>
        imports
          .filter(({ target }) => target !== "zod" && !target.startsWith("src/engine/api/"))
          .map(({ target }) => `imports ${target}`),
    ),
    planted: [{ "src/engine/api/chat.ts": 'import type { ErrorCode } from "../errors.ts";' }],
  },
  {
    title: `${withoutZod.join(", ")} reach no zod at run time`,
    find: (files) => {
      const byPath = new Map(files.map((file) => [file.path, file]));
      return files
        .filter(({ path }) => path.startsWith("src/") && withoutZod.includes(layerOf(path)))
        .map(({ path }) => findPathToZod(path, byPath).join(" → "))
        .filter((chain) => chain !== "");
    },
    planted: [
      { "src/engine/metering/merge-chunks.ts": 'import { z } from "zod";' },
      {
        "src/engine/routing/plan.ts": 'import { A } from "../api/chat.ts";',
        "src/engine/api/chat.ts": 'export * from "zod/mini";',
      },
    ],
  },
];
