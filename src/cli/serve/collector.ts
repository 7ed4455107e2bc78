import { setFlagsFromString } from "node:v8";

/**
 * Has V8 make every object where short-lived ones belong. From a first wave of a hundred requests, all of them alive, it may conclude that
 * objects of this kind live long, and then keeps each request until the next full collection (docs/performance.md). Only `serve` says so:
 * a process that embeds the engine has flags of its own.
 */
export function keepObjectsYoung(): void {
  setFlagsFromString("--no-allocation-site-pretenuring");
}
