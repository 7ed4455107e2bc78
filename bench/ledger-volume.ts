// What a large ledger in PostgreSQL costs: how long each question takes, retention of a month, and memory. Starts a server of its own.
//   node bench/ledger-volume.ts [requests, 20,000,000] [months, 12] [keys, 1,000]
import { openDatabase } from "../adapters/shared/postgres/database.ts";
import { postgresStore } from "../adapters/stores/postgres/index.ts";
import { enterMonth } from "../adapters/stores/postgres/months/months.ts";
import { idsOfMonth } from "../adapters/stores/postgres/months/partitions.ts";
import { migrations, rollupTables } from "../adapters/stores/postgres/schema.ts";
import { sumNames } from "../src/engine/metering/usage/sums.ts";
import type { UsageQuestion } from "../src/engine/ports/ledger.ts";
import { startPostgres } from "../test/adapters/conformance/stores/postgres-server.ts";
import { printTable } from "./table.ts";

const [requests = 20_000_000, months = 12, keys = 1_000] = process.argv.slice(2).map(Number);
const schema = "volume";
const server = startPostgres();
const store = postgresStore({ pool: server.pool(), schema });
const choice = { of: "store", name: schema, isMade: true, migrations: async () => migrations } as const;
const database = openDatabase(server.pool(1), choice);
const run = async (text: string) =>
  (await database.ask({ text, query_timeout: 3_600_000 })).rows[0] as Record<string, unknown>;
const mb = (bytes: unknown) => `${Math.round(Number(bytes) / 1e6).toLocaleString("en")} MB`;

/** Some of the keys ask most; each asks five of twenty models. */
function requestsOf(month: number, count: number): string {
  const [from, to] = [month, month + 1].map((each) => Date.UTC(1970, each));
  const step = ((to ?? 0) - (from ?? 0)) / count;
  return `INSERT INTO ${schema}.request (id, event_id, at, request_type, model_requested, key_id, project_id, customer_id, metadata,
      status, reason, latency, saved, provider, model)
    SELECT ${month * idsOfMonth} + n, 'evt_0mi8k3abcdef12' || n, ${from} + (n * ${step}::float8)::bigint, 'chat_completion', m, 'vk_' || k, 'prj_' || k % 50,
      'cus_' || k % 5, '{"team":"a"}', CASE WHEN n % 50 = 0 THEN 500 ELSE 200 END, CASE WHEN n % 50 = 0 THEN 'upstream_error' ELSE 'ok' END,
      812, 0, split_part(m, '/', 1), m
    FROM (SELECT n, k, 'provider' || (k + n) % 4 || '/model-' || (k + n % 5) % 20 AS m
      FROM (SELECT n, floor(random() ^ 3 * ${keys})::int AS k FROM generate_series(0, ${count - 1}) AS n) AS r) AS r`;
}

const attemptsOf = (
  month: number,
) => `INSERT INTO ${schema}.attempt (request, number, at, provider, model, status, reason, latency, prompt_tokens,
    completion_tokens, cached_read_tokens, cached_write_tokens, reasoning_tokens, cost, items, price_version, is_estimated, is_unpriced)
  SELECT id, 0, at, provider, model, status, reason, 800, 1200, 300, 0, 0, 0, 6000000,
    '[["input_tokens",1200,2500000,3000000,"input_cost_per_token"],["output_tokens",300,10000000,3000000,"output_cost_per_token"]]',
    '2026-11-18', false, false
  FROM ${schema}.request WHERE id >= ${month * idsOfMonth} AND id < ${(month + 1) * idsOfMonth}`;

/** What each sum adds up to over the requests above, as the gateway sums them. */
const sums: Readonly<Record<string, string>> = {
  requests: "count(*)",
  failures: "count(*) FILTER (WHERE status >= 400)",
  attempts: "count(*)",
  prompt_tokens: "1200 * count(*)",
  completion_tokens: "300 * count(*)",
  cost: "6000000 * count(*)",
  latency: "sum(latency)",
};

/** Fills the tables of sums at once: a gateway would have done so in some hours. */
async function sumUp(month: number): Promise<void> {
  const periods = { hour: "(at / 3600000)::int", day: "(at / 86400000)::int", month: String(month) } as const;
  for (const { table, period, columns } of rollupTables)
    await run(`INSERT INTO ${schema}.${table} (${[period, ...columns, ...sumNames].join(", ")})
      SELECT ${[periods[period], ...columns, ...sumNames.map((name) => sums[name] ?? "0")].join(", ")}
      FROM ${schema}.request WHERE id >= ${month * idsOfMonth} AND id < ${(month + 1) * idsOfMonth}
      GROUP BY ${[periods[period] === String(month) ? "1" : periods[period], ...columns].join(", ")}`);
}

await store.ledger.prune({ before: 0 });
const first = Number((await run(`SELECT first_month FROM ${schema}.mark`)).first_month);
const began = performance.now();
for (let month = first; month < first + months; month++) {
  if (!(await enterMonth(database, month))) throw new Error("no gap to begin a month in");
  await run(requestsOf(month, Math.ceil(requests / months)));
  await run(attemptsOf(month));
  await run(`SELECT setval('${schema}.request_id', ${month * idsOfMonth + requests})`);
  await sumUp(month);
}
if (!(await enterMonth(database, first + months))) throw new Error("no gap to begin a month in");
for (const table of ["request", "attempt", ...rollupTables.map(({ table }) => table)])
  await run(`VACUUM ANALYZE ${schema}.${table}`);
console.log(
  `${requests.toLocaleString("en")} requests in ${months} months, filled in ${Math.round((performance.now() - began) / 1_000)} s`,
);

const sizeOf = (pattern: string) =>
  run(
    `SELECT sum(pg_total_relation_size(oid)) AS size FROM pg_class WHERE relnamespace = '${schema}'::regnamespace AND relkind = 'r' AND relname ~ '${pattern}'`,
  );
const size = [];
for (const [what, pattern] of [
  ["requests", "^request_"],
  ["attempts", "^attempt_"],
  ["sums", "^usage_"],
  ["of these the sums by hour", "^usage_.*_hour$"],
] as const)
  size.push({ what, value: mb((await sizeOf(pattern)).size) });
printTable("On disk, with indexes", size);

const hour = 3_600_000;
const [from, to] = [Date.UTC(1970, first + months - 1), Date.UTC(1970, first + months)];
const all = { from: Date.UTC(1970, first), to };
const last = { from, to };
const questions: readonly (readonly [what: string, question: UsageQuestion])[] = [
  ["CLI `usage`: the month", last],
  ["CLI `usage --by day`", { ...last, group_by: ["day"] }],
  ["CLI `usage --by model`", { ...last, group_by: ["model"] }],
  ["CLI `usage --by key`", { ...last, group_by: ["key_id"] }],
  ["CLI `usage --by key,model`", { ...last, group_by: ["key_id", "model"] }],
  ["CLI `usage --by month`, all months", { ...all, group_by: ["month"] }],
  ["CLI `usage --by status`, a day, from the rows", { from, to: from + 24 * hour, group_by: ["status"] }],
  ["CLI `usage --by tag`, a day, from the rows", { from, to: from + 24 * hour, group_by: ["metadata.team"] }],
  ["CLI `usage --by status`, the month, from the rows", { ...last, group_by: ["status"] }],
  ["portal: a customer by day and model", { ...last, group_by: ["day", "model"], filters: { customer_id: "cus_1" } }],
  ["portal: a project by day", { ...last, group_by: ["day"], filters: { project_id: "prj_7" } }],
  ["portal: a key by hour, a week", { from, to: from + 168 * hour, group_by: ["hour"], filters: { key_id: "vk_7" } }],
  ["console: by day and key", { ...last, group_by: ["day", "key_id"] }],
  ["console: by day and provider, all months", { ...all, group_by: ["day", "provider"] }],
  ["console: seven hours off, by key", { from: from + 7 * hour, to: to - 17 * hour, group_by: ["key_id"] }],
];

/** The 95th percentile of some rounds, after one that is not counted. */
async function p95(ask: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round <= 20; round++) {
    const started = performance.now();
    await ask();
    if (round > 0) times.push(performance.now() - started);
    if (round >= 3 && (times[0] ?? 0) > 5_000) break;
  }
  return times.toSorted((one, other) => one - other)[Math.ceil(times.length * 0.95) - 1] ?? 0;
}

const answers = [];
for (const [what, question] of questions)
  answers.push({ what, value: `${(await p95(() => store.ledger.query(question))).toFixed(1)} ms` });
for (const [what, filters] of [
  ["newest 50 requests", {}],
  ["newest 50 requests of a key", { key_id: "vk_7" }],
  ["newest 50 requests that failed", { status: 500 }],
  ["newest 50 requests of a project", { project_id: "prj_7" }],
] as const)
  answers.push({
    what: `portal, console: ${what}`,
    value: `${(await p95(() => store.ledger.entries({ limit: 50, filters }))).toFixed(1)} ms`,
  });
const ids = Array.from({ length: 100 }, (_, n) => `vk_${n}`);
answers.push({
  what: "portal: last use of 100 keys",
  value: `${(await p95(() => store.ledger.lastUsed(ids))).toFixed(1)} ms`,
});
printTable("Questions, p95", answers);

let most = 0;
const watch = setInterval(() => {
  most = Math.max(most, process.memoryUsage.rss());
}, 50);
const retention = [];
for (let gone = 1; gone <= Math.min(3, months - 1); gone++) {
  const started = performance.now();
  const removed = await store.ledger.prune({ before: Date.UTC(1970, first + gone) });
  const ms = performance.now() - started;
  retention.push({
    what: `a month of ${removed.toLocaleString("en")} requests, its sums by hour included`,
    value: `${Math.round(ms)} ms`,
  });
}
clearInterval(watch);
printTable("Retention", [...retention, { what: "RSS of this process, at most", value: mb(most) }]);
await store.close();
await server.stop();
