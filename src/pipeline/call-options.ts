import type { CacheWish } from "../cache/terms.ts";
import type { Hedge, Recovery } from "../options.ts";
import type { RateStanding } from "../policy/reservation.ts";
import { type Checks, callable, checkOptions, flag, having, object, oneOf, text } from "../ports/checks.ts";
import type { Abortable, Timeouts } from "../ports.ts";

/** What a caller may say beside the request. */
export interface CallOptions {
  /** The virtual key that the call is made with; without one it is the trusted caller's own. */
  readonly key?: string | undefined;
  /** An `AbortSignal`: aborting it ends the call, and the provider's work, at once. */
  readonly signal?: Abortable | undefined;
  /** Puts the bodies exchanged with the provider into `extra_fields.raw_request` and `raw_response`. */
  readonly raw?: boolean | undefined;
  /** The request's id in events, errors and logs; made by the engine when absent. */
  readonly eventId?: string | undefined;
  /** Calls of one session go to the same credential of a provider while it can answer. */
  readonly session?: string | undefined;
  /** Deadlines of this call, in milliseconds; the rest are the key's, the provider's and the engine's, in this order. */
  readonly timeouts?: Partial<Timeouts> | undefined;
  /** What becomes of a stream that breaks after its first content; by default it is resumed when the request has fallbacks. */
  readonly recovery?: Recovery | undefined;
  /** Asks the next candidate too when the first has sent nothing after so long. */
  readonly hedge?: Hedge | undefined;
  /** What the cache may do for this call; it may be stricter than the engine's options, never laxer. */
  readonly cache?: CacheWish | undefined;
  /** Told where the key stands in its windows, as soon as that is known, also when a window refuses the call. */
  readonly onRates?: ((rates: Rates) => void) | undefined;
}

/** The tightest request window and the tightest token window of a key; absent where it has none, or another one refused. */
export interface Rates {
  /** When that was, in milliseconds since the epoch. */
  readonly at: number;
  readonly requests: RateStanding | undefined;
  readonly tokens: RateStanding | undefined;
}

const checks: Checks<CallOptions> = {
  key: text,
  eventId: text,
  session: text,
  raw: flag,
  cache: object,
  timeouts: object,
  recovery: oneOf("resume", "error"),
  hedge: [(hedge) => ((hedge as Hedge | null)?.after_ms ?? 0) > 0, "an object whose `after_ms` is above 0"],
  signal: having("addEventListener", "an `AbortSignal`"),
  onRates: callable,
};

/** Throws `invalid_request` for what is no option of a call; `cache` and `timeouts` are looked into where they are used. */
export function checkCallOptions(options: CallOptions): void {
  checkOptions(options, checks, { of: "a call", code: "invalid_request" });
}
