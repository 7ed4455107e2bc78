/** Draws a whole number in [0, below). */
export type Draw = (below: number) => number;

/** A small linear congruential generator: the same seed gives the same walk everywhere. */
export function createDraw(seed: number): Draw {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** One of several. */
export function pick<Value>(draw: Draw, values: readonly Value[]): Value {
  return values[draw(values.length)] as Value;
}
