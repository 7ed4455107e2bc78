import type { EngineOptions, World } from "../options.ts";
import { mintedHider } from "../policy/key.ts";
import { createAccessBook } from "./access.ts";
import { createPatience, longMs, sharing, shortMs } from "./patience.ts";
import type { Books } from "./ports.ts";
import { beginRecovery } from "./recovery.ts";

/** What an engine keeps money and keys with; the counters are set to what they held before the last stop. */
export function openBooks(options: EngineOptions, world: World, keyPrefix: string): Books {
  const { store, requireKey = false, unpriced = "allow", clock = world.clock } = options;
  const counters = options.counters ?? world.counters();
  const long = createPatience(clock, longMs);
  const books: Books = {
    access: store && createAccessBook(store, keyPrefix),
    ledger: store?.ledger,
    counters,
    recovered: undefined,
    prices: options.prices ?? world.prices(),
    tokens: options.tokens,
    hideKeys: mintedHider(keyPrefix),
    patience: { short: createPatience(clock, shortMs), long, rows: sharing(long) },
    isKeyRequired: requireKey,
    deniesUnpriced: unpriced === "deny",
  };
  if (store && books.access) {
    const remains = { ledger: store.ledger, counters, access: books.access, clock, patience: long };
    books.recovered = beginRecovery(remains, () => {
      books.recovered = undefined;
    });
  }
  return books;
}
