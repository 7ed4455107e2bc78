import type { CheckedOptions, EngineOptions, World } from "../../options.ts";
import { mintedHider } from "../../policy/key.ts";
import { createIdentify } from "../../routing/model-identity.ts";
import { createAdmission } from "../runtime/admission.ts";
import { sealOfStore } from "../runtime/held/seal-secret.ts";
import { createPortTimeout, optionalPortMs, requiredPortMs, sharedTimeout } from "../runtime/port-timeout.ts";
import type { Accounting } from "../runtime/ports.ts";
import { beginRecovery } from "./counter-recovery.ts";
import { createCounterSource } from "./counter-source.ts";
import { createKeyAccess } from "./key-access.ts";

/** Targets that are remembered for their long answers. */
const mostOverrun = 10_000;

/** The keys, ledger and counters of an engine; the counters are set to what they held before the last stop. */
export function openAccounting(
  options: EngineOptions,
  world: World,
  { keyPrefix, concurrency, knownKeysMs }: Pick<CheckedOptions, "keyPrefix" | "concurrency" | "knownKeysMs">,
): Accounting {
  const { store, requireKey = false, clock = world.clock, entropy = world.entropy } = options;
  const overrun = new Set<string>();
  const counters = options.counters ?? world.counters();
  const long = createPortTimeout(clock, requiredPortMs);
  const short = createPortTimeout(clock, optionalPortMs);
  const whileAway = knownKeysMs === undefined ? undefined : { knownMs: knownKeysMs, timeouts: short };
  const prices = options.prices ?? world.prices();
  const identify = createIdentify(({ provider, model }) => prices.find(provider, model, clock.now())?.model);
  const accounting: Accounting = {
    keys: store && createKeyAccess(store, { prefix: keyPrefix, identify, whileAway }),
    ledger: store?.ledger,
    counters,
    admission: createAdmission(concurrency, { clock, slots: counters.slots }),
    recovered: undefined,
    prices,
    identify,
    tokens: options.tokens,
    hideKeys: mintedHider(keyPrefix),
    timeouts: { short, long, rows: sharedTimeout(long) },
    isKeyRequired: requireKey,
    isStoreOptional: whileAway !== undefined,
    sealOfIds: store && sealOfStore({ records: store.records, clock, entropy, timeouts: long }),
    overran: (target) => overrun.has(target),
    noteOverrun: (target) => {
      if (overrun.size < mostOverrun) overrun.add(target);
    },
  };
  if (store) counters.rebuildFrom?.(createCounterSource(store.ledger, identify));
  if (store && accounting.keys) {
    const remains = {
      ledger: store.ledger,
      prepare: store.prepare,
      counters,
      access: accounting.keys,
      clock,
      timeouts: long,
    };
    accounting.recovered = beginRecovery(remains, () => {
      accounting.recovered = undefined;
    });
  }
  return accounting;
}
