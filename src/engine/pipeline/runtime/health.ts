import { type Events, emit } from "../../events.ts";
import {
  admitCircuit,
  type Circuit,
  type CircuitOutcome,
  type CircuitPass,
  type CircuitRules,
  type CircuitView,
  describeCircuit,
  newCircuit,
  recordCircuit,
} from "../../routing/circuit.ts";
import { type Latency, measureLatency } from "../../routing/latency.ts";
import { createBoundedCache } from "../../runtime/bounded-cache.ts";

/** Targets that are remembered; callers choose the model's part of their names, so their number is unbounded. */
const rememberedTargets = 10_000;

/** The health of one target, for operators. */
export interface TargetHealth extends CircuitView {
  /** `provider/model`. */
  readonly target: string;
}

/** Permission to ask a target: a pass of its circuit, or none when it has never failed. */
export type TargetPass = { readonly name: string; readonly pass: CircuitPass | undefined };

/** Observations of targets and credentials, shared by all requests of an engine. */
export interface Health {
  /** Permission to ask a target now; `undefined` while its circuit is open. `until` is the caller's deadline. */
  pass(name: string, now: number, until: number): TargetPass | undefined;
  /** Records the outcome. */
  record(leave: TargetPass, outcome: CircuitOutcome, now: number): void;
  /** Milliseconds until an open circuit may let a request through. */
  retryAfterOf(name: string, now: number): number;
  measure(name: string, ms: number, now: number): void;
  latencyOf(name: string): Latency | undefined;
  /** Pauses a credential until then: it answered 429. Only for one target: vendors count by model, others may have room. */
  pause(name: string, credential: string, until: number): void;
  pausedOf(name: string): ReadonlyMap<string, number> | undefined;
  /** All targets that ever failed, with their circuits. */
  list(now: number): readonly TargetHealth[];
}

/** Without observations: everything counts as healthy. A circuit begins with a target's first failure. */
export function createHealth(events: Events, rules: CircuitRules): Health {
  const circuits = createBoundedCache<Circuit>(rememberedTargets);
  const latencies = createBoundedCache<Latency>(rememberedTargets);
  const resting = createBoundedCache<Map<string, number>>(rememberedTargets);
  const record = (name: string, pass: CircuitPass, { outcome, now }: { outcome: CircuitOutcome; now: number }) => {
    const change = recordCircuit(pass, outcome, now);
    if (change) emit(events, "circuit", () => ({ target: name, state: change === "opened" ? "open" : "closed" }));
  };
  return {
    pass(name, now, until) {
      const circuit = circuits.get(name);
      if (!circuit) return { name, pass: undefined };
      const pass = admitCircuit(circuit, now, until);
      return pass && { name, pass };
    },
    record({ name, pass: reservation }, outcome, now) {
      if (reservation) return record(name, reservation, { outcome, now });
      if (outcome !== "failure") return;
      const circuit = circuits.get(name) ?? newCircuit(rules);
      circuits.set(name, circuit);
      if (circuit.state === "closed" && circuit.current) record(name, circuit.current, { outcome, now });
    },
    retryAfterOf(name, now) {
      const circuit = circuits.get(name);
      return circuit ? describeCircuit(circuit, now).retryAfterMs : 0;
    },
    measure: (name, ms, now) => latencies.set(name, measureLatency(latencies.get(name), ms, now)),
    latencyOf: (name) => latencies.get(name),
    pause(name, credential, until) {
      const known = resting.get(name) ?? new Map<string, number>();
      resting.set(name, known.set(credential, until));
    },
    pausedOf: (name) => resting.get(name),
    list: (now) => circuits.entries().map(([target, circuit]) => ({ target, ...describeCircuit(circuit, now) })),
  };
}
