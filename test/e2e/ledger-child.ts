// Appends to a ledger as fast as it can and tells its parent, on standard output, what it was promised. Killed by the parent.
import { sqliteStore } from "../../adapters/stores/sqlite/index.ts";
import type { CounterValue } from "../../src/engine/ports/counters.ts";
import { anAttempt, anEntryOf } from "../adapters/support/entries.ts";

const [path = "", life = ""] = process.argv.slice(2);
const store = sqliteStore(path, { rollEvery: 50 });
const { counterValues: standings, entries } = await store.ledger.recover(0);
/** Counts what was settled, life after life, as the counters of a gateway do. */
const count = {
  counter: "all",
  start: 0,
  end: 1e15,
  used: (standings[0]?.used ?? 0) + entries.length,
} satisfies CounterValue;
await store.ledger.append([], [count]);
let made = 0;

/** One of 200 callers: its next request only once the last one was promised. */
async function call(caller: number): Promise<void> {
  for (;;) {
    const id = `${life}-${caller}-${made++}`;
    count.used++;
    await store.ledger.append([anEntryOf({ id, key_id: `vk_${caller % 7}`, attempts: [anAttempt()] })], [count]);
    process.stdout.write(`${id}\n`);
    await new Promise((resolve) => setTimeout(resolve, caller % 5));
  }
}

await Promise.all(Array.from({ length: 200 }, (_, caller) => call(caller)));
