// Whether looking up a key, and reading a page of keys, stays flat as keys are added.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { memoryStore } from "../adapters/stores/memory/index.ts";
import { sqliteStore } from "../adapters/stores/sqlite/index.ts";
import { hashKey } from "../src/engine/policy/key.ts";
import type { Records, StoredKey } from "../src/engine/ports/records.ts";
import type { Store } from "../src/engine/ports/store.ts";
import { judge, median, printTable } from "./table.ts";

const folder = mkdtempSync(join(tmpdir(), "tollgate-bench-records-"));
process.once("exit", () => rmSync(folder, { recursive: true }));

function makeKey(number: number): StoredKey {
  const at = new Date(Date.UTC(2026, 0, 1) + number).toISOString();
  const entry = {
    provider: "openai",
    weight: 1,
    allowed_models: ["*"],
    blocked_models: [],
    key_ids: ["*"],
    budgets: [],
    rate_limits: [],
  };
  return {
    id: `vk_${number}`,
    name: `key ${number}`,
    active: true,
    metadata: {},
    budgets: [{ max_limit: 10, reset_duration: "1M", calendar_aligned: true, enforcement: "hard" }],
    rate_limits: [],
    created_at: at,
    updated_at: at,
    last4: "abcd",
    hash: hashKey(`sk-tg-${number}`),
    provider_configs: [entry],
    user: `user ${number % 40}`,
  };
}

/** Microseconds of a call, in the middle of five rounds. */
async function measure(count: number, call: (round: number) => unknown): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < 5; round++) {
    const started = performance.now();
    for (let n = 0; n < count; n++) await call(round * count + n);
    times.push(((performance.now() - started) * 1_000) / count);
  }
  return median(times);
}

async function measureReading(records: Records, keys: number) {
  const hashes = Array.from({ length: 1_000 }, (_, n) => hashKey(`sk-tg-${(n * 7_919) % keys}`));
  const middle = (await records.list("key", { limit: Math.min(keys / 2, 1_000) })).next ?? "";
  return {
    find: await measure(1_000, (n) => records.findByHash("key", hashes[n % 1_000] ?? "")),
    page: await measure(50, () => records.list("key", { limit: 50, after: middle })),
    ofUser: await measure(50, () => records.list("key", { limit: 50, where: { user: "user 7" } })),
    stamp: await measure(1_000, () => records.stamp()),
  };
}

for (const [name, store] of [
  ["memory", memoryStore()],
  ["sqlite", sqliteStore(join(folder, "keys.db"))],
] as readonly [string, Store][]) {
  const { records } = store;
  let made = 0;
  const grow = async (keys: number) => {
    for (; made < keys; made++) await records.put("key", makeKey(made), 0);
    return measureReading(records, keys);
  };
  const few = await grow(2_000);
  const many = await grow(100_000);
  const rows = (["find", "page", "ofUser", "stamp"] as const).map((what) => {
    const ratio = many[what] / few[what];
    return {
      what,
      value: `${few[what].toFixed(1)} → ${many[what].toFixed(1)} µs`,
      ratio,
      goal: "1.5 / 3",
      verdict: judge(ratio, { goal: 1.5, floor: 3 }),
    };
  });
  printTable(`Keys in ${name}: 2,000 → 100,000`, rows);
  await store.close();
}
