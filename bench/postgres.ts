// What a ledger row in PostgreSQL costs this process, how long a write takes, and questions about a month. Starts a server of its own.
//   node bench/postgres.ts [requests of the month, 200,000]
import { postgresStore } from "../adapters/stores/postgres/index.ts";
import { startPostgres } from "../test/adapters/conformance/stores/postgres-server.ts";
import { median, printTable } from "./table.ts";
import { append, askAll, monthLength } from "./traffic.ts";

const requests = Number(process.argv[2] ?? 200_000);
const server = startPostgres();
let schemas = 0;
const openStore = () => postgresStore({ pool: server.pool(), schema: `bench_${schemas++}` });

const rows = [];
for (const [batch, count] of [
  [200, 40_000],
  [50, 20_000],
  [10, 10_000],
  [1, 2_000],
] as const) {
  const store = openStore();
  const traffic = { batch, keys: 50, pace: 0.2 };
  await append(store, count, traffic);
  const [cpus, waits]: [number[], number[]] = [[], []];
  for (let round = 0; round < 5; round++) {
    const started = performance.now();
    cpus.push(await append(store, count, traffic));
    waits.push((performance.now() - started) / (count / batch));
  }
  await store.close();
  const [cpu, wait] = [median(cpus).toFixed(1), median(waits).toFixed(2)];
  rows.push({ what: `${batch} requests a turn`, value: `${cpu} µs of CPU, ${wait} ms` });
}
printTable("A request in PostgreSQL: this process's CPU for each, and how long a turn waits for its write", rows);

const store = openStore();
await append(store, requests, { batch: 500, keys: 1_000, pace: monthLength / requests });
printTable(`Questions about a month of ${requests.toLocaleString("en")} requests`, await askAll(store));
await store.close();
await server.stop();
