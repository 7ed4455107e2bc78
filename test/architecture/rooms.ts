import { posix } from "node:path";
import { isShipped, type Rule } from "./rule.ts";
import type { SourceFile } from "./tree.ts";

const maxFiles = 24;

/** Every folder above a file: `src/a/b/c.ts` → `src`, `src/a`, `src/a/b`. */
function foldersOf(path: string): string[] {
  const folders: string[] = [];
  for (let folder = posix.dirname(path); folder !== "."; folder = posix.dirname(folder)) folders.push(folder);
  return folders;
}

/** The entry of a folder that a file is or lies in: `src/a` and `src/a/b/c.ts` → `src/a/b`. */
function entryIn(folder: string, path: string): string | undefined {
  if (!path.startsWith(`${folder}/`)) return undefined;
  return `${folder}/${path.slice(folder.length + 1).split("/")[0]}`;
}

/** For each entry of a folder, the other entries that it imports; each sub-folder counts as one entry. */
function contract(folder: string, files: readonly SourceFile[]): Map<string, Set<string>> {
  const graph = new Map<string, Set<string>>();
  for (const { path, imports } of files) {
    const from = entryIn(folder, path);
    if (from === undefined) continue;
    const targets = graph.get(from) ?? new Set();
    graph.set(from, targets);
    for (const { target } of imports) {
      const to = entryIn(folder, target);
      if (to !== undefined && to !== from) targets.add(to);
    }
  }
  return graph;
}

/** Entries that lead back to themselves. */
function findCircles(graph: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  return [...graph.keys()].filter((start) => {
    const reached = new Set<string>();
    const queue = [...(graph.get(start) ?? [])];
    for (let entry = queue.shift(); entry !== undefined; entry = queue.shift()) {
      if (reached.has(entry)) continue;
      reached.add(entry);
      queue.push(...(graph.get(entry) ?? []));
    }
    return reached.has(start);
  });
}

function findFolderCircles(files: readonly SourceFile[]): string[] {
  const shipped = files.filter(({ path }) => isShipped(path));
  const folders = new Set(shipped.flatMap(({ path }) => foldersOf(path)));
  return [...folders].flatMap((folder) => {
    const circle = findCircles(contract(folder, shipped));
    return circle.length > 0 ? [`${folder}: ${circle.join(", ")}`] : [];
  });
}

function findWideFolders(files: readonly SourceFile[]): string[] {
  const counts = new Map<string, number>();
  for (const { path } of files.filter((file) => isShipped(file.path))) {
    const folder = posix.dirname(path);
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts].filter(([, count]) => count > maxFiles).map(([folder, count]) => `${folder}: ${count} files`);
}

/** How files lie in folders. */
export const roomRules: readonly Rule[] = [
  {
    title: "the entries of a folder, each sub-folder as one, import each other in no circle",
    find: findFolderCircles,
    planted: [
      {
        "src/engine/pipeline/a/one.ts": 'import type { B } from "../b/two.ts";',
        "src/engine/pipeline/b/two.ts": "export type B = 1;",
        "src/engine/pipeline/b/three.ts": 'import type { A } from "../a/four.ts";',
        "src/engine/pipeline/a/four.ts": "export type A = 1;",
      },
      {
        "adapters/stores/x/index.ts": 'import { a } from "./rows/a.ts";',
        "adapters/stores/x/rows/a.ts": 'import type { b } from "../b.ts";',
        "adapters/stores/x/b.ts": 'import "./index.ts";',
      },
    ],
  },
  {
    title: `no folder holds more than ${maxFiles} files directly`,
    find: findWideFolders,
    planted: [Object.fromEntries(Array.from({ length: maxFiles + 1 }, (_, n) => [`src/engine/routing/f${n}.ts`, ""]))],
  },
];
