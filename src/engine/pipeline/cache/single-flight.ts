import type { CacheDebug } from "../../api/common.ts";
import type { GatewayError } from "../../errors.ts";
import type { CachedAnswer } from "../../ports/answers.ts";
import type { SharedStream } from "./shared-stream.ts";

/** An answer without a request to a target. */
export interface Hit {
  readonly type: "direct" | "semantic";
  readonly answer: CachedAnswer;
  /** Names it for deletion; absent when it is shared but not stored. */
  readonly name: string | undefined;
  /** What is reported of a semantic hit in addition. */
  readonly facts?: Partial<CacheDebug> | undefined;
  /** Of a semantic hit: the question that has the answer, and the one that was asked. */
  readonly pair?: readonly [known: string, asked: string] | undefined;
}

/** The outcome of a question that several callers wait for. */
export type FlightOutcome =
  | { readonly kind: "given"; readonly hit: Hit }
  | { readonly kind: "live"; readonly stream: SharedStream }
  /** With the leader's key. */
  | { readonly kind: "failed"; readonly error: GatewayError; readonly keyId: string | undefined };

/** A request in flight, sent by one caller for all who ask the same. */
export interface InFlight {
  /** Never rejects. */
  readonly outcome: Promise<FlightOutcome>;
  /** Callers who wait or read, including the leader. */
  countCallers(): number;
  /** The work has failed, though perhaps unreported so far: no caller should join. */
  hasFailed(): boolean;
  join(): void;
  /** One caller leaves. The last one ends the work; true then. */
  leave(error: GatewayError): boolean;
}

/** A flight as its leader holds it. */
export interface LeaderFlight extends InFlight {
  resolve(outcome: FlightOutcome): void;
  /** Ends the time for joining. */
  close(): void;
}

/**
 * Flights under way. Behind the key is a slot that is emptied when the flight closes: under such traffic a `Map` throws its table away
 * every few requests, and the old tables would keep all that a flight holds alive (docs/performance.md).
 */
export type InFlightMap = Map<string, { inFlight: InFlight | undefined }>;

/** The settings of a flight. */
export interface InFlightOptions {
  readonly inFlight: InFlightMap;
  /** The same for questions that are the same in all that matters. */
  readonly key: string;
  /** Ends the work once no caller is left. */
  readonly abandon: (error: GatewayError) => void;
  readonly hasFailed: () => boolean;
}

/** Opens a flight with its leader in it; from now on, callers with the same key may join. */
export function openInFlight({ inFlight: map, key, abandon, hasFailed }: InFlightOptions): LeaderFlight {
  let callers = 1;
  let land: LeaderFlight["resolve"] = () => {};
  const outcome = new Promise<FlightOutcome>((resolve) => {
    land = resolve;
  });
  const inFlight: LeaderFlight = {
    outcome,
    resolve: land,
    // No getters: each would give every flight a hidden class of its own (docs/performance.md).
    countCallers: () => callers,
    hasFailed,
    join() {
      callers++;
    },
    leave(error) {
      if (--callers > 0) return false;
      inFlight.close();
      abandon(error);
      return true;
    },
    close() {
      slot.inFlight = undefined;
      if (map.get(key) === slot) map.delete(key);
    },
  };
  const slot: { inFlight: InFlight | undefined } = { inFlight };
  map.set(key, slot);
  return inFlight;
}
