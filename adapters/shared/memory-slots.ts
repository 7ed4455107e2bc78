import type { SlotLease, Slots } from "../../src/engine/ports/slots.ts";

/** Counts calls under way in the memory of this process. */
export function memorySlots(): Slots {
  /** By counter, when each lease expires. */
  const counters = new Map<string, Map<string, number>>();
  const free = ({ id, limits }: SlotLease): void => {
    for (const { counter } of limits) {
      const held = counters.get(counter);
      held?.delete(id);
      if (held?.size === 0) counters.delete(counter);
    }
  };
  return {
    acquire({ id, limits }, now, expiresAt) {
      for (const [position, { counter, limit }] of limits.entries()) {
        const held = counters.get(counter);
        if (!held || held.has(id) || held.size < limit) continue;
        for (const [other, expiry] of held) if (expiry <= now) held.delete(other);
        if (held.size >= limit) return position;
      }
      for (const { counter } of limits) {
        const held = counters.get(counter) ?? new Map<string, number>();
        counters.set(counter, held.set(id, expiresAt));
      }
      return undefined;
    },
    free,
  };
}
