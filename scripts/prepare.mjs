// Brings a clone to where the npm scripts can run: the locked packages installed, `dist` built from the sources as they are.
// Plain JavaScript, because it is the one script that runs before the pinned Node is there (docs/decisions/0001-toolchain.md).
//   node scripts/prepare.mjs            install if needed, build if needed
//   node scripts/prepare.mjs install    install if needed
//   node scripts/prepare.mjs start      install if needed, build the programs if needed, without declarations of types
//   node scripts/prepare.mjs rebuild    install if needed, build
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const pinnedNode = join(root, "node_modules", "node", "bin", process.platform === "win32" ? "node.exe" : "node");
const stamp = join(root, "dist", ".built-from");
const lockFolder = join(root, ".cache", "prepare.lock");

/** @param {string} sentence */
const say = (sentence) => process.stderr.write(`tollgate: ${sentence}\n`);

/** @param {string} path @returns {any} */
const readJson = (path) => JSON.parse(readFileSync(join(root, path), "utf8"));

/** Why the packages must be installed, or undefined when `node_modules` holds what the lock file says. */
function findMissingPackages() {
  if (!existsSync(join(root, "node_modules", ".package-lock.json"))) return "nothing is installed yet";
  const wanted = Object.entries(readJson("package-lock.json").packages);
  const installed = readJson("node_modules/.package-lock.json").packages;
  for (const [path, entry] of wanted) {
    if (path === "" || installed[path]?.version === entry.version) continue;
    if (entry.optional && installed[path] === undefined) continue; // made for another platform
    return `${path.replace("node_modules/", "")} is not at ${entry.version}`;
  }
  return existsSync(pinnedNode) ? undefined : "the pinned Node is not there";
}

/**
 * Runs a command quietly; its output is shown only when it fails.
 * @param {string} what @param {string} command @param {string[]} commandArguments
 */
function run(what, command, commandArguments) {
  const started = Date.now();
  const result = spawnSync(command, commandArguments, { cwd: root, encoding: "utf8", maxBuffer: 1 << 26 });
  if (result.status !== 0) {
    process.stderr.write(`${result.stdout ?? ""}${result.stderr ?? ""}`);
    say(`${what} failed: ${result.error?.message ?? `exit code ${result.status ?? result.signal}`}.`);
    process.exit(1);
  }
  return ((Date.now() - started) / 1000).toFixed(1);
}

function install() {
  const reason = findMissingPackages();
  if (reason === undefined) return;
  say(`installing the locked packages (${reason}) …`);
  // Not `npm ci`: it refuses a lock file without the optional packages of every platform (docs/decisions/0001-toolchain.md).
  const flags = [
    "install",
    "--no-save",
    "--include=dev",
    "--no-audit",
    "--no-fund",
    "--no-progress",
    "--loglevel=error",
  ];
  const npm = process.env.npm_execpath;
  const seconds = npm?.endsWith(".js")
    ? run("npm install", process.execPath, [npm, ...flags])
    : run("npm install", process.platform === "win32" ? "npm.cmd" : "npm", flags);
  if (!existsSync(pinnedNode)) {
    say("the pinned Node was not installed: its install script must be allowed to run (is ignore-scripts set?).");
    process.exit(1);
  }
  say(`installed in ${seconds} s.`);
}

/** @param {string} folder @returns {string[]} paths of all files below a folder, sorted */
function listFiles(folder) {
  const entries = readdirSync(join(root, folder), { withFileTypes: true });
  const files = entries.flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    return entry.isDirectory() ? listFiles(path) : [path];
  });
  return files.sort();
}

/** A fingerprint of everything that the build reads. */
function hashSources() {
  const single = [
    ...["package.json", "package-lock.json", "tsconfig.json", "tsconfig.base.json", "tsup.config.ts"],
    ...["scripts/entries.ts", "scripts/merge-declarations.ts", "scripts/describe-declarations.ts"],
  ];
  const hash = createHash("sha256");
  for (const path of [...single, ...listFiles("src"), ...listFiles("adapters"), ...listFiles("console")]) {
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update("\0");
  }
  return hash.digest("hex");
}

/** Why `dist` must be built; declarations, which take most of a minute, are not needed to start. @param {string} task @param {string} fingerprint */
function findStale(task, fingerprint) {
  if (task === "rebuild") return "as asked";
  if (!existsSync(stamp)) return "there is no dist yet";
  const [builtFrom, kind] = readFileSync(stamp, "utf8").split(" ");
  if (builtFrom !== fingerprint) return "the sources changed";
  return kind === "untyped" && task !== "start" ? "its types are missing" : undefined;
}

/** @param {string} task */
function build(task) {
  const fingerprint = hashSources();
  const reason = findStale(task, fingerprint);
  if (reason === undefined) return;
  say(`building dist (${reason}) …`);
  rmSync(stamp, { force: true });
  const tsup = join("node_modules", "tsup", "dist", "cli-default.js");
  // the declarations of all entries are made in one worker, which needs more memory than Node gives by itself
  const seconds = run("the build", pinnedNode, [
    "--max-old-space-size=8192",
    tsup,
    "--silent",
    ...(task === "start" ? ["--no-dts"] : []),
  ]);
  if (task !== "start") run("the merging of types", pinnedNode, [join("scripts", "merge-declarations.ts")]);
  if (task !== "start") run("the descriptions of types", pinnedNode, [join("scripts", "describe-declarations.ts")]);
  const vite = join("node_modules", "vite", "bin", "vite.js");
  run("the build of the console", pinnedNode, [vite, "build", "--config", join("console", "vite.config.ts")]);
  writeFileSync(stamp, task === "start" ? `${fingerprint} untyped` : fingerprint);
  say(`built in ${seconds} s.`);
}

/** @param {string} pid */
function isRunning(pid) {
  try {
    process.kill(Number(pid), 0);
    return true;
  } catch {
    return false;
  }
}

/** Waits until no other prepare.mjs of this clone is at work, then takes its place. */
async function takeTurn() {
  mkdirSync(join(root, ".cache"), { recursive: true });
  for (let waited = 0; ; waited += 1) {
    try {
      mkdirSync(lockFolder);
      writeFileSync(join(lockFolder, String(process.pid)), "");
      break;
    } catch {
      const [owner] = existsSync(lockFolder) ? readdirSync(lockFolder) : [];
      const age = Date.now() - (statSync(lockFolder, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
      const isStale = owner === undefined ? age > 2000 : !isRunning(owner);
      if (isStale) rmSync(lockFolder, { recursive: true, force: true });
      else if (waited === 5) say(`waiting for process ${owner}, which prepares this clone …`);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
  process.on("exit", () => rmSync(lockFolder, { recursive: true, force: true }));
}

const [task = "build"] = process.argv.slice(2);
await takeTurn();
install();
if (task !== "install") build(task);
