import type { Ledger, LedgerEntry } from "../../../src/engine/ports/ledger.ts";
import { entry, midnight } from "../../../src/testing/conformance/ledger/entries.ts";

/** Every id of the ledger that a page can reach, newest first. */
export async function readIds(ledger: Ledger): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let after: string | undefined; ; ) {
    const page = await ledger.entries({ limit: 1_000, ...(after !== undefined && { after }) });
    ids.push(...page.entries.map(({ id }) => id));
    if (page.next === undefined) return ids;
    after = page.next;
  }
}

/** Calls of several processes that go on until they are stopped; gives what was appended. */
export function keepCalling(ledgers: readonly Ledger[], at: (n: number) => number = () => midnight) {
  let isStopped = false;
  let count = 0;
  const appended: LedgerEntry[] = [];
  const calling = ledgers.map(async (ledger) => {
    while (!isStopped) {
      const number = count++;
      const each = entry({ id: `evt_${number}`, at: at(number), key_id: `vk_${number % 3}` });
      await ledger.append([each]);
      appended.push(each);
    }
  });
  return {
    count: () => count,
    async stop() {
      isStopped = true;
      await Promise.all(calling);
      return appended;
    },
  };
}
