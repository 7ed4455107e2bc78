import { expectLatency, type Latency } from "./latency.ts";
import { orderByWeight, type Weighted } from "./spread.ts";

/** How candidates are put in order: as the request and the plan list them, by weighted draw, cheapest first, or fastest first. */
export type Order = "given" | "weight" | "price" | "latency";

/** What of a candidate its place depends on. */
export interface Candidate extends Weighted {
  /** Any measure that compares the candidates' prices, e.g. the estimated nano-dollars of this request; absent when unknown. */
  readonly price?: number | undefined;
  readonly latency?: Latency | undefined;
}

/** Chance and time, as far as an order needs them. */
export interface OrderMoment {
  /** A draw in [0, 1). */
  readonly draw: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

type Orderer = <C extends Candidate>(candidates: readonly C[], moment: OrderMoment) => readonly C[];

const orderers: Readonly<Record<Order, Orderer>> = {
  given: (candidates) => candidates,
  weight: (candidates, { draw }) => orderByWeight(candidates, draw),
  // An unknown price is not a low one.
  price: (candidates) => sortBy(candidates, ({ price }) => price ?? Number.POSITIVE_INFINITY),
  latency: (candidates, { now }) => sortBy(candidates, ({ latency }) => expectLatency(latency, now)),
};

/** All candidates in the order to ask them; equals stay as they are listed. */
export function orderCandidates<C extends Candidate>(
  candidates: readonly C[],
  order: Order,
  moment: OrderMoment,
): readonly C[] {
  return orderers[order](candidates, moment);
}

function sortBy<C>(candidates: readonly C[], measure: (candidate: C) => number): readonly C[] {
  const measured = candidates.map((candidate) => ({ candidate, size: measure(candidate) }));
  measured.sort((one, other) => (one.size === other.size ? 0 : one.size - other.size));
  return measured.map(({ candidate }) => candidate);
}
