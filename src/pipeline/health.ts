import { LRUCache } from "lru-cache";
import { announce, type Events } from "../events.ts";
import {
  admitCircuit,
  type Circuit,
  type CircuitOutcome,
  type CircuitRules,
  type CircuitView,
  describeCircuit,
  newCircuit,
  recordCircuit,
  type Ticket,
} from "../route/circuit.ts";
import { type Latency, measureLatency } from "../route/latency.ts";

/** Targets that are remembered; the model's part of their names is the callers', so that there is no end to them. */
const remembered = 10_000;

/** How one target fares, for operators. */
export interface TargetHealth extends CircuitView {
  /** `provider/model`. */
  readonly target: string;
}

/** Leave to ask a target: a ticket of its circuit, or none when it has never failed. */
export type Leave = { readonly name: string; readonly ticket: Ticket | undefined };

/** What was seen of targets and credentials so far, shared by all requests of an engine. */
export interface Health {
  /** Leave to ask a target now; `undefined` while its circuit is open. `until` is the asker's deadline. */
  ask(name: string, now: number, until: number): Leave | undefined;
  /** Takes in what became of it. */
  tell(leave: Leave, outcome: CircuitOutcome, now: number): void;
  /** Milliseconds until an open circuit may let a request through. */
  waitOf(name: string, now: number): number;
  measure(name: string, ms: number, now: number): void;
  latencyOf(name: string): Latency | undefined;
  /** Leaves a credential alone until then: it answered 429. Of one target only: vendors count by model, others may have room. */
  rest(name: string, credential: string, until: number): void;
  restingOf(name: string): ReadonlyMap<string, number> | undefined;
  /** All targets that ever failed, with their circuits. */
  list(now: number): readonly TargetHealth[];
}

/** What is known by target. */
interface Memory<Value> {
  get(name: string): Value | undefined;
  set(name: string, value: Value): void;
  entries(): [string, Value][];
}

/** A bounded memory that takes room only once it has something to remember. */
function remember<Value extends object>(): Memory<Value> {
  let cache: LRUCache<string, Value> | undefined;
  return {
    get: (name) => cache?.get(name),
    set(name, value) {
      cache ??= new LRUCache({ max: remembered });
      cache.set(name, value);
    },
    entries: () => (cache ? [...cache.entries()] : []),
  };
}

/** Fresh: everything counts as healthy. A circuit begins with a target's first failure. */
export function createHealth(events: Events, rules: CircuitRules): Health {
  const circuits = remember<Circuit>();
  const latencies = remember<Latency>();
  const resting = remember<Map<string, number>>();
  const record = (name: string, ticket: Ticket, { outcome, now }: { outcome: CircuitOutcome; now: number }) => {
    const change = recordCircuit(ticket, outcome, now);
    if (change) announce(events, "circuit", () => ({ target: name, state: change === "opened" ? "open" : "closed" }));
  };
  return {
    ask(name, now, until) {
      const circuit = circuits.get(name);
      if (!circuit) return { name, ticket: undefined };
      const ticket = admitCircuit(circuit, now, until);
      return ticket && { name, ticket };
    },
    tell({ name, ticket }, outcome, now) {
      if (ticket) return record(name, ticket, { outcome, now });
      if (outcome !== "failure") return;
      const circuit = circuits.get(name) ?? newCircuit(rules);
      circuits.set(name, circuit);
      if (circuit.state === "closed" && circuit.current) record(name, circuit.current, { outcome, now });
    },
    waitOf(name, now) {
      const circuit = circuits.get(name);
      return circuit ? describeCircuit(circuit, now).retryAfterMs : 0;
    },
    measure: (name, ms, now) => latencies.set(name, measureLatency(latencies.get(name), ms, now)),
    latencyOf: (name) => latencies.get(name),
    rest(name, credential, until) {
      const known = resting.get(name) ?? new Map<string, number>();
      resting.set(name, known.set(credential, until));
    },
    restingOf: (name) => resting.get(name),
    list: (now) => circuits.entries().map(([target, circuit]) => ({ target, ...describeCircuit(circuit, now) })),
  };
}
