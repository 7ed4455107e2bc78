import { createEvents } from "./events.ts";
import { type CheckedOptions, type EngineOptions, readOptions, type World } from "./options.ts";
import { createAccessBook } from "./pipeline/access.ts";
import { createGovernance, type Governance } from "./pipeline/governance.ts";
import { createHealth } from "./pipeline/health.ts";
import { createLogprobsBook } from "./pipeline/logprobs.ts";
import type { Books, Ports, Underway } from "./pipeline/ports.ts";
import { recoverCounters } from "./pipeline/recovery.ts";
import { createRoster } from "./pipeline/roster.ts";

/** What an engine acts through, and the functions over its records. */
interface Assembled {
  readonly ports: Ports;
  readonly governance: Governance;
  readonly keyPrefix: string;
}

/** Checks the options and puts an engine's parts together: the options' where they say something, the world's where they do not. */
export function assemble(options: EngineOptions, world: World, isDraining: () => boolean): Assembled {
  const checked = readOptions(options);
  const ports = assemblePorts(options, world, { checked, isDraining });
  const { clock } = ports;
  const { entropy = world.entropy, store } = options;
  const { keyPrefix } = checked;
  return { ports, governance: createGovernance(ports, store, { clock, entropy, keyPrefix }), keyPrefix };
}

interface Given {
  readonly checked: CheckedOptions;
  readonly isDraining: () => boolean;
}

function assemblePorts(options: EngineOptions, world: World, { checked, isDraining }: Given): Ports {
  const { providers, timeouts, retry, circuit, keyPrefix } = checked;
  const { rules = [] } = options;
  const events = createEvents();
  return Object.freeze({
    providers,
    timeouts,
    retry,
    events,
    clock: options.clock ?? world.clock,
    random: options.random ?? world.random,
    ids: options.ids ?? world.ids,
    health: createHealth(events, circuit),
    logprobs: createLogprobsBook(),
    books: assembleBooks(options, world, keyPrefix),
    routing: Object.freeze({
      rules,
      order: options.order ?? "weight",
      isTimed: options.order === "latency" || rules.some(({ use }) => use.order === "latency"),
      asksBudget: rules.some(({ when }) => when?.budgetLeft !== undefined),
      recovery: options.recovery,
      hedge: options.hedge,
    }),
    calls: createRoster<Underway>(),
    isDraining,
  });
}

function assembleBooks(options: EngineOptions, world: World, keyPrefix: string): Books {
  const { store, requireKey = false, unpriced = "allow", clock = world.clock } = options;
  const counters = options.counters ?? world.counters();
  const books: Books = {
    access: store && createAccessBook(store, keyPrefix),
    ledger: store?.ledger,
    counters,
    recovered: undefined,
    prices: options.prices ?? world.prices(),
    tokens: options.tokens,
    isKeyRequired: requireKey,
    deniesUnpriced: unpriced === "deny",
  };
  if (store && books.access) {
    books.recovered = recoverCounters({ ledger: store.ledger, counters, access: books.access, clock });
    books.recovered.then(
      () => {
        books.recovered = undefined;
      },
      () => {}, // whoever comes with a key is told: the promise stays where it is
    );
  }
  return books;
}
