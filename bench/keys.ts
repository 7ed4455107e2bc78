// What a call with a virtual key costs as keys are added: one that is asked again and again, and ones that come for the first time.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sqliteStore } from "../adapters/stores/sqlite/index.ts";
import { createEngine } from "../src/index.ts";
import { answerOf, chatRequest } from "./request.ts";
import { judge, median, printTable } from "./table.ts";

const folder = mkdtempSync(join(tmpdir(), "tollgate-bench-keys-"));
process.once("exit", () => rmSync(folder, { recursive: true }));

const answer = answerOf("bench-model", 1);
const engine = createEngine({
  providers: [{ name: "bench", chat: async () => answer }],
  store: sqliteStore(join(folder, "keys.db")),
});
const values: string[] = [];

async function grow(count: number): Promise<void> {
  while (values.length < count) {
    const { value } = await engine.keys.create({
      name: `key ${values.length}`,
      provider_configs: [{ provider: "*", allowed_models: ["*"] }],
      budgets: [{ max_limit: 10, reset_duration: "1M" }],
    });
    values.push(value);
  }
}

/** CPU microseconds of a call, 50 at a time, in the middle of five rounds. */
async function measure(keyOf: (call: number) => string): Promise<number> {
  const times: number[] = [];
  let call = 0;
  for (let round = 0; round < 5; round++) {
    const before = process.cpuUsage();
    let left = 4_000;
    const lane = async () => {
      while (left-- > 0) await engine.chat(chatRequest, { key: keyOf(call++) });
    };
    await Promise.all(Array.from({ length: 50 }, lane));
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 4_000);
  }
  return median(times);
}

/** Far enough apart that a key that comes again is no longer kept ready, as long as there are more keys than that. */
const cold = (call: number) => values[(call * 7_919) % values.length] ?? "";
const hot = () => values[7] ?? "";

await grow(1_000);
await measure(hot); // warm-up
const few = { hot: await measure(hot), cold: await measure(cold) };
await grow(100_000);
const many = { hot: await measure(hot), cold: await measure(cold) };
printTable("Calls with a key (CPU µs), over a null provider, ledger in SQLite", [
  {
    what: "the same key, 1,000 → 100,000 in the store",
    value: `${few.hot.toFixed(1)} → ${many.hot.toFixed(1)}`,
    ratio: many.hot / few.hot,
    goal: "1.2 / 1.5",
    verdict: judge(many.hot / few.hot, { goal: 1.2, floor: 1.5 }),
  },
  {
    what: "every key in turn, all of them ready → read from the store",
    value: `${few.cold.toFixed(1)} → ${many.cold.toFixed(1)}`,
  },
]);
await engine.close();
