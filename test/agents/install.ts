import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../e2e/packed.ts";
import { type AgentName, type AgentPackage, packages } from "./packages.ts";

const cache = join(root, ".cache", "agents");

/** The start of a command line. */
export type Command = readonly [program: string, ...arguments_: string[]];

/** Either the command of an installed agent, or why there is none on this machine. */
export type Installed = { readonly command: Command } | { readonly missing: string };

const quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--no-package-lock", "--loglevel=error"];

/** Runs a program in a folder; throws with what it wrote when it fails. */
function run(folder: string, [program, ...rest]: Command, env: NodeJS.ProcessEnv = process.env): void {
  execFileSync(program, rest, { cwd: folder, env, stdio: "pipe", timeout: 300_000 });
}

function fetchPackage({ name, version, setup }: AgentPackage, target: string): void {
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "fetching-"));
  try {
    writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true }));
    run(folder, ["npm", "install", ...quiet, `${name}@${version}`]);
    if (setup !== undefined) run(folder, [process.execPath, join(folder, "node_modules", setup)]);
    rmSync(target, { recursive: true, force: true });
    renameSync(folder, target);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Installs the pinned package of an agent into `.cache/agents`, once, and starts it to see that it can. */
export function installAgent(agent: AgentName): Installed {
  const installed = installPackage(agent, packages[agent]);
  if ("missing" in installed) return installed;
  const folder = folderOf(agent, packages[agent]);
  try {
    run(folder, [...installed.command, "--version"], { PATH: process.env.PATH, HOME: folder });
    return installed;
  } catch (error) {
    return missing(packages[agent], error);
  }
}

/** Installs a pinned package into `.cache/agents`, once. */
export function installPackage(short: string, wanted: AgentPackage): Installed {
  const folder = folderOf(short, wanted);
  const program = join(folder, "node_modules", wanted.program);
  try {
    if (!existsSync(program)) fetchPackage(wanted, folder);
    return { command: wanted.isNative ? [program] : [process.execPath, program] };
  } catch (error) {
    return missing(wanted, error);
  }
}

function folderOf(short: string, { version }: AgentPackage): string {
  return join(cache, `${short}-${version}`);
}

function missing({ name, version }: AgentPackage, error: unknown): Installed {
  return { missing: `${name}@${version}: ${describeFailure(error)}` };
}

/** The first lines that a failed program wrote; npm's own log files are of no use to a reader. */
function describeFailure(error: unknown): string {
  const { stderr = "", message } = error as Error & { readonly stderr?: Buffer };
  const lines = `${stderr}`.split("\n").filter((line) => line.trim() !== "" && !line.includes("complete log"));
  return (lines.length > 0 ? lines.slice(0, 3).join(" ") : message).slice(0, 400);
}
