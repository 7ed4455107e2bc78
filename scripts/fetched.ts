import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const cache = fileURLToPath(new URL("../.cache", import.meta.url));

/** The path of a program of exactly this version, in the npm package of its name, which is fetched once into `.cache`. */
export function findProgram(name: string, version: string): string {
  const folder = join(cache, name, version);
  const executable = join(folder, "node_modules", ".bin", name);
  if (!existsSync(executable)) fetchPackage(name, version, folder);
  const found = execFileSync(executable, ["--version"], { encoding: "utf8" }).trim();
  if (!found.includes(version)) throw new Error(`${executable} is ${found}, not ${version}`);
  return executable;
}

function fetchPackage(name: string, version: string, target: string): void {
  mkdirSync(join(cache, name), { recursive: true });
  const folder = mkdtempSync(join(cache, name, "fetching-"));
  try {
    const manifest = { private: true, allowScripts: { [name]: true }, dependencies: { [name]: version } };
    writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
    execFileSync("npm", ["install", "--no-audit", "--no-fund", "--no-package-lock", "--loglevel=error"], {
      cwd: folder,
      stdio: ["ignore", "ignore", "pipe"],
    });
    rmSync(target, { recursive: true, force: true });
    renameSync(folder, target);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
