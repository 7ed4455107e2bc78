// What 300 calls of 200 KB under way of one key do to the calls of another one, in one gateway and in two over PostgreSQL and Redis.
//   node bench/starvation.ts
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startRedis } from "../test/adapters/conformance/counters/redis-server.ts";
import { startPostgres } from "../test/adapters/conformance/stores/postgres-server.ts";
import { type BenchProcess, startProcess } from "./processes/spawn.ts";
import { judge, median, printTable } from "./table.ts";

const rounds = 3;
const calls = 60;
const body = JSON.stringify({ model: "local/echo", messages: [{ role: "user", content: "x" }] });

/** The median of small calls, one at a time, to each gateway in turn; in milliseconds. */
async function medianOfCalls(gateways: readonly BenchProcess[], key: string): Promise<number> {
  const waits: number[] = [];
  for (let at = 0; at < calls; at++) {
    const { port } = gateways[at % gateways.length] as BenchProcess;
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const started = performance.now();
    const response = await fetch(`http://127.0.0.1:${port}/v1/chat/completions`, { method: "POST", headers, body });
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`the small call got ${response.status}`);
    waits.push(performance.now() - started);
  }
  return median(waits);
}

async function measure(gateways: readonly BenchProcess[]): Promise<{ readonly quiet: number; readonly loud: number }> {
  const [flooding = "", other = ""] = gateways[0]?.key?.split(",") ?? [];
  const ports = gateways.map(({ port }) => port).join(",");
  const [quiets, louds]: [number[], number[]] = [[], []];
  await medianOfCalls(gateways, other); // what is made once is made
  for (let round = 0; round < rounds; round++) {
    quiets.push(await medianOfCalls(gateways, other));
    const flood = await startProcess("flood", ports, flooding, "300");
    await medianOfCalls(gateways, other); // until all 300 are under way
    louds.push(await medianOfCalls(gateways, other));
    flood.stop();
    await new Promise((resolve) => setTimeout(resolve, 1_500)); // what it had under way ends
  }
  return { quiet: median(quiets), loud: median(louds) };
}

const folder = mkdtempSync(join(tmpdir(), "starvation-"));
const postgres = startPostgres();
const redis = await startRedis();
const one = [await startProcess("shared", join(folder, "keys.db"))];
const results = { "one gateway": await measure(one) };
for (const gateway of one) gateway.stop();
const address = `redis://127.0.0.1:${redis.port}`;
const startShared = () => startProcess("shared", postgres.folder, address);
const two = [await startShared(), await startShared()];
const shared = { "two gateways over PostgreSQL and Redis": await measure(two) };
for (const gateway of two) gateway.stop();

printTable(
  "A key's small calls, one at a time, beside 300 calls of 200 KB of another key (medians)",
  Object.entries({ ...results, ...shared }).map(([what, { quiet, loud }]) => {
    const value = `${quiet.toFixed(1)} ms alone, ${loud.toFixed(1)} ms beside: ${(loud / quiet).toFixed(1)}×`;
    return { what, value, goal: "2× / none", verdict: judge(loud / quiet, { goal: 2, floor: Infinity }) };
  }),
);
await redis.stop();
await postgres.stop();
rmSync(folder, { recursive: true });
process.exit();
