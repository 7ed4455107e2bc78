import type { Concurrency } from "../../options.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Slots } from "../../ports/slots.ts";
import { createFairQueue, type FairQueue } from "../../runtime/queue/fair-queue.ts";
import { createLeases, type Leases } from "./leases.ts";

/** A place among the calls under way, until `leave` is called; later calls do nothing. */
export interface Place {
  leave(): void;
}

/** Bounds of calls under way. */
export interface CallAdmission {
  /** Of this process: fair between keys. */
  readonly queue: FairQueue;
  /** Of keys, projects and customers, in the counters; absent where those cannot count calls under way. */
  readonly leases: Leases | undefined;
}

interface AdmissionPorts {
  readonly clock: Clock;
  readonly slots: Slots | undefined;
}

/** An eighth of the process's calls is kept for keys with none under way. */
export function createAdmission(bounds: Concurrency, { clock, slots }: AdmissionPorts): CallAdmission {
  const { maxInFlight: capacity, maxWaiting, maxWaitMs } = bounds;
  const waiting = { maxWaiting, maxWaitMs, after: clock.after.bind(clock) };
  return {
    queue: createFairQueue({ capacity, reserve: Math.floor(capacity / 8), quantum: 1, ...waiting }),
    leases: slots && createLeases(slots, clock, waiting),
  };
}
