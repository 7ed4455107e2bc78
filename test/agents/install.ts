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
  const wanted: AgentPackage = packages[agent];
  const folder = join(cache, `${agent}-${wanted.version}`);
  const program = join(folder, "node_modules", wanted.program);
  const command: Command = wanted.isNative ? [program] : [process.execPath, program];
  try {
    if (!existsSync(program)) fetchPackage(wanted, folder);
    run(folder, [...command, "--version"], { PATH: process.env.PATH, HOME: folder });
    return { command };
  } catch (error) {
    return { missing: `${wanted.name}@${wanted.version}: ${describeFailure(error)}` };
  }
}

/** The first lines that a failed program wrote; npm's own log files are of no use to a reader. */
function describeFailure(error: unknown): string {
  const { stderr = "", message } = error as Error & { readonly stderr?: Buffer };
  const lines = `${stderr}`.split("\n").filter((line) => line.trim() !== "" && !line.includes("complete log"));
  return (lines.length > 0 ? lines.slice(0, 3).join(" ") : message).slice(0, 400);
}
