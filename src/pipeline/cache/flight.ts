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
  | { readonly kind: "failed"; readonly error: GatewayError };

/** A question under way, asked by one caller for all who ask the same. */
export interface Flight {
  /** Never rejects. */
  readonly landing: Promise<Landing>;
  /** Callers who wait or read, the one who asked among them. */
  readonly riders: number;
  /** The work has failed, whether or not anybody heard of it: nobody should join. */
  readonly hasFailed: boolean;
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

/** What a flight is opened with. */
export interface FlightPlan {
  readonly flights: Map<string, Flight>;
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
    get riders() {
      return riders;
    },
    get hasFailed() {
      return hasFailed();
    },
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
      if (flights.get(key) === flight) flights.delete(key);
    },
  };
  flights.set(key, flight);
  return flight;
}
