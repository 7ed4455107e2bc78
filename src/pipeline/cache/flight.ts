import type { CacheDebug } from "../../api/common.ts";
import type { GatewayError } from "../../errors.ts";
import type { KeptAnswer } from "../../ports/answers.ts";
import type { SharedStream } from "./shared-stream.ts";

/** An answer that need not be asked for. */
export interface Hit {
  readonly type: "direct" | "semantic";
  readonly answer: KeptAnswer;
  /** By which it can be deleted; absent when it is shared but not kept. */
  readonly name: string | undefined;
  /** What is told of a similar question beside that. */
  readonly facts?: Partial<CacheDebug> | undefined;
}

/** What became of a question that several callers wait for. */
export type Landing =
  | { readonly kind: "given"; readonly hit: Hit }
  | { readonly kind: "live"; readonly stream: SharedStream }
  /** With the key of who asked. */
  | { readonly kind: "failed"; readonly error: GatewayError; readonly keyId: string | undefined };

/** A question under way, asked by one caller for all who ask the same. */
export interface Flight {
  /** Never rejects. */
  readonly landing: Promise<Landing>;
  /** Callers who wait or read, the one who asked among them. */
  countRiders(): number;
  /** The work has failed, whether or not anybody heard of it: nobody should join. */
  hasFailed(): boolean;
  board(): void;
  /** One caller goes. The last one to go ends the work; true then. */
  leave(error: GatewayError): boolean;
}

/** A flight as its leader holds it. */
export interface LedFlight extends Flight {
  land(landing: Landing): void;
  /** Nobody joins any more. */
  close(): void;
}

/**
 * Flights under way. Behind the key is a slot that is emptied when the flight closes: under such traffic a `Map` throws its table away
 * every few requests, and the old tables would keep all that a flight holds alive (docs/performance.md).
 */
export type Flights = Map<string, { flight: Flight | undefined }>;

/** What a flight is opened with. */
export interface FlightPlan {
  readonly flights: Flights;
  /** The same for questions that are the same in all that matters. */
  readonly key: string;
  /** Ends the work, which nobody waits for any more. */
  readonly abandon: (error: GatewayError) => void;
  readonly hasFailed: () => boolean;
}

/** Opens a flight with its leader on board; whoever looks for its key from now on may join. */
export function openFlight({ flights, key, abandon, hasFailed }: FlightPlan): LedFlight {
  let riders = 1;
  let land: LedFlight["land"] = () => {};
  const landing = new Promise<Landing>((resolve) => {
    land = resolve;
  });
  const flight: LedFlight = {
    landing,
    land,
    // No getters: each would give every flight a hidden class of its own (docs/performance.md).
    countRiders: () => riders,
    hasFailed,
    board() {
      riders++;
    },
    leave(error) {
      if (--riders > 0) return false;
      flight.close();
      abandon(error);
      return true;
    },
    close() {
      slot.flight = undefined;
      if (flights.get(key) === slot) flights.delete(key);
    },
  };
  const slot: { flight: Flight | undefined } = { flight };
  flights.set(key, slot);
  return flight;
}
