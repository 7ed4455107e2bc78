import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The root of the repository. */
export const root = fileURLToPath(new URL("../..", import.meta.url));

/** An npm project outside of the repository into which the packed tarball was installed. */
export interface Project {
  readonly folder: string;
  remove(): void;
}

function npm(folder: string, ...npmArguments: string[]): string {
  const quiet = ["--no-audit", "--no-fund", "--loglevel=error"];
  return execFileSync("npm", [...npmArguments, ...quiet], {
    cwd: folder,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** Builds `dist` when the sources changed since the last time. */
export function buildIfNeeded(): void {
  execFileSync(process.execPath, [join(root, "scripts/prepare.mjs")], { stdio: "inherit" });
}

/** Packs the package as it would be published and installs it, with its dependencies, into an empty project. */
export function installTarball(...more: string[]): Project {
  const folder = mkdtempSync(join(tmpdir(), "tollgate-project-"));
  buildIfNeeded();
  npm(root, "pack", "--silent", "--ignore-scripts", "--pack-destination", folder);
  const { name, version } = JSON.parse(
    execFileSync("npm", ["pkg", "get", "name", "version"], { cwd: root, encoding: "utf8" }),
  );
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  npm(folder, "install", `./${name}-${version}.tgz`, ...more);
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
