import type { GatewayError } from "../errors.ts";
import type { Events } from "../events.ts";
import type { Hedge, Recovery } from "../options.ts";
import type { Access } from "../policy/access.ts";
import type { Counters, Ticket } from "../ports/counters.ts";
import type { Ledger, LedgerEntry } from "../ports/ledger.ts";
import type { MaybePromise } from "../ports/maybe-promise.ts";
import type { Clock, Ids, Prices, Provider, Random, Timeouts, Tokens } from "../ports.ts";
import type { Order } from "../route/order.ts";
import type { RouteRule } from "../route/rules.ts";
import type { RetryPolicy } from "../route/verdict.ts";
import type { CacheBook } from "./cache/book.ts";
import type { Health } from "./health.ts";
import type { LogprobsBook } from "./logprobs.ts";
import type { Patience } from "./patience.ts";
import type { Enrolled, Roster } from "./roster.ts";

/** Finds what a virtual key gives access to. */
export interface AccessBook {
  /** By the key's value; `undefined` when there is no such key. Answers at once when the key is kept ready. `now` as the clock tells it. */
  find(value: string, now: number): MaybePromise<Access | undefined>;
  /** By the key's id. */
  ofKey(id: string): Promise<Access | undefined>;
  /** What an entry was charged to: the limits of its key, and of whom that belonged to then, were it moved or deleted meanwhile. */
  ofEntry(entry: Pick<LedgerEntry, "key_id" | "project_id" | "customer_id">): Promise<Access>;
}

/** Ends an attempt or a pause with an error. */
export type Interrupt = (error: GatewayError) => void;

/** A request under way, as far as others may end it. */
export interface Underway extends Enrolled {
  /** What can be interrupted now: attempts and pauses. */
  interrupts: readonly Interrupt[];
  /** Why it was cancelled, once it was. */
  cancelled: GatewayError | undefined;
  isSettled: boolean;
}

/** What a target took that was done with before its call was: it stays reserved until the entry of the call is written. */
export interface Owed {
  readonly ticket: Ticket;
  /** The real amounts, for `Counters.settle`. */
  readonly real: readonly number[];
  /** What `Counters.narrow` gave for them. */
  readonly narrowed: MaybePromise<boolean>;
}

/** What money and keys are kept with. */
export interface Books {
  /** Finds keys; absent without a store. */
  readonly access: AccessBook | undefined;
  /** Absent without a store. */
  readonly ledger: Ledger | undefined;
  readonly counters: Counters;
  /** Gives what resolves when the counters hold what they held before the last stop; absent once they do. */
  recovered: (() => Promise<void>) | undefined;
  readonly prices: Prices;
  /** Counts tokens where the provider did not; without it they are estimated by length. */
  readonly tokens: Tokens | undefined;
  /**
   * With whom all of it is waited for: `short` for what a call can do without, `long` for what must be known or be safe, `rows` for those of
   * the ledger, which are written many together.
   */
  readonly patience: { readonly short: Patience; readonly long: Patience; readonly rows: Patience };
  readonly isKeyRequired: boolean;
  /** Hides virtual keys and access tokens that a caller sends where they would be kept. */
  readonly hideKeys: (text: string) => string;
  /** True when a model without a known price is refused to keys with a budget. */
  readonly deniesUnpriced: boolean;
}

/** How routes are chosen where the request leaves it open. */
export interface Routing {
  readonly rules: readonly RouteRule[];
  readonly order: Order;
  /** Times to the first content are measured, because an order goes by them. */
  readonly isTimed: boolean;
  /** A rule asks what is left of a budget, which has to be read before the route is made. */
  readonly asksBudget: boolean;
  /** What becomes of a stream that breaks after its first content; `undefined`: it is resumed when the request has fallbacks. */
  readonly recovery: Recovery | undefined;
  readonly hedge: Hedge | undefined;
  /** Chats are put in an order that does not change from call to call. */
  readonly hasStablePrompts: boolean;
}

/** What the pipeline acts through; frozen by the engine. */
export interface Ports {
  readonly providers: ReadonlyMap<string, Provider>;
  readonly clock: Clock;
  readonly random: Random;
  readonly ids: Ids;
  readonly events: Events;
  readonly timeouts: Timeouts;
  readonly retry: RetryPolicy;
  readonly health: Health;
  readonly logprobs: LogprobsBook;
  readonly books: Books;
  readonly routing: Routing;
  /** Absent unless configured. */
  readonly cache: CacheBook | undefined;
  /** Requests under way. */
  readonly calls: Roster<Underway>;
  /** True once the engine takes no new work. */
  readonly isDraining: () => boolean;
}
