import { readdirSync } from "node:fs";
import { join } from "node:path";
import { installPackages } from "../../support/packages.ts";

const libraries = "/usr/lib";

/** The environment of a process whose clock is ahead by so many seconds. */
export function clockAhead(seconds: number): Record<string, string> {
  const path = findLibrary() ?? install();
  // Timers go by the monotonic clock, which no operator sets.
  return { LD_PRELOAD: path, FAKETIME: `+${seconds}s`, FAKETIME_DONT_FAKE_MONOTONIC: "1" };
}

function install(): string {
  installPackages("libfaketime");
  const path = findLibrary();
  if (path === undefined) throw new Error(`libfaketime is not below ${libraries}.`);
  return path;
}

function findLibrary(): string | undefined {
  const folders = readdirSync(libraries, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  for (const { name } of folders) {
    const folder = join(libraries, name, "faketime");
    if (readFolder(folder).includes("libfaketime.so.1")) return join(folder, "libfaketime.so.1");
  }
  return undefined;
}

function readFolder(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
