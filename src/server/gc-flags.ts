import { setFlagsFromString } from "node:v8";

/**
 * Makes V8 allocate every object in the young generation. After a first wave of a hundred concurrent requests V8 may otherwise pretenure
 * request objects, which then live until the next full collection (docs/performance.md). Only `serve` sets this flag; an embedding
 * process sets its own.
 */
export function setGcFlags(): void {
  setFlagsFromString("--no-allocation-site-pretenuring");
}
