import { createEvents } from "./events.ts";
import { type CheckedOptions, type EngineOptions, readOptions, type World } from "./options.ts";
import { openBooks } from "./pipeline/books.ts";
import { openCacheBook } from "./pipeline/cache/open.ts";
import { createGovernance, type Governance } from "./pipeline/governance.ts";
import { createHealth } from "./pipeline/health.ts";
import { createLogprobsBook } from "./pipeline/logprobs.ts";
import type { Ports, Underway } from "./pipeline/ports.ts";
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
    books: openBooks(options, world, keyPrefix),
    routing: Object.freeze({
      rules,
      order: options.order ?? "weight",
      isTimed: options.order === "latency" || rules.some(({ use }) => use.order === "latency"),
      asksBudget: rules.some(({ when }) => when?.budgetLeft !== undefined),
      recovery: options.recovery,
      hedge: options.hedge,
      hasStablePrompts: options.stablePrompts === true,
    }),
    cache: openCacheBook(options.cache, providers),
    calls: createRoster<Underway>(),
    isDraining,
  });
}
