import { type BenchProcess, pin, startProcess } from "./processes/spawn.ts";
import { chatRequest } from "./request.ts";
import { readStreams } from "./stream-load.ts";

/**
 * A burst of new streams on a core that carries running ones: the longest silence of those that had begun, and how long the first content
 * of the new ones takes. `node bench/bursts.ts [NEW…]`; the vendor and the readers have the other core.
 */
const bursts = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [64, 256, 1_000];
const running = 128;
const paceMs = 20;
const body = JSON.stringify({ ...chatRequest, stream: true });

const vendor = await startProcess("paced", String(paceMs), "150");
const origin = `http://127.0.0.1:${vendor.port}`;
const contestants: readonly (readonly [string, BenchProcess])[] = [
  ["bytes passed through", await startProcess("proxy", origin)],
  ["tollgate", await startProcess("gateway", origin)],
];
pin(process.pid, 1);
pin(vendor.pid, 1);
for (const [, { pid }] of contestants) pin(pid, 0);

console.log(
  `| running | new at once | gateway | worst gap of the running p50 / p99 ms | first content of the new p50 / p99 ms |`,
);
console.log("|---|---|---|---|---|");
for (const count of bursts) {
  for (const [what, gateway] of contestants) {
    await readStreams(gateway, { count: 20, body, spreadMs: 100 }); // warm-up
    const before = readStreams(gateway, { count: running, body, spreadMs: 500 });
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    const burst = await readStreams(gateway, { count, body, spreadMs: 0 });
    const cells = [String(running), String(count), what, both((await before).gap), both(burst.first)];
    console.log(`| ${cells.join(" | ")} |`);
  }
}
for (const [, gateway] of contestants) gateway.stop();
vendor.stop();

function both(sorted: readonly number[]): string {
  const at = (share: number) => Math.round(sorted[Math.floor(sorted.length * share)] ?? Number.NaN);
  return `${at(0.5)} / ${at(0.99)}`;
}
