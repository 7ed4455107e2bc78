import type { SocketStep } from "../wire/step.ts";
import type { FaultRequest, WireDialect } from "../wire/wire.ts";

/** A request as a behaviour sees it. */
export interface FaultTurn extends FaultRequest {
  readonly dialect: WireDialect;
  /** The number behind `@` in the model's name. */
  readonly amount: number | undefined;
  /** How often this model has been primary, this time included. */
  readonly turn: number;
  /** Position of the request's credential among those that this model has seen; 0 is the first. */
  readonly credential: number;
  /** Milliseconds since this model was first asked. */
  readonly sinceFirst: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** How one model of the fault server behaves. Pure: the same turn always gives the same steps. */
export interface Behaviour {
  /** What it does, to complete "the provider …". */
  readonly does: string;
  /** The text of its answer when it gives a whole one; of a broken one what comes before the break. */
  readonly text: string;
  readonly act: (turn: FaultTurn) => readonly SocketStep[];
}
