import type { CounterReservation, Counters, CounterValue, Settlement } from "../../engine/ports/counters.ts";
import type { StoreClient } from "./client.ts";

/**
 * Counters that the supervisor has. Only `reserve`, `read` and `acquire` wait for its answer: whether a reservation is open is known here,
 * because its worker alone ends it. Settlements give no values: the supervisor hands them to the ledger with the entries that follow in the
 * same turn. `restores` is for the worker that starts alone, until it has restored them; from then on others count too.
 */
export function clientCounters(client: StoreClient, restores: boolean): Counters {
  const ended = new WeakSet<CounterReservation>();
  let restore = restores
    ? async (values: readonly CounterValue[], now: number): Promise<void> => {
        await client.ask("restore", values, now);
        restore = undefined;
      }
    : undefined;
  const end = (reservation: CounterReservation): boolean => {
    if (ended.has(reservation)) return false;
    ended.add(reservation);
    return true;
  };
  return {
    reserve: (call) => client.ask("reserve", call),
    settle(reservation, real, now) {
      const settlement: Settlement = { isFirst: end(reservation), values: [] };
      if (settlement.isFirst) client.send("settle", reservation.id, real, now);
      return settlement;
    },
    reduce(reservation, real, now) {
      if (ended.has(reservation)) return false;
      client.send("reduce", reservation.id, real, now);
      return true;
    },
    release(reservation, now) {
      if (!end(reservation)) return false;
      client.send("release", reservation.id, now);
      return true;
    },
    read: (counters, now) => client.ask("read", counters, now),
    get restore() {
      return restore;
    },
    slots: {
      acquire: (lease, now, expiresAt) => client.ask("acquire", lease, now, expiresAt),
      free: (lease) => client.send("free", lease),
    },
  };
}
