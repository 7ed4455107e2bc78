import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const cache = fileURLToPath(new URL("../.cache/node", import.meta.url));

/** The Node versions that tests ask for beside the pinned one: the oldest promised, the newest, and one that must be refused. */
export const nodeVersions = { oldest: "22.13.0", newest: "26.10.0", refused: "20.20.2" } as const;

function fetchNode(version: string): void {
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "fetching-"));
  try {
    const manifest = { private: true, allowScripts: { node: true }, dependencies: { node: version } };
    writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
    execFileSync("npm", ["install", "--no-audit", "--no-fund", "--no-package-lock", "--loglevel=error"], {
      cwd: folder,
      stdio: ["ignore", "ignore", "pipe"],
    });
    rmSync(join(cache, version), { recursive: true, force: true });
    renameSync(folder, join(cache, version));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The path of a Node executable of exactly this version; fetched once into `.cache`. */
export function findNode(version: string): string {
  const executable = join(cache, version, "node_modules", "node", "bin", "node");
  if (!existsSync(executable)) fetchNode(version);
  const found = execFileSync(executable, ["--version"], { encoding: "utf8" }).trim();
  if (found !== `v${version}`) throw new Error(`${executable} is Node ${found}, not v${version}`);
  return executable;
}

/** An environment in which this Node is the first `node` on the path. */
export function putFirst(executable: string): NodeJS.ProcessEnv {
  return { ...process.env, PATH: `${dirname(executable)}:${process.env.PATH}` };
}
