import { readFileSync, rmSync } from "node:fs";
import { loadProcess } from "./load.ts";
import { pin, startProcess, startProcessOf } from "./processes/spawn.ts";
import { chatBody } from "./request.ts";
import { median } from "./table.ts";

/**
 * V8's young generation at 16 (its default), 32 and 64 MB a semi-space: CPU, latency and memory of governed calls on one core.
 * `node bench/young-generation.ts`
 */
const sizes = [16, 32, 64];
const rounds = 7;
const warmUps = 2;
const file = (size: number) => `/tmp/tollgate-young-${process.pid}-${size}.db`;

const mock = await startProcess("mock");
const origin = `http://127.0.0.1:${mock.port}`;
const gateways = await Promise.all(
  sizes.map((size) =>
    startProcessOf({ name: "governed", flags: [`--max-semi-space-size=${size}`] }, origin, file(size)),
  ),
);
pin(process.pid, 1);
pin(mock.pid, 1);
const idle = gateways.map(({ pid }) => residentMegabytes(pid));
for (const { pid } of gateways) pin(pid, 0);

const seen = sizes.map(() => ({ micros: [] as number[], p50: [] as number[], p99: [] as number[] }));
for (let round = 0; round < warmUps + rounds; round++) {
  for (const [index, gateway] of gateways.entries()) {
    const { micros, p50, p99 } = await loadProcess(gateway, { count: 6_000, connections: 32, body: chatBody });
    if (round < warmUps) continue;
    seen[index]?.micros.push(micros);
    seen[index]?.p50.push(p50);
    seen[index]?.p99.push(p99);
  }
}
console.log("| semi-space | CPU µs a request | p50 / p99 ms at 32 connections | resident MB, idle / busy |");
console.log("|---|---|---|---|");
for (const [index, size] of sizes.entries()) {
  const { micros = [], p50 = [], p99 = [] } = seen[index] ?? {};
  const busy = residentMegabytes(gateways[index]?.pid ?? 0);
  const latency = `${median(p50).toFixed(1)} / ${median(p99).toFixed(1)}`;
  console.log(`| ${size} MB | ${median(micros).toFixed(1)} | ${latency} | ${idle[index]} / ${busy} |`);
}
for (const gateway of [...gateways, mock]) gateway.stop();
for (const size of sizes) for (const ending of ["", "-wal", "-shm"]) rmSync(file(size) + ending, { force: true });

function residentMegabytes(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Math.round(Number(kilobytes) / 1_000);
}
