import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { loadProcess } from "./load.ts";
import { type BenchProcess, pin, startProcess, startProcessOf } from "./processes/spawn.ts";
import { chatBody } from "./request.ts";
import { median } from "./table.ts";

const help = `Compares checkouts over HTTP, governed, in turns of one run: node bench/compare.ts <folder>...

  git worktree add --detach /tmp/before HEAD~1 && ln -s "$PWD/node_modules" /tmp/before/
  node bench/compare.ts /tmp/before .

What is measured has a core of its own, and the load and the provider another: two processes of one commit differ
by 1 % then, and by 5 to 10 % where the kernel places them. Told are the CPU of a request, the throughput that this
makes of the transparent proxy's, and the CPU of the first folder's; all are medians of what came in the same turn.
CONNECTIONS=8 changes how many requests come at a time (32), STARTS=9 how often all start anew (5), PROCESS=gateway
what is started of bench/processes (governed).`;

const starts = readCount("STARTS", 5);
const connections = readCount("CONNECTIONS", 32);
const kind = process.env.PROCESS ?? "governed";
const [warmUps, perWarmUp, turns, perTurn] = [6, 8_000, 8, 2_500] as const;
const [measuredCore, loadCore] = [0, 1] as const;

function readCount(name: string, usual: number): number {
  const count = Number(process.env[name] ?? usual);
  if (!Number.isInteger(count) || count < 1) refuse(`${name} must be a whole number from 1.`);
  return count;
}

function refuse(why: string): never {
  console.error(`${why}\n\n${help}`);
  process.exit(1);
}

/** What a checkout took in each turn. */
interface Seen {
  readonly name: string;
  readonly micros: number[];
  readonly perSecond: number[];
  readonly p50: number[];
}

async function take(process: BenchProcess, count: number, into?: Seen): Promise<void> {
  const { micros, seconds, p50 } = await loadProcess(process, { count, connections, body: chatBody });
  into?.micros.push(micros);
  into?.perSecond.push(count / seconds);
  into?.p50.push(p50);
}

/** Starts all anew and takes turns, every second time backwards, so that none always follows the same one. */
async function takeTurns(roots: readonly string[], origin: string, seen: readonly Seen[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "tollgate-bench-"));
  const processes = [await startProcess("proxy", origin)];
  for (const [place, root] of roots.entries()) {
    processes.push(await startProcessOf({ root, name: kind }, origin, join(folder, `${place}.db`)));
  }
  for (const { pid } of processes) pin(pid, measuredCore);
  const pairs = processes.map((process, place) => ({ process, into: seen[place] as Seen }));
  for (let round = 0; round < warmUps; round++) for (const { process } of pairs) await take(process, perWarmUp);
  for (let turn = 0; turn < turns; turn++) {
    for (const { process, into } of turn % 2 === 0 ? pairs : pairs.toReversed()) await take(process, perTurn, into);
  }
  for (const process of processes) process.stop();
  rmSync(folder, { recursive: true });
}

/** The middle of what came of the pairs of two in the same turn. */
function ratioOf(one: Seen | undefined, other: Seen | undefined): number {
  return median((one?.micros ?? []).map((micros, turn) => micros / (other?.micros[turn] ?? Number.NaN)));
}

const roots = process.argv.slice(2);
if (roots.includes("--help") || roots.includes("-h")) {
  console.log(help);
  process.exit(0);
}
if (roots.length === 0) refuse("Name the folders of the checkouts.");
for (const root of roots) {
  if (!existsSync(join(root, "bench/processes", `${kind}.ts`))) refuse(`${root} has no bench/processes/${kind}.ts.`);
}
const seen = ["proxy", ...roots].map((name): Seen => ({ name, micros: [], perSecond: [], p50: [] }));
const mock = await startProcess("mock");
for (const pid of [mock.pid, process.pid]) pin(pid, loadCore);
for (let start = 0; start < starts; start++) {
  await takeTurns(
    roots.map((root) => resolve(root)),
    `http://127.0.0.1:${mock.port}`,
    seen,
  );
}
mock.stop();
const [proxy, first] = seen;
console.log(`\n${kind}, ${connections} connections`);
const width = Math.max(...seen.map(({ name }) => name.length));
for (const one of seen) {
  const facts = [
    `${median(one.micros).toFixed(1)} µs`,
    `${ratioOf(proxy, one).toFixed(3)} of the proxy`,
    ...(one === proxy ? [] : [`${ratioOf(one, first).toFixed(3)} of the first`]),
    `${median(one.perSecond).toFixed(0)} a second`,
    `p50 ${median(one.p50).toFixed(2)} ms`,
  ];
  console.log(`  ${one.name.padEnd(width)}  ${facts.join(", ")}`);
}
