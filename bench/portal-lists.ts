// The first pages of the portal's lists, and its search, over 100,000 keys: on SQLite, and with `postgres` as argument on PostgreSQL.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { postgresStore } from "../adapters/stores/postgres/index.ts";
import { sqliteStore } from "../adapters/stores/sqlite/index.ts";
import type { Store } from "../src/engine/ports/store.ts";
import { operator } from "../src/portal/call/operator.ts";
import { key } from "../src/testing/conformance/records/drafts.ts";
import { startPostgres } from "../test/adapters/conformance/stores/postgres-server.ts";
import { openGateway } from "../test/portal/support/gateway.ts";
import { printTable } from "./table.ts";

const keys = 100_000;
const rounds = 40;

async function fill({ records }: Store): Promise<void> {
  for (let first = 0; first < keys; first += 1_000) {
    const writes = Array.from({ length: 1_000 }, (_, n) => {
      const number = first + n;
      const created_at = new Date(Date.UTC(2026, 0, 1) + number * 1_000).toISOString();
      const metadata = { reseller: `r${number % 10}`, client_id: `c${number % 1_000}`, tier: "standard" };
      const put = key(`vk_${number}`, { name: `key number ${number}`, metadata, created_at });
      return { kind: "key", put, expected: 0 } as const;
    });
    await records.batch(writes);
  }
}

/** Milliseconds that 95 of 100 calls take at most. */
async function p95(call: (round: number) => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const started = performance.now();
    await call(round);
    times.push(performance.now() - started);
  }
  return times.toSorted((one, other) => one - other)[Math.floor(rounds * 0.95)] ?? 0;
}

async function measure(store: Store): Promise<Parameters<typeof printTable>[1]> {
  const { portal } = await openGateway(store);
  await fill(store);
  const { ai, context, users } = portal.as(operator);
  const page = { limit: 50 };
  const client = portal.as({ ...operator, scope: { reseller: "r7", client_id: "c7" } });
  const reseller = portal.as({ ...operator, scope: { reseller: "r7" } });
  const list = (calls: typeof ai, fields: object) =>
    calls.keys({ ...page, ...fields } as Parameters<typeof ai.keys>[0]);
  const rows = [
    ["keys, oldest first", await p95(() => list(ai, {}))],
    ["keys, newest first", await p95(() => list(ai, { sort: "-created_at" }))],
    ["keys of a client", await p95(() => list(client.ai, {}))],
    ["keys with a text", await p95((round) => list(ai, { search: `number ${99_000 + round}` }))],
    ["keys with a text that most have", await p95((round) => list(ai, { search: `key number ${round % 10}` }))],
    ["keys with one letter", await p95((round) => list(ai, { search: "qxz"[round % 3] }))],
    ["keys of a reseller with a text", await p95((round) => list(reseller.ai, { search: `${90_000 + round}` }))],
    ["keys in order of their names", await p95((round) => list(ai, { sort: ["name", "-name"][round % 2] }))],
    ["search", await p95((round) => context.search({ q: `number ${500 + round}` }))],
    ["search for what nothing has", await p95((round) => context.search({ q: `nothing ${round}` }))],
    ["audit", await p95(() => users.audit({ limit: 50 }))],
  ] as const;
  return rows.map(([what, ms]) => ({
    what,
    value: `${ms.toFixed(1)} ms`,
    goal: what.startsWith("search") ? "50 ms" : "30 ms",
  }));
}

if (process.argv[2] === "postgres") {
  const server = startPostgres();
  const store = postgresStore({ pool: server.pool(), schema: "lists" });
  printTable("first pages on PostgreSQL, p95", await measure(store));
  await store.close();
  await server.stop();
} else {
  const folder = mkdtempSync(join(tmpdir(), "tollgate-bench-lists-"));
  const store = await sqliteStore(join(folder, "lists.db"));
  printTable("first pages on SQLite, p95", await measure(store));
  await store.close();
  rmSync(folder, { recursive: true });
}
