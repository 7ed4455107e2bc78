// Usage and requests over HTTP's operations with a month of a million requests of 1,000 keys: on SQLite, and with `postgres` as argument on PostgreSQL.
//   node bench/portal-usage.ts [sqlite | postgres] [requests, 1,000,000]
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { postgresStore } from "../adapters/stores/postgres/index.ts";
import { sqliteStore } from "../adapters/stores/sqlite/index.ts";
import type { Store } from "../src/engine/ports/store.ts";
import { operator } from "../src/portal/call/operator.ts";
import { startPostgres } from "../test/adapters/conformance/stores/postgres-server.ts";
import { openGateway } from "../test/portal/support/gateway.ts";
import { printTable, type Row } from "./table.ts";
import { append, month, monthLength } from "./traffic.ts";

const requests = Number(process.argv[3] ?? 1_000_000);
const rounds = 20;
const megabyte = 2 ** 20;

async function measure(store: Store): Promise<Row[]> {
  const { portal } = await openGateway(store);
  await append(store, requests, { batch: 500, keys: 1_000, pace: monthLength / requests });
  const { ai } = portal.as(operator);
  const whole = { from: new Date(month).toISOString(), to: new Date(month + monthLength).toISOString() };
  const usage = (fields: object) => ai.usage({ ...whole, ...fields } as Parameters<typeof ai.usage>[0]);
  const questions: readonly (readonly [what: string, ask: (round: number) => Promise<unknown>])[] = [
    ["the month", () => usage({})],
    ["by day", () => usage({ interval: "day" })],
    ["by day and key", () => usage({ interval: "day", group_by: ["key_id"] })],
    ["by day and key, of 1,000 keys each", () => usage({ interval: "day", group_by: ["key_id"], limit: 1_000 })],
    ["by day and key, in Rome", () => usage({ interval: "day", group_by: ["key_id"], timezone: "Europe/Rome" })],
    ["by hour and model", () => usage({ interval: "hour", group_by: ["model"] })],
    ["the newest 50 requests", () => ai.requests({ limit: 50 })],
    ["the newest 50 requests of a key", (round) => ai.requests({ limit: 50, key_id: [`vk_${900 + round}`] })],
  ];
  const rows: Row[] = [];
  const before = process.memoryUsage().rss;
  for (const [what, ask] of questions) {
    const times: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const started = performance.now();
      await ask(round);
      times.push(performance.now() - started);
    }
    const ms = times.toSorted((one, other) => one - other)[Math.floor(rounds * 0.95)] ?? 0;
    rows.push({ what, value: `${ms.toFixed(1)} ms`, goal: what.startsWith("the newest") ? "30 ms" : "300 ms" });
  }
  const grown = (process.memoryUsage().rss - before) / megabyte;
  return [...rows, { what: "memory that the questions added", value: `${grown.toFixed(0)} MB` }];
}

const title = `${requests.toLocaleString("en")} requests of a month, p95`;
if (process.argv[2] === "postgres") {
  const server = startPostgres();
  const store = postgresStore({ pool: server.pool(), schema: "usage" });
  printTable(`${title}, PostgreSQL`, await measure(store));
  await store.close();
  await server.stop();
} else {
  const folder = mkdtempSync(join(tmpdir(), "tollgate-bench-usage-"));
  const store = await sqliteStore(join(folder, "usage.db"));
  printTable(`${title}, SQLite`, await measure(store));
  await store.close();
  rmSync(folder, { recursive: true });
}
