// What a ledger row costs, and how long questions about a month take.
//   node bench/ledger.ts [requests of the month, 200,000] [folder for the file]
import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sqliteStore } from "../adapters/stores/sqlite/index.ts";
import type { Dimension, LedgerEntry, UsageFilters } from "../src/ports/ledger.ts";
import type { Store } from "../src/ports/store.ts";
import { cpuMicrosOf } from "./processes/spawn.ts";
import { judge, median, printTable } from "./table.ts";

const requests = Number(process.argv[2] ?? 200_000);
const folder = mkdtempSync(join(process.argv[3] ?? tmpdir(), "tollgate-bench-ledger-"));
process.once("exit", () => rmSync(folder, { recursive: true }));

const month = Date.UTC(2026, 9, 1);
const monthLength = 31 * 86_400_000;
const hour = 3_600_000;
const models = Array.from({ length: 20 }, (_, n) => `provider${n % 4}/model-${n}`);
const item = {
  unit: "input_tokens",
  quantity: 1_200,
  rate: 2_500_000,
  amount: 3_000_000,
  basis: "input_cost_per_token",
};
const items = [item, { ...item, unit: "output_tokens", basis: "output_cost_per_token" }];
const standings = Array.from({ length: 6 }, (_, n) => ({
  counter: `key/vk_1/cost/1M/${n}`,
  start: month,
  end: month + monthLength,
  used: 5,
}));

let state = 1;
/** The same draws in every run. */
function draw(below: number): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return Math.floor((state / 2 ** 32) * below);
}

/** How requests come: so many per turn of the event loop, from so many keys, at such a pace. */
interface Traffic {
  readonly batch: number;
  readonly keys: number;
  /** Milliseconds between two requests. */
  readonly pace: number;
}

/** The `number`-th request of the month; few of the keys ask most, each five of the models. */
function makeEntry(number: number, { keys, pace }: Traffic): LedgerEntry {
  const at = month + Math.floor(number * pace);
  const key = Math.floor((draw(10_000) / 10_000) ** 2 * keys);
  const model = models[(key + draw(5)) % models.length] ?? "";
  const attempt = {
    at,
    provider: model.slice(0, model.indexOf("/")),
    model,
    status: 200,
    reason: "ok" as const,
    latency: 800,
    prompt_tokens: 1_200,
    completion_tokens: 300,
    cached_read_tokens: 0,
    cached_write_tokens: 0,
    reasoning_tokens: 0,
    cost: 6_000_000,
    items,
    price_version: "2026-11-18",
    is_estimated: false,
    is_unpriced: false,
  };
  return {
    id: `evt_0mi8k3abcdef12${number}`,
    at,
    request_type: "chat_completion",
    model_requested: model,
    key_id: `vk_${key}`,
    project_id: `prj_${key % 50}`,
    customer_id: `cus_${key % 5}`,
    metadata: { team: "a" },
    status: 200,
    reason: "ok",
    latency: 812,
    saved: 0,
    attempts: [attempt],
  };
}

/** Appends a number of requests; microseconds of this process's processor for each. */
async function append(store: Store, count: number, traffic: Traffic): Promise<number> {
  const before = cpuMicrosOf(process.pid);
  for (let done = 0; done < count; done += traffic.batch) {
    let written: Promise<void> | undefined;
    for (let n = 0; n < traffic.batch; n++) written = store.ledger.append([makeEntry(done + n, traffic)], standings);
    await written;
  }
  return (cpuMicrosOf(process.pid) - before) / count;
}

const rows = [];
for (const [batch, keys] of [
  [200, 50],
  [50, 50],
  [10, 50],
  [1, 50],
  [200, 100_000],
] as const) {
  const times: number[] = [];
  for (let round = 0; round < 5; round++) {
    const store = sqliteStore(join(folder, `rows-${batch}-${keys}-${round}.db`));
    await append(store, 20_000, { batch, keys, pace: 0.2 });
    times.push((await append(store, 40_000, { batch, keys, pace: 0.2 })) / 2);
    await store.close();
  }
  const each = median(times);
  const judged = batch === 200 && keys === 50 ? { goal: "3 / 6", verdict: judge(each, { goal: 3, floor: 6 }) } : {};
  rows.push({ what: `${batch} requests a turn, ${keys} keys`, value: `${each.toFixed(2)} µs`, ...judged });
}
printTable("A ledger row (a request is two), CPU", rows);

const path = join(folder, "month.db");
const store = sqliteStore(path);
await append(store, requests, { batch: 500, keys: 1_000, pace: monthLength / requests });
const whole = { from: month, to: month + monthLength };
const questions: readonly (readonly [
  what: string,
  group_by: readonly Dimension[],
  filters?: UsageFilters,
  span?: typeof whole,
])[] = [
  ["the total", []],
  ["by day", ["day"]],
  ["by model", ["model"]],
  ["by key", ["key_id"]],
  ["by day and project", ["day", "project_id"]],
  ["by key and model", ["key_id", "model"]],
  ["one key by day and model", ["day", "model"], { key_id: "vk_7" }],
  ["one customer by day and model", ["day", "model"], { customer_id: "cus_1" }],
  ["by day, from noon to noon", ["day"], {}, { from: month + 12 * hour, to: whole.to - 12 * hour }],
  ["by key and model, seven hours later", ["key_id", "model"], {}, { from: month + 7 * hour, to: whole.to + 7 * hour }],
  ["one key by tag, from the rows", ["metadata.team"], { key_id: "vk_7" }],
  ["all by tag, from the rows", ["metadata.team"]],
];
const answers = [];
for (const [what, group_by, filters = {}, span = whole] of questions) {
  const times: number[] = [];
  for (let round = 0; round < 3; round++) {
    const started = performance.now();
    await store.ledger.query({ ...span, group_by, filters });
    times.push(performance.now() - started);
  }
  const ms = median(times);
  const isSummed = !what.endsWith("from the rows");
  const judged = isSummed ? { goal: "100 / 100", verdict: judge(ms, { goal: 100, floor: 100 }) } : {};
  answers.push({ what, value: `${ms.toFixed(1)} ms`, ...judged });
}
const started = performance.now();
await store.ledger.entries({ limit: 50, filters: { key_id: "vk_999" } });
answers.push({ what: "the newest 50 entries of a key", value: `${(performance.now() - started).toFixed(1)} ms` });
await store.close();
const size = existsSync(path) ? `${Math.round(statSync(path).size / 1e6)} MB` : "";
printTable(
  `Questions about a month of ${requests.toLocaleString("en")} requests (${(2 * requests).toLocaleString("en")} rows, ${size})`,
  answers,
);
