import { rmSync } from "node:fs";
import { type BenchProcess, pin, startProcess } from "./processes/spawn.ts";
import { chatRequest } from "./request.ts";
import { readStreams } from "./stream-load.ts";

/**
 * Many streams at once through one core, paced as models write, up to more than the core can carry: CPU of an event, how long the first
 * event takes, and the longest silence. `node bench/streams.ts [STREAMS…]`; the vendor and the readers have the other core.
 */
const counts = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [64, 256, 512, 2_000];
const paceMs = 20;
const seconds = 6;
const spreadMs = 2_000;
const body = JSON.stringify({ ...chatRequest, stream: true });
const file = `/tmp/tollgate-streams-${process.pid}.db`;

const vendor = await startProcess("paced", String(paceMs), String((seconds * 1000) / paceMs));
const origin = `http://127.0.0.1:${vendor.port}`;
const contestants: readonly (readonly [string, BenchProcess])[] = [
  ["bytes passed through", await startProcess("proxy", origin)],
  ["tollgate", await startProcess("gateway", origin)],
  ["tollgate, key and ledger", await startProcess("governed", origin, file)],
  ["tollgate, never gathered", await startProcess("gateway", origin, "0")],
];
pin(process.pid, 1);
pin(vendor.pid, 1);
for (const [, { pid }] of contestants) pin(pid, 0);

console.log(
  `| streams | gateway | events/s | of those due | CPU µs an event | first p50 / p99 ms | worst gap p50 / p99 ms |`,
);
console.log("|---|---|---|---|---|---|---|");
for (const count of counts) {
  for (const [what, gateway] of contestants) {
    await readStreams(gateway, { count: 20, body, spreadMs: 100 }); // warm-up
    const before = gateway.cpuMicros();
    const seen = await readStreams(gateway, { count, body, spreadMs });
    const micros = (gateway.cpuMicros() - before) / seen.events;
    const due = (count * 1000) / paceMs;
    const rate = seen.events / (seen.seconds - spreadMs / 1000);
    const cells = [
      ...[String(count), what, Math.round(rate).toLocaleString("en"), `${Math.round((100 * rate) / due)} %`],
      ...[micros.toFixed(1), both(seen.first), both(seen.gap)],
    ];
    console.log(`| ${cells.join(" | ")} |`);
  }
}
for (const [, gateway] of contestants) gateway.stop();
vendor.stop();
for (const ending of ["", "-wal", "-shm"]) rmSync(file + ending, { force: true });

function both(sorted: readonly number[]): string {
  const at = (share: number) => Math.round(sorted[Math.floor(sorted.length * share)] ?? Number.NaN);
  return `${at(0.5)} / ${at(0.99)}`;
}
