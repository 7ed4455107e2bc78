import { createEvents } from "./events.ts";
import { type CheckedOptions, type EngineOptions, readOptions, type World } from "./options.ts";
import { createGovernance, type Governance } from "./pipeline/admin/governance.ts";
import { openAccounting } from "./pipeline/admin/open-accounting.ts";
import { openAnswerCache } from "./pipeline/cache/open.ts";
import { createActiveSet } from "./pipeline/runtime/active-set.ts";
import { createHealth } from "./pipeline/runtime/health.ts";
import { createModelKnowledge } from "./pipeline/runtime/model-knowledge.ts";
import type { CancellableCall, Ports } from "./pipeline/runtime/ports.ts";

/** What an engine acts through, and the functions over its records. */
interface AssembledEngine {
  readonly ports: Ports;
  readonly governance: Governance;
  readonly keyPrefix: string;
}

/** Checks the options and puts an engine's parts together: the options' where they say something, the world's where they do not. */
export function assemble(options: EngineOptions, world: World, isDraining: () => boolean): AssembledEngine {
  const checked = readOptions(options);
  const ports = assemblePorts(options, world, { checked, isDraining });
  const { clock } = ports;
  const { entropy = world.entropy, store } = options;
  const { keyPrefix } = checked;
  return { ports, governance: createGovernance(ports, store, { clock, entropy, keyPrefix }), keyPrefix };
}

interface AssemblyInput {
  readonly checked: CheckedOptions;
  readonly isDraining: () => boolean;
}

function assemblePorts(options: EngineOptions, world: World, { checked, isDraining }: AssemblyInput): Ports {
  const { providers, timeouts, retry, circuit } = checked;
  const { rules = [] } = options;
  const events = createEvents();
  const { clock = world.clock, ids = world.ids } = options;
  return Object.freeze({
    providers,
    timeouts,
    limitsFirstContent: options.timeouts?.firstContent !== undefined,
    retry,
    events,
    clock,
    random: options.random ?? world.random,
    ids,
    health: createHealth(events, circuit),
    ...createModelKnowledge({ clock, ids, timeouts }),
    accounting: openAccounting(options, world, checked),
    routing: Object.freeze({
      rules,
      order: options.order ?? "weight",
      isTimed: options.order === "latency" || rules.some(({ use }) => use.order === "latency"),
      asksBudget: rules.some(({ when }) => when?.budgetLeft !== undefined),
      recovery: options.recovery,
      hedge: options.hedge,
      hasStablePrompts: options.stablePrompts === true,
    }),
    cache: openAnswerCache(options.cache, providers),
    calls: createActiveSet<CancellableCall>(),
    isDraining,
  });
}
