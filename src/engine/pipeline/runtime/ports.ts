import type { Rates } from "../../api/rates.ts";
import type { GatewayError } from "../../errors.ts";
import type { Events } from "../../events.ts";
import type { Hedge, Recovery } from "../../options.ts";
import type { KeyPermissions } from "../../policy/access.ts";
import type { Clock, Ids, Random } from "../../ports/clock.ts";
import type { CounterReservation, Counters } from "../../ports/counters.ts";
import type { Ledger, LedgerEntry } from "../../ports/ledger.ts";
import type { Middleware } from "../../ports/middleware/middleware.ts";
import type { Prices } from "../../ports/prices.ts";
import type { Provider, Timeouts } from "../../ports/provider.ts";
import type { Records } from "../../ports/records.ts";
import type { Tokens } from "../../ports/tokens.ts";
import type { ToolServers } from "../../ports/tools/tool-server.ts";
import type { Transport } from "../../ports/transport.ts";
import type { Identify } from "../../routing/model-identity.ts";
import type { Order } from "../../routing/order.ts";
import type { RouteRule } from "../../routing/rules.ts";
import type { RetryPolicy } from "../../routing/verdict.ts";
import type { MaybePromise } from "../../runtime/maybe-promise.ts";
import type { ActiveMember, ActiveSet } from "./active-set.ts";
import type { CallAdmission } from "./admission.ts";
import type { AnswerCacheSettings } from "./answer-cache.ts";
import type { DecisionMemory } from "./decisions/memory.ts";
import type { DecisionSupport } from "./decisions/support.ts";
import type { Health } from "./health.ts";
import type { AwaitedResponses } from "./held/awaited-responses.ts";
import type { IdSeal } from "./held/id-seal.ts";
import type { ListedModels } from "./listed-models.ts";
import type { ModelLists } from "./model-lists.ts";
import type { PortTimeout } from "./port-timeout.ts";

/** Finds the access of a virtual key. */
export interface KeyAccess {
  /** By the key's value; `undefined` when there is no such key. Synchronous for a cached key. `now` is the clock's time. */
  find(value: string, now: number): MaybePromise<KeyPermissions | undefined>;
  /** By the key's id. */
  ofKey(id: string): Promise<KeyPermissions | undefined>;
  /** What an entry was charged to: the limits of its key and of the key's owners then, even if moved or deleted meanwhile. */
  ofEntry(entry: Pick<LedgerEntry, "key_id" | "project_id" | "customer_id">): Promise<KeyPermissions>;
}

/** Ends an attempt or a pause with an error. */
export type Interrupt = (error: GatewayError) => void;

/** A request under way, as far as others may end it. */
export interface CancellableCall extends ActiveMember {
  /** What can be interrupted now: attempts and pauses. */
  interrupts: readonly Interrupt[];
  /** Why it was cancelled, once it was. */
  cancelled: GatewayError | undefined;
  isSettled: boolean;
}

/** The charge of a target that ended before its call: it stays reserved until the entry of the call is written. */
export interface DeferredSettlement {
  readonly reservation: CounterReservation;
  /** The real amounts, for `Counters.settle`. */
  readonly real: readonly number[];
  /** The result of `Counters.reduce` for them. */
  readonly reduced: MaybePromise<boolean>;
}

/** An amount reserved for a further call to a target; without a reservation until the counters have answered. */
export interface TopUp {
  readonly target: string;
  readonly name: string;
  readonly reservation?: CounterReservation | undefined;
}

/** The keys, ledger and counters of an engine. */
export interface Accounting {
  /** Finds keys; absent without a store. */
  readonly keys: KeyAccess | undefined;
  /** Absent without a store. */
  readonly ledger: Ledger | undefined;
  readonly counters: Counters;
  /** Lets calls begin, as far as their number is bounded. */
  readonly admission: CallAdmission;
  /** Returns what resolves when the counters hold what they held before the last stop; absent once they do. */
  recovered: (() => Promise<void>) | undefined;
  readonly prices: Prices;
  /** How names of models are understood: by what the prices know of them. */
  readonly identify: Identify;
  /** Counts tokens where the provider did not; without it they are estimated by length. */
  readonly tokens: Tokens | undefined;
  /**
   * The timeouts of all these ports: `short` for what a call can do without, `long` for what must be known or be safe, `rows` for
   * the ledger's rows, which are written many together.
   */
  readonly timeouts: { readonly short: PortTimeout; readonly long: PortTimeout; readonly rows: PortTimeout };
  readonly isKeyRequired: boolean;
  /** Keys that were read lately are served while the store does not answer. */
  readonly isStoreOptional: boolean;
  /** Seals the ids of responses that vendors hold, for their owners; absent without a store, and so without keys. */
  readonly sealOfIds: (() => MaybePromise<IdSeal>) | undefined;
  /** Hides virtual keys and access tokens that a caller sends where they would be stored. */
  readonly hideKeys: (text: string) => string;
  /** Whether a target (`provider/model`) once gave a longer answer than it was asked for. */
  readonly overran: (target: string) => boolean;
  readonly noteOverrun: (target: string) => void;
}

/** How routes are chosen where the request leaves it open. */
export interface Routing {
  readonly rules: readonly RouteRule[];
  readonly order: Order;
  /** Times to first content are measured, because an order depends on them. */
  readonly isTimed: boolean;
  /** A rule depends on the remaining budget, which has to be read before the route is made. */
  readonly asksBudget: boolean;
  /** How to treat a stream that breaks after its first content; `undefined`: it is resumed when the request has fallbacks. */
  readonly recovery: Recovery | undefined;
  readonly hedge: Hedge | undefined;
  /** Chats get an order that does not change from call to call. */
  readonly hasStablePrompts: boolean;
}

/** The ports of the pipeline, frozen; an engine that is configured anew gives new ones to the calls that begin then. */
export interface Ports {
  readonly providers: ReadonlyMap<string, Provider>;
  /** Servers of tools, by their names. */
  readonly tools: ToolServers;
  /** Where approved descriptions of tools are kept; absent without a store. */
  readonly toolRecords: Records | undefined;
  /** Clients of `/mcp` see a search in place of all tools. */
  readonly isToolSearch: boolean;
  /** Says how a known provider is set up that is not configured. */
  readonly setupHint: ((provider: string) => string | undefined) | undefined;
  /** How calls to providers leave the machine; `undefined` where each provider has connections of its own. */
  readonly transport: Transport | undefined;
  readonly clock: Clock;
  readonly random: Random;
  readonly ids: Ids;
  readonly events: Events;
  readonly timeouts: Timeouts;
  /** The first content has a limit of the operator's, which holds whatever the model is. */
  readonly limitsFirstContent: boolean;
  readonly retry: RetryPolicy;
  /** Milliseconds that pieces of running streams may be gathered under load. */
  readonly gatherMs: number;
  readonly health: Health;
  readonly deciders: DecisionSupport;
  readonly decisions: DecisionMemory;
  readonly modelLists: ModelLists;
  readonly listedModels: ListedModels;
  /** What becomes of a call whose price is unknown and a budget has to pay for; see `EngineOptions.unpriced`. */
  readonly unpriced: "allow" | "deny" | undefined;
  /** Rates at which such a call is counted under a soft budget. */
  readonly unpricedRates: Rates | undefined;
  readonly accounting: Accounting;
  readonly routing: Routing;
  /** Responses in the background that this process waits for. */
  readonly awaited: AwaitedResponses;
  /** Absent unless configured. */
  readonly cache: AnswerCacheSettings | undefined;
  /** Middleware of all requests, in order; absent unless configured. */
  readonly middleware: readonly Middleware[] | undefined;
  /** Requests under way. */
  readonly calls: ActiveSet<CancellableCall>;
  /** True once the engine takes no new work. */
  readonly isDraining: () => boolean;
}
