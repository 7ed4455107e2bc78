import { createEvents } from "../../events.ts";
import type { CheckedOptions, EngineOptions, World } from "../../options.ts";
import { openAccounting } from "../admin/open-accounting.ts";
import { createCalls } from "../admin/open-lost-calls.ts";
import type { ActiveSetWatcher } from "../runtime/active-set.ts";
import { createDecisionMemory } from "../runtime/decisions/memory.ts";
import type { SharedPorts } from "./configure-ports.ts";

interface AssemblyInput {
  readonly checked: CheckedOptions;
  readonly isDraining: () => boolean;
  readonly watcher: ActiveSetWatcher;
}

/** What all calls of an engine's life share: the options' where they say something, the world's where they do not. */
export function sharePorts(
  options: EngineOptions,
  world: World,
  { checked, isDraining, watcher }: AssemblyInput,
): SharedPorts {
  const { clock = world.clock, ids = world.ids, random = world.random } = options;
  return {
    ...{ clock, random, ids, isDraining },
    events: createEvents(),
    accounting: openAccounting(options, world, checked),
    decisions: createDecisionMemory(options.store?.records),
    toolRecords: options.store?.records,
    awaited: new Map(),
    calls: createCalls(watcher),
  };
}
