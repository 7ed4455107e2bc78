import { type EngineOptions, type ReconfigurableOptions, readOptions, type World } from "./options.ts";
import { createGovernance, type Governance } from "./pipeline/admin/governance.ts";
import type { LostCalls } from "./pipeline/admin/lost-calls.ts";
import { countByKey, openLostCalls } from "./pipeline/admin/open-lost-calls.ts";
import { configurePorts } from "./pipeline/configuration/configure-ports.ts";
import { sharePorts } from "./pipeline/configuration/share-ports.ts";
import type { Ports } from "./pipeline/runtime/ports.ts";
import { createReadiness, type Readiness } from "./pipeline/runtime/readiness.ts";

/** What an engine acts through, and the functions over its records. */
interface AssembledEngine {
  readonly ports: Ports;
  /** The ports of other options over the same keys, ledger, counters and calls. Throws `invalid_configuration`. */
  readonly configure: (options: ReconfigurableOptions, former: Ports) => Ports;
  readonly governance: Governance;
  /** What an engine says of itself. */
  readonly probes: {
    readonly readiness: () => Promise<Readiness>;
    /** Calls under way by the id of their key. */
    readonly inFlightByKey: () => ReadonlyMap<string, number>;
  };
  /** Absent without a store. */
  readonly lostCalls: LostCalls | undefined;
  readonly keyPrefix: string;
}

/**
 * Checks the options and puts an engine's parts together: the options' where they say something, the world's where they do not. `live`
 * gives the ports that new calls get.
 */
export function assemble(options: EngineOptions, world: World, state: EngineState): AssembledEngine {
  const checked = readOptions(options);
  let lostCalls: LostCalls | undefined;
  const watcher = { filled: () => lostCalls?.wake(), emptied: () => lostCalls?.rest() };
  const shared = sharePorts(options, world, { checked, isDraining: () => state.life.isClosing, watcher });
  const { openToolServer } = world;
  const ports = configurePorts(options, { checked, shared, openToolServer });
  const { clock } = ports;
  const { entropy = world.entropy, store } = options;
  const { keyPrefix } = checked;
  if (store) lostCalls = openLostCalls(ports, store);
  let { circuit } = checked;
  return {
    ...{ ports, lostCalls, keyPrefix },
    probes: {
      readiness: createReadiness(ports, store, () => state.life.isLeaving),
      inFlightByKey: () => countByKey(ports.calls),
    },
    governance: createGovernance(ports, store, { clock, entropy, keyPrefix, livePorts: state.livePorts }),
    configure(next, { health, tools }) {
      const checkedNext = readOptions(next);
      const configured = configurePorts(next, {
        checked: checkedNext,
        shared,
        openToolServer,
        former: { health, circuit, tools },
      });
      circuit = checkedNext.circuit;
      return configured;
    },
  };
}

/** What an engine is at the moment. */
interface EngineState {
  /** Whether its end is announced, and whether it has begun. */
  readonly life: { readonly isLeaving: boolean; readonly isClosing: boolean };
  readonly livePorts: () => Ports;
}
