import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { sendLoad } from "./load.ts";
import { startProcess } from "./processes/spawn.ts";
import { chatBody } from "./request.ts";
import { median, printTable } from "./table.ts";

/**
 * Instructions of a request, and how often its code and data are not in simulated caches of the first level (32 KB each) and of the
 * second (512 KB for both), counted by valgrind: on a machine with loud neighbours, where times move by half, these move by a tenth.
 * What the kernel does is not in them. Takes ten minutes and is not part of `npm run bench`.
 */
const warmUp = 40_000;
const windows = 7;
const perWindow = 500;
const connections = 32;
/** Events of a window, in valgrind's order. */
const counted = {
  instructions: "Ir",
  code: "I1mr",
  reads: "D1mr",
  writes: "D1mw",
  farCode: "ILmr",
  farReads: "DLmr",
  farWrites: "DLmw",
};

/** What one request costs. */
type Cost = Record<keyof typeof counted, number>;

if (spawnSync("callgrind_control", ["--version"]).status !== 0) {
  console.error("bench/instructions.ts counts with valgrind, which is not installed: apt-get install valgrind");
  process.exit(1);
}
const folder = mkdtempSync(join(tmpdir(), "tollgate-instructions-"));
const mock = await startProcess("mock");

/** Runs a process of the bench under valgrind, and counts when V8 has compiled what it runs. */
async function measure(name: string): Promise<Cost> {
  const out = join(folder, name);
  const script = fileURLToPath(new URL(`./processes/${name}.ts`, import.meta.url));
  const options = ["--tool=callgrind", "--smc-check=all-non-file", "--instr-atstart=no", "--cache-sim=yes"];
  const sizes = ["--I1=32768,8,64", "--D1=32768,8,64", "--LL=524288,8,64", `--callgrind-out-file=${out}`, "--quiet"];
  const command = [process.execPath, "--no-warnings", script, `http://127.0.0.1:${mock.port}`, `${out}.db`];
  const child = spawn("valgrind", [...options, ...sizes, ...command], {
    stdio: ["ignore", "inherit", "ignore", "ipc"],
    cwd: folder, // callgrind_control leaves a file where the process runs
  });
  const [{ port, key }] = (await once(child, "message")) as [{ port: number; key?: string }];
  const send = (count: number) => sendLoad({ port, count, connections, body: chatBody, key });
  const control = (...words: string[]) =>
    execFileSync("callgrind_control", [...words, String(child.pid)], { stdio: "ignore" });
  await send(warmUp);
  control("--instr=on");
  await send(perWindow); // valgrind translates the code anew
  control("--zero");
  for (let window = 0; window < windows; window++) {
    await send(perWindow);
    control("--dump");
  }
  child.disconnect();
  await once(child, "exit");
  const dumps = readdirSync(folder).filter((file) => file.startsWith(`${name}.`) && /\.\d+$/.test(file));
  const costs = dumps.map((file) => readDump(readFileSync(join(folder, file), "utf8"))).slice(0, windows);
  return costOf((event) => median(costs.map((cost) => cost[event])) / perWindow);
}

function costOf(count: (event: keyof Cost) => number): Cost {
  return Object.fromEntries((Object.keys(counted) as (keyof Cost)[]).map((event) => [event, count(event)])) as Cost;
}

/** The sums of a dump. */
function readDump(dump: string): Cost {
  const names = /^events: (.*)$/m.exec(dump)?.[1]?.split(" ") ?? [];
  const sums = /^(?:summary|totals): (.*)$/m.exec(dump)?.[1]?.split(" ").map(Number) ?? [];
  return costOf((event) => sums[names.indexOf(counted[event])] ?? Number.NaN);
}

const proxy = await measure("proxy");
for (const [name, what] of [
  ["proxy", "transparent undici proxy"],
  ["gateway", "the listener"],
  ["governed", "with key, budgets and ledger"],
] as const) {
  const cost = name === "proxy" ? proxy : await measure(name);
  const row = (what: string, count: (cost: Cost) => number) => ({
    what,
    value: count(cost).toFixed(0),
    ratio: count(cost) / count(proxy),
  });
  printTable(`Of one request: ${what} (ratio: to the proxy)`, [
    row("instructions", (of) => of.instructions),
    row("code that is not in the first cache", (of) => of.code),
    row("data that is not", (of) => of.reads + of.writes),
    row("code that is not in the second either", (of) => of.farCode),
    row("data that is not", (of) => of.farReads + of.farWrites),
  ]);
}
mock.stop();
rmSync(folder, { recursive: true });
