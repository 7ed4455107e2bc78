import type { EventMap } from "../../../src/events.ts";
import type { Clock } from "../../../src/ports/clock.ts";

/** What is asked of an engine to observe it; every `Engine` has it. */
export interface Observed {
  on<Name extends keyof EventMap>(name: Name, listener: (event: EventMap[Name]) => void): () => void;
  /** The targets that have failed, with the state of their circuits. */
  health(): readonly { readonly target: string; readonly state: string }[];
  /** Requests under way. */
  readonly inFlight: number;
  readonly clock: Pick<Clock, "now">;
}
