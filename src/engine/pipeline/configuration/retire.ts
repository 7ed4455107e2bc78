import { warn } from "../../runtime/notify.ts";
import type { ClosablePart } from "../admin/close.ts";
import type { Ports } from "../runtime/ports.ts";

/** What a configuration used that the next one does not, until it is closed. */
export interface RetiredParts {
  /** Closes the parts now, or gives the promise of the closing that is under way; rejects with what the first failed with. */
  close(): Promise<void>;
}

/** Milliseconds between two looks at the calls that are left. */
const lookEveryMs = 1_000;

/**
 * Closes the providers, the transport and the cache that only the former ports have, once the calls that began with those are over. What
 * fails to close then is a process warning. `onClosed` is called in any case.
 */
export function retireParts(former: Ports, next: Ports, onClosed: () => void): RetiredParts {
  const used = new Set<ClosablePart | undefined>(partsOf(next));
  const parts = partsOf(former).filter((part) => part !== undefined && !used.has(part));
  const { calls, clock, accounting } = former;
  const { long } = accounting.timeouts;
  let left = parts.length === 0 ? [] : [...calls];
  let stopLooking = () => {};
  let closing: Promise<void> | undefined;
  const close = () => {
    stopLooking();
    closing ??= closeAll(parts.map((part) => long.wait(closePart(part), "provider"))).finally(onClosed);
    return closing;
  };
  const look = () => {
    const underWay = new Set(calls);
    left = left.filter((call) => underWay.has(call));
    if (left.length === 0) close().catch(warn);
    else stopLooking = clock.after(lookEveryMs, look);
  };
  look();
  return { close };
}

function partsOf({ providers, tools, transport, cache }: Ports): readonly (ClosablePart | undefined)[] {
  return [...providers.values(), ...tools.values(), transport, cache?.answers, cache?.semantic?.vectors];
}

async function closePart(part: ClosablePart | undefined): Promise<void> {
  await part?.close?.();
}

async function closeAll(closing: readonly Promise<void>[]): Promise<void> {
  for (const outcome of await Promise.allSettled(closing)) if (outcome.status === "rejected") throw outcome.reason;
}
