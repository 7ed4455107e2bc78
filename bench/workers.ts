// One and two workers over a store file, and over PostgreSQL and Redis: requests a second, CPU of a request, p99. In one run, in turns.
//   node bench/workers.ts            (builds nothing: run `node scripts/prepare.mjs` before)
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startRedis } from "../test/adapters/conformance/counters/redis-server.ts";
import { startPostgres } from "../test/adapters/conformance/stores/postgres-server.ts";
import { loadProcess } from "./load.ts";
import { startProcess } from "./processes/spawn.ts";
import { type ServedProcess, serveWorkers } from "./processes/workers.ts";
import { chatBody } from "./request.ts";
import { judge, median, printTable } from "./table.ts";

const rounds = 9;
const warmUps = 6;
const perRound = 3_000;
const connections = 32;

const folder = mkdtempSync(join(tmpdir(), "tollgate-bench-workers-"));
const postgres = startPostgres();
const redis = await startRedis();
const vendor = await startProcess("mock");

const sharing = (database: number) => ({
  DATABASE: `postgres://tollgate@/postgres?host=${postgres.folder}&schema=bench${database}`,
  REDIS: `redis://127.0.0.1:${redis.port}/${database}`,
});
const stands: { readonly what: string; readonly gateway: ServedProcess; readonly seen: Round[] }[] = [];
interface Round {
  readonly perSecond: number;
  readonly micros: number;
  readonly p99: number;
}
for (const workers of [1, 2]) {
  const place = { folder: join(folder, `file-${workers}`), origin: `http://127.0.0.1:${vendor.port}`, workers };
  stands.push({ what: `SQLite, ${workers}`, gateway: await serveWorkers(place), seen: [] });
}
for (const workers of [1, 2]) {
  const place = { folder: join(folder, `shared-${workers}`), origin: `http://127.0.0.1:${vendor.port}`, workers };
  const gateway = await serveWorkers({ ...place, env: sharing(workers) });
  stands.push({ what: `PostgreSQL and Redis, ${workers}`, gateway, seen: [] });
}

for (let round = -warmUps; round < rounds; round++) {
  for (const { gateway, seen } of stands) {
    const { seconds, micros, p99 } = await loadProcess(gateway, { count: perRound, connections, body: chatBody });
    if (round >= 0) seen.push({ perSecond: perRound / seconds, micros, p99 });
  }
}
for (const { gateway } of stands) await gateway.end();
vendor.stop();
await redis.stop();
postgres.stop();
rmSync(folder, { recursive: true });

const ratioOf = (one: Round[], two: Round[], of: keyof Round) =>
  median(two.map((round, at) => round[of] / (one[at]?.[of] ?? Number.NaN)));
printTable(
  `Governed calls of a key with a hard budget, ${connections} connections; ratio: CPU of a request with two workers to that with one`,
  stands.map(({ what, seen }, at) => {
    const of = (name: keyof Round) => median(seen.map((round) => round[name]));
    const row = {
      what: `${what}: requests/s ${of("perSecond").toFixed(0)}, p99 ${of("p99").toFixed(1)} ms, CPU µs`,
      value: of("micros").toFixed(0),
    };
    if (at % 2 === 0) return row;
    const one = stands[at - 1]?.seen ?? [];
    const ratio = ratioOf(one, seen, "micros");
    const more = ` (${ratioOf(one, seen, "perSecond").toFixed(2)} × the requests/s)`;
    return {
      ...row,
      what: row.what + more,
      ratio,
      goal: "1.10 / 1.50",
      verdict: judge(ratio, { goal: 1.1, floor: 1.5 }),
    };
  }),
);
