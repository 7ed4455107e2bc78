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

/** Lines under which a file that one neighbour alone imports belongs into it. */
const floor = 40;

/** Small files of one importer that stay, each with its reason. */
const small: Readonly<Record<string, string>> = {
  "adapters/clouds/openstack/projects/make-project.ts": "a helper here has the name of one there",
  "adapters/shared/fitting/bare-references.ts": "a helper here has the name of one there",
  "src/cli/demo/config-file.ts": "a helper here has the name of one there",
  "src/cli/ledger/days.ts": "a helper here has the name of one there",
  "src/cli/mcp/check.ts": "one command a file",
  "src/engine/pipeline/admin/drain.ts": "a step of the walk on the map",
  "src/engine/pipeline/attempts/outcome.ts": "a step of the walk on the map",
  "src/engine/pipeline/middleware/logged-answer.ts": "a helper here has the name of one there",
  "src/engine/pipeline/tools/call-tool.ts": "a helper here has the name of one there",
  "src/engine/pipeline/verbs/listing-providers.ts": "a helper here has the name of one there",
  "src/operations/portal/console/i18n.ts": "one area a file",
  "src/operations/portal/tenancy/keypair.ts": "one area a file",
  "src/operations/vocabulary.ts": "its importer is at 250 lines",
  "src/portal/i18n/accept-language.ts": "a header of its own, with properties",
  "src/portal/me/sessions.ts": "a helper here has the name of one there",
  "src/portal/me/totp.ts": "a helper here has the name of one there",
  "src/server/config/import-as-written.ts": "the one place that imports what a user wrote",
  "src/server/worker-store/abandoned.ts": "a helper here has the name of one there",
  "src/testing/conformance/ledger/spans.ts": "a helper here has the name of one there",
};

/** Files that only one neighbour imports, and never lazily: parts of it that were cut off. */
function findSplinters(files: readonly SourceFile[]): string[] {
  const importers = new Map<string, Set<string>>();
  const lazy = new Set<string>();
  for (const { path, imports } of files.filter((file) => isShipped(file.path) || file.path.startsWith("console/")))
    for (const { target, kind } of imports) {
      importers.set(target, (importers.get(target) ?? new Set()).add(path));
      if (kind === "call") lazy.add(target);
    }
  return files.flatMap(({ path, lines }) => {
    const [importer, ...others] = importers.get(path) ?? [];
    const isNeighbour = importer !== undefined && posix.dirname(importer) === posix.dirname(path);
    const isPart = isNeighbour && others.length === 0 && !importer.endsWith("/index.ts") && !lazy.has(path);
    const isSameKind = importer !== undefined && posix.extname(importer) === posix.extname(path);
    if (!isShipped(path) || !isPart || !isSameKind || lines >= floor || Object.hasOwn(small, path)) return [];
    return [`${path} (${lines} lines) belongs into ${importer}, which alone imports it`];
  });
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
  {
    title: `a file of fewer than ${floor} lines has more than one importer, or one outside of its folder`,
    find: findSplinters,
    planted: [
      { "src/engine/routing/a.ts": 'import { b } from "./b.ts";', "src/engine/routing/b.ts": "export const b = 1;" },
    ],
  },
];
