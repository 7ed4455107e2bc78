// Runs the steps of a stage and ends with one line, `N passed, N failed, N skipped`.
//   node scripts/gate.ts check|deep|e2e|console|agents|nodes|servers|openstack     runs a stage and leaves its counts in .cache/gate
//   node scripts/gate.ts sum <stage> …       adds up what the stages left
import { spawn, spawnSync } from "node:child_process";
import { globSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
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
type Step = readonly [name: string, run: () => Tally | Promise<Tally>];

/** Steps of a stage, one after the other; those of an inner list run side by side. */
type Steps = readonly (Step | readonly Step[])[];

const failedOnce: Tally = { ...emptyTally, failed: 1 };

/** One check: passes when the command exits with 0; its output is shown only when it does not. */
function check(command: string, ...commandArguments: string[]): Promise<Tally> {
  const child = spawn(command, commandArguments, { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (output += text));
  return new Promise((resolve) => {
    const fail = (reason: string) => {
      process.stdout.write(`${output}${reason}\n`);
      resolve(failedOnce);
    };
    child.once("error", (error) => fail(error.message));
    child.once("close", (code) => (code === 0 ? resolve({ ...emptyTally, passed: 1 }) : fail("")));
  });
}

/** A tool of node_modules, run with the pinned Node. */
function tool(path: string, ...toolArguments: string[]): Promise<Tally> {
  return check(process.execPath, join(modules, path), ...toolArguments);
}

/** How vitest is run: what is left out, the files that alone are run, and what is added to its environment. */
interface SuiteOptions {
  readonly executable?: string;
  readonly without?: string;
  readonly files?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** A vitest project; on the pinned Node by default. */
function suites(
  project: string,
  { executable = process.execPath, without, files = [], env }: SuiteOptions = {},
): Tally {
  const path = join(gateFolder, `suites-${project}.json`);
  rmSync(path, { force: true });
  const vitest = [join(modules, "vitest", "vitest.mjs"), "run", "--project", project, "--passWithNoTests=false"];
  const { status } = spawnSync(executable, [...vitest, ...files], {
    cwd: root,
    env: { ...putFirst(executable), ...env, TALLY: path, ...(without === undefined ? {} : { WITHOUT: without }) },
    stdio: ["ignore", "inherit", "inherit"],
  });
  const tally = readTally(path) ?? { ...failedOnce, notes: [`the ${project} suites did not come to their end`] };
  return status === 0 || tally.failed > 0 ? tally : addTallies([tally, failedOnce]);
}

/** The fast suites that the sampled tier runs in part: those with properties, and those that say so (`test/tiers/depth.ts`). */
function listDeepSuites(): string[] {
  const slow = ["test/e2e/", "test/agents/", "test/console/browser/"];
  const files = globSync("test/**/*.test.ts", { cwd: root }).filter(
    (file) => !slow.some((folder) => file.startsWith(folder)) && !/\.(servers|openstack)\.test\.ts$/.test(file),
  );
  return files.filter((file) => /from "fast-check"|tiers\/depth\.ts"/.test(readFileSync(join(root, file), "utf8")));
}

/** Packs the package as it would be published; the path of the tarball. */
async function pack(): Promise<string> {
  rmSync(packFolder, { recursive: true, force: true });
  mkdirSync(packFolder, { recursive: true });
  const npm = ["pack", "--ignore-scripts", "--silent", "--pack-destination", packFolder];
  const packed = (await check("npm", ...npm)).passed === 1 ? readdirSync(packFolder) : [];
  return join(packFolder, packed[0] ?? "missing.tgz");
}

/** The subpaths of the package, those behind patterns by name. */
function listSubpaths(): string[] {
  return Object.keys(readPublicEntries()).map((name) => (name === "index" ? "." : `./${name}`));
}

async function checkPackage(): Promise<Tally> {
  const flags = ["--profile", "esm-only", "--no-definitely-typed", "--no-color", "--entrypoints", ...listSubpaths()];
  const tarball = await pack();
  return addTallies([
    await tool("publint/src/cli.js", "run", tarball, "--strict"),
    await tool("@arethetypeswrong/cli/dist/index.js", tarball, ...flags),
  ]);
}

/** Kinds of finding that matter in what ships: imports of what a program that installs the package would not get. */
const shipping = "dependencies,unlisted,unresolved";

const stages: Record<string, Steps> = {
  check: [
    [
      ["types", () => tool("typescript-native/bin/tsc", "--build")],
      ["types of the console", () => tool("typescript-native/bin/tsc", "--project", "console")],
      ["lint", () => tool("@biomejs/biome/bin/biome", "check", "--error-on-warnings", ".")],
      ["unused code and dependencies", () => tool("knip/bin/knip.js", "--treat-config-hints-as-errors")],
      ["dependencies of what ships", () => tool("knip/bin/knip.js", "--production", "--strict", "--include", shipping)],
    ],
    ["suites", () => suites("fast")],
  ],
  deep: [["properties at full depth", () => suites("fast", { files: listDeepSuites(), env: { DEPTH: "deep" } })]],
  e2e: [
    ["publint and attw", checkPackage],
    ["end to end", () => suites("e2e")],
  ],
  console: [["the console in a browser", () => suites("console")]],
  agents: [["coding agents", () => suites("agents")]],
  servers: [["real servers", () => suites("servers")]],
  openstack: [["the whole OpenStack", () => suites("openstack")]],
  nodes: [nodeVersions.oldest, nodeVersions.newest].map((version): Step => {
    // Properties are of pure rules, which the pinned Node has run: what differs between versions are Node's own modules.
    const run = () => suites("fast", { executable: findNode(version), without: "test/*/properties/**" });
    return [`suites on Node ${version}`, run];
  }),
};

async function runStep([name, run]: Step): Promise<Tally> {
  const started = Date.now();
  const tally = await run();
  const mark = tally.failed === 0 ? "ok    " : "FAILED";
  process.stdout.write(`${mark} ${name}: ${formatTally(tally)} (${((Date.now() - started) / 1000).toFixed(1)} s)\n`);
  return tally;
}

const isStep = (one: Step | readonly Step[]): one is Step => typeof one[0] === "string";

async function runStage(stage: string): Promise<Tally> {
  const steps = stages[stage];
  if (steps === undefined) throw new Error(`no stage ${stage}; there are ${Object.keys(stages).join(", ")}`);
  const tallies: Tally[] = [];
  for (const one of steps) tallies.push(...(await Promise.all((isStep(one) ? [one] : one).map(runStep))));
  const tally = addTallies(tallies);
  writeTally(join(gateFolder, `${stage}.json`), tally);
  return tally;
}

function readStage(stage: string): Tally {
  const lost = { ...failedOnce, notes: [`stage ${stage} did not come to its end`] };
  return readTally(join(gateFolder, `${stage}.json`)) ?? lost;
}

const [task = "check", ...rest] = process.argv.slice(2);
const total = task === "sum" ? addTallies(rest.map(readStage)) : await runStage(task);
process.stdout.write([...total.notes, formatTally(total)].join("\n").concat("\n"));
process.exitCode = total.failed === 0 ? 0 : 1;
