// Runs the steps of a stage and ends with one line, `N passed, N failed, N skipped`.
//   node scripts/gate.ts check|e2e|console|agents|nodes|servers|openstack     runs a stage and leaves its counts in .cache/gate
//   node scripts/gate.ts sum <stage> …       adds up what the stages left
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readPublicEntries } from "./entries.ts";
import { findNode, nodeVersions, putFirst } from "./nodes.ts";
import { addTallies, emptyTally, formatTally, readTally, type Tally, writeTally } from "./tally.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const gateFolder = join(root, ".cache", "gate");
const packFolder = join(root, ".cache", "pack");
const modules = join(root, "node_modules");

/** A step runs something, prints what a failure needs, and returns its counts. */
type Step = readonly [name: string, run: () => Tally];

const failedOnce: Tally = { ...emptyTally, failed: 1 };

/** One check: passes when the command exits with 0; its output is shown only when it does not. */
function check(command: string, ...commandArguments: string[]): Tally {
  const result = spawnSync(command, commandArguments, { cwd: root, encoding: "utf8", maxBuffer: 1 << 26 });
  if (result.status === 0) return { ...emptyTally, passed: 1 };
  process.stdout.write(`${result.stdout ?? ""}${result.stderr ?? ""}${result.error?.message ?? ""}\n`);
  return failedOnce;
}

/** A tool of node_modules, run with the pinned Node. */
function tool(path: string, ...toolArguments: string[]): Tally {
  return check(process.execPath, join(modules, path), ...toolArguments);
}

/** A vitest project on one Node, without the files of a pattern where one is named. */
function suites(project: string, executable: string, without?: string): Tally {
  const path = join(gateFolder, `suites-${project}.json`);
  rmSync(path, { force: true });
  const vitest = [join(modules, "vitest", "vitest.mjs"), "run", "--project", project, "--passWithNoTests=false"];
  const { status } = spawnSync(executable, vitest, {
    cwd: root,
    env: { ...putFirst(executable), TALLY: path, ...(without === undefined ? {} : { WITHOUT: without }) },
    stdio: ["ignore", "inherit", "inherit"],
  });
  const tally = readTally(path) ?? { ...failedOnce, notes: [`the ${project} suites did not come to their end`] };
  return status === 0 || tally.failed > 0 ? tally : addTallies([tally, failedOnce]);
}

/** Packs the package as it would be published; the path of the tarball. */
function pack(): string {
  rmSync(packFolder, { recursive: true, force: true });
  mkdirSync(packFolder, { recursive: true });
  const npm = ["pack", "--ignore-scripts", "--silent", "--pack-destination", packFolder];
  const packed = check("npm", ...npm).passed === 1 ? readdirSync(packFolder) : [];
  return join(packFolder, packed[0] ?? "missing.tgz");
}

/** The subpaths of the package, those behind patterns by name. */
function listSubpaths(): string[] {
  return Object.keys(readPublicEntries()).map((name) => (name === "index" ? "." : `./${name}`));
}

function checkTypesOfPackage(): Tally {
  const flags = ["--profile", "esm-only", "--no-definitely-typed", "--no-color", "--entrypoints", ...listSubpaths()];
  return tool("@arethetypeswrong/cli/dist/index.js", pack(), ...flags);
}

/** Kinds of finding that matter in what ships: imports of what a program that installs the package would not get. */
const shipping = "dependencies,unlisted,unresolved";

const stages: Record<string, readonly Step[]> = {
  check: [
    ["types", () => tool("typescript/bin/tsc")],
    ["types of the console", () => tool("typescript/bin/tsc", "--project", "console")],
    ["lint", () => tool("@biomejs/biome/bin/biome", "check", "--error-on-warnings", ".")],
    ["unused code and dependencies", () => tool("knip/bin/knip.js", "--treat-config-hints-as-errors")],
    ["dependencies of what ships", () => tool("knip/bin/knip.js", "--production", "--strict", "--include", shipping)],
    ["publint", () => tool("publint/src/cli.js", "run", pack(), "--strict")],
    ["attw", checkTypesOfPackage],
    ["suites", () => suites("fast", process.execPath)],
  ],
  e2e: [["end to end", () => suites("e2e", process.execPath)]],
  console: [["the console in a browser", () => suites("console", process.execPath)]],
  agents: [["coding agents", () => suites("agents", process.execPath)]],
  servers: [["real servers", () => suites("servers", process.execPath)]],
  openstack: [["the whole OpenStack", () => suites("openstack", process.execPath)]],
  nodes: [nodeVersions.oldest, nodeVersions.newest].map((version): Step => {
    // Properties are of pure rules, which the pinned Node has run: what differs between versions are Node's own modules.
    return [`suites on Node ${version}`, () => suites("fast", findNode(version), "test/property/**")];
  }),
};

function runStep([name, run]: Step): Tally {
  const started = Date.now();
  const tally = run();
  const mark = tally.failed === 0 ? "ok    " : "FAILED";
  process.stdout.write(`${mark} ${name}: ${formatTally(tally)} (${((Date.now() - started) / 1000).toFixed(1)} s)\n`);
  return tally;
}

function runStage(stage: string): Tally {
  const steps = stages[stage];
  if (steps === undefined) throw new Error(`no stage ${stage}; there are ${Object.keys(stages).join(", ")}`);
  const tally = addTallies(steps.map(runStep));
  writeTally(join(gateFolder, `${stage}.json`), tally);
  return tally;
}

function readStage(stage: string): Tally {
  const lost = { ...failedOnce, notes: [`stage ${stage} did not come to its end`] };
  return readTally(join(gateFolder, `${stage}.json`)) ?? lost;
}

const [task = "check", ...rest] = process.argv.slice(2);
const total = task === "sum" ? addTallies(rest.map(readStage)) : runStage(task);
process.stdout.write([...total.notes, formatTally(total)].join("\n").concat("\n"));
process.exitCode = total.failed === 0 ? 0 : 1;
