import type { Dimension, LedgerEntry, UsageFilters } from "../src/engine/ports/ledger.ts";
import type { Store } from "../src/engine/ports/store.ts";
import { cpuMicrosOf } from "./processes/spawn.ts";
import { judge, median, type Row } from "./table.ts";

export const month = Date.UTC(2026, 9, 1);
export const monthLength = 31 * 86_400_000;
const hour = 3_600_000;
const models = Array.from({ length: 20 }, (_, n) => `provider${n % 4}/model-${n}`);
const item = {
  unit: "input_tokens",
  quantity: 1_200,
  rate: 2_500_000,
  amount: 3_000_000,
  basis: "input_cost_per_token",
};
const output = { unit: "output_tokens", quantity: 300, rate: 10_000_000, basis: "output_cost_per_token" };
const items = [item, { ...item, ...output }];
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
export interface Traffic {
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
    saved_prompt_tokens: 0,
    saved_completion_tokens: 0,
    attempts: [attempt],
  };
}

/** Appends a number of requests; microseconds of this process's processor for each. */
export async function append(store: Store, count: number, traffic: Traffic): Promise<number> {
  const before = cpuMicrosOf(process.pid);
  for (let done = 0; done < count; done += traffic.batch) {
    let written: Promise<void> | undefined;
    for (let n = 0; n < traffic.batch; n++) written = store.ledger.append([makeEntry(done + n, traffic)], standings);
    await written;
  }
  return (cpuMicrosOf(process.pid) - before) / count;
}

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

/** How long a store takes for each of the questions about the month; all that is summed in advance has a goal of 100 ms. */
export async function askAll(store: Store): Promise<Row[]> {
  const answers: Row[] = [];
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
  return answers;
}
