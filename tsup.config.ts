import { copyFileSync, mkdirSync } from "node:fs";
import { posix, relative } from "node:path";
import { defineConfig } from "tsup";
import { readEntries, readPublicEntries } from "./scripts/entries.ts";

const publicEntries = readPublicEntries();
const publicSources = new Set(Object.values(publicEntries));

/** As the sources import zod, and as it is imported by what is built: a bundler then leaves out what of it is not used, its languages above all. */
const zodImport = /^import \{ z(?: as (\w+))? \} from "zod";$/gm;

const pathComment = /^\/\/ (?:src|adapters)\/[\w./-]+\.ts$/gm;

/** The path by which a built file imports `dist/node-floor.js`. */
function pathToFloor(builtFile: string): string {
  const path = posix.relative(posix.dirname(relative("dist", builtFile)), "node-floor.js");
  return path.startsWith(".") ? path : `./${path}`;
}

/** What of the viewer is shipped: `/docs` shows the OpenAPI document with it, without asking another host. */
const viewer = ["swagger-ui-bundle.js", "swagger-ui-bundle.js.LICENSE.txt", "swagger-ui.css", "LICENSE", "NOTICE"];

function copyViewer(): void {
  mkdirSync("dist/viewer", { recursive: true });
  for (const file of viewer) copyFileSync(`node_modules/swagger-ui-dist/${file}`, `dist/viewer/${file}`);
}

export default defineConfig({
  entry: readEntries(),
  format: "esm",
  target: "node22",
  platform: "node",
  // One copy of every module, above all of GatewayError, whichever subpaths a program imports.
  splitting: true,
  sourcemap: true,
  dts: { entry: publicEntries },
  clean: true,
  // `node:sqlite` and `node:test` exist under their full names only.
  removeNodeProtocol: false,
  onSuccess: async () => copyViewer(),
  plugins: [
    {
      // The paths of sources that esbuild writes above each module are read on each start. The lines stay, for the maps.
      name: "no-path-comments",
      renderChunk: (code, { map }) => ({ code: code.replace(pathComment, ""), map: map ?? null }),
    },
    {
      name: "zod-as-namespace",
      renderChunk: (code, { map }) => ({
        code: code.replace(zodImport, (_all, name: string | undefined) => `import * as ${name ?? "z"} from "zod";`),
        map: map ?? null,
      }),
    },
    {
      // Put in here, because esbuild drops a bare import of a package with `sideEffects: false`, and because only the
      // first import of a file is evaluated before all that the file needs.
      name: "node-floor-first",
      renderChunk(code, { path, entryPoint, map }) {
        if (entryPoint === undefined || !publicSources.has(entryPoint)) return undefined;
        return { code: `import "${pathToFloor(path)}";${code}`, map: map ?? null };
      },
    },
  ],
});
