import type { EventMap } from "../../../src/engine/events.ts";
import type { Clock } from "../../../src/engine/ports/clock.ts";
import type { Ledger } from "../../../src/engine/ports/ledger.ts";
import type { Store } from "../../../src/engine/ports/store.ts";

/** What is asked of an engine to observe it; every `Engine` has it. */
export interface Observed {
  on<Name extends keyof EventMap>(name: Name, listener: (event: EventMap[Name]) => void): () => void;
  /** The targets that have failed, with the state of their circuits. */
  health(): readonly { readonly target: string; readonly state: string }[];
  /** Requests under way. */
  readonly inFlight: number;
  /** Those of virtual keys, by the key's id. */
  inFlightByKey(): ReadonlyMap<string, number>;
  /** What it depends on. */
  readiness(): Promise<{ readonly checks: Readonly<Record<string, ObservedCheck | undefined>> }>;
  readonly clock: Pick<Clock, "now">;
}

/** Whether something that calls depend on answers, and how long that took. */
interface ObservedCheck {
  readonly status: string;
  readonly milliseconds: number;
}

/** What is asked of an engine's store to observe it. */
export interface ObservedStore extends Pick<Store, "connections"> {
  readonly ledger: Pick<Ledger, "backlog">;
}
