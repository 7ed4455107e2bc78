// What a ledger row costs, and how long questions about a month take.
//   node bench/ledger.ts [requests of the month, 200,000] [folder for the file]
import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sqliteStore } from "../adapters/stores/sqlite/index.ts";
import { judge, median, printTable } from "./table.ts";
import { append, askAll, monthLength } from "./traffic.ts";

const requests = Number(process.argv[2] ?? 200_000);
const folder = mkdtempSync(join(process.argv[3] ?? tmpdir(), "tollgate-bench-ledger-"));
process.once("exit", () => rmSync(folder, { recursive: true }));

/** Requests until V8 has compiled what a row needs: the first 100,000 cost up to twice as much. */
const warmUp = 120_000;
/** More rounds than neighbours of the machine disturb. */
const rounds = 9;
const warm = sqliteStore(join(folder, "warm.db"));
await append(warm, warmUp, { batch: 200, keys: 50, pace: 0.2 });
await warm.close();

const rows = [];
for (const [batch, keys] of [
  [200, 50],
  [50, 50],
  [10, 50],
  [1, 50],
  [200, 100_000],
] as const) {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const store = sqliteStore(join(folder, `rows-${batch}-${keys}-${round}.db`));
    await append(store, 10_000, { batch, keys, pace: 0.2 });
    times.push((await append(store, 30_000, { batch, keys, pace: 0.2 })) / 2);
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
const answers = await askAll(store);
await store.close();
const size = existsSync(path) ? `${Math.round(statSync(path).size / 1e6)} MB` : "";
printTable(
  `Questions about a month of ${requests.toLocaleString("en")} requests (${(2 * requests).toLocaleString("en")} rows, ${size})`,
  answers,
);
