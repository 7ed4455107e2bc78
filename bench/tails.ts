import { rmSync } from "node:fs";
import { loadProcess } from "./load.ts";
import { type BenchProcess, pin, startProcess } from "./processes/spawn.ts";
import { chatBody } from "./request.ts";
import { median } from "./table.ts";

/** Latency of whole answers, at one connection and at 32, with a key and a ledger and without. `node bench/tails.ts` */
const rounds = 5;
const warmUps = 1;
const counts = { 1: 6_000, 32: 30_000 } as const;
const file = `/tmp/tollgate-tails-${process.pid}.db`;

const vendor = await startProcess("mock");
const origin = `http://127.0.0.1:${vendor.port}`;
const contestants = [
  ["raw proxy", await startProcess("proxy", origin)],
  ["tollgate", await startProcess("gateway", origin)],
  ["tollgate, key and ledger", await startProcess("governed", origin, file)],
] as const;
pin(process.pid, 1);
pin(vendor.pid, 1);
for (const [, { pid }] of contestants) pin(pid, 0);

console.log("| connections | gateway | CPU µs a request | p50 ms | p99 ms |");
console.log("|---|---|---|---|---|");
for (const connections of [1, 32] as const) {
  const rows: (Row & { readonly what: string })[] = contestants.map(([what, gateway]) => ({
    what,
    gateway,
    micros: [],
    p50: [],
    p99: [],
  }));
  for (let round = 0; round < warmUps + rounds; round++) for (const row of rows) await measure(row, connections, round);
  for (const { what, micros, p50, p99 } of rows) {
    const latency = `${median(p50).toFixed(2)} | ${median(p99).toFixed(2)}`;
    console.log(`| ${connections} | ${what} | ${median(micros).toFixed(0)} | ${latency} |`);
  }
}
for (const [, gateway] of contestants) gateway.stop();
vendor.stop();
for (const ending of ["", "-wal", "-shm"]) rmSync(file + ending, { force: true });

interface Row {
  readonly gateway: BenchProcess;
  readonly micros: number[];
  readonly p50: number[];
  readonly p99: number[];
}

async function measure({ gateway, micros, p50, p99 }: Row, connections: 1 | 32, round: number): Promise<void> {
  const result = await loadProcess(gateway, { count: counts[connections], connections, body: chatBody });
  if (round < warmUps) return;
  micros.push(result.micros);
  p50.push(result.p50);
  p99.push(result.p99);
}
