import { existsSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Subpaths with a line of their own in package.json: name of the built file → source. */
const fixedEntries = {
  index: "src/index.ts",
  route: "src/engine/routing/index.ts",
  portal: "src/portal/index.ts",
  console: "src/http/console/index.ts",
  testing: "src/testing/index.ts",
  "testing/arbitraries": "src/testing/arbitraries.ts",
  "ai-sdk": "src/ai-sdk/index.ts",
};

/** Built, but nobody's import: the executable, what an old Node meets first, and programs that others start. */
const innerEntries = {
  bin: "src/cli/bin.ts",
  cli: "src/cli/main.ts",
  "node-floor": "src/engine/node-floor.ts",
  "sentence-worker": "adapters/providers/local/sentence-worker.ts",
  "checkpoint-worker": "adapters/stores/sqlite/checkpoints/checkpoint-worker.ts",
  "fault-server-process": "src/cli/fault-server-process.ts",
};

/** The kinds whose subpath is not the folder's name. */
export const subpathNames: Readonly<Record<string, string>> = { clouds: "backends" };

/** The adapters of one kind, a file or a folder with an `index.ts` each: `<kind>/<name>` → source. */
function readKind(kind: string): [name: string, source: string][] {
  const folder = join("adapters", kind);
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((found): [string, string][] => {
    const source = join(folder, found.isDirectory() ? `${found.name}/index.ts` : found.name);
    if (!source.endsWith(".ts") || !existsSync(join(root, source))) return [];
    return [[`${subpathNames[kind] ?? kind}/${basename(found.name, ".ts")}`, source]];
  });
}

/** The kinds of adapter: the folders of `adapters/` that hold one, except `shared`, which is the adapters' own. */
export function readKinds(): string[] {
  const found = readdirSync(join(root, "adapters"), { withFileTypes: true });
  const kinds = found.filter((entry) => entry.isDirectory() && entry.name !== "shared").map((entry) => entry.name);
  return kinds.filter((kind) => readKind(kind).length > 0);
}

function keepExisting(entries: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(entries).filter(([, source]) => existsSync(join(root, source))));
}

/** What a program may import, as it stands on disk: name of the built file without its ending → source. */
export function readPublicEntries(): Record<string, string> {
  return { ...keepExisting(fixedEntries), ...Object.fromEntries(readKinds().flatMap(readKind)) };
}

/** Every entry of the build: the public ones and those that only the package itself starts. */
export function readEntries(): Record<string, string> {
  return { ...readPublicEntries(), ...keepExisting(innerEntries) };
}
