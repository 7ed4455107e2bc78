import { assemble } from "./assemble.ts";
import { type EventMap, listen } from "./events.ts";
import type { EngineOptions, World } from "./options.ts";
import { closePorts } from "./pipeline/admin/close.ts";
import type { UsageReports } from "./pipeline/admin/governance.ts";
import type { Customers, Keys, Projects } from "./pipeline/admin/registry.ts";
import { type AnswerCacheAdmin, answerCacheAdmin } from "./pipeline/cache/open.ts";
import type { CallOptions, RateLimits } from "./pipeline/call/options.ts";
import { type Requests, requestsOf } from "./pipeline/requests.ts";
import type { PlanOptions, PlanRequest } from "./pipeline/routing/explain.ts";
import type { TargetHealth } from "./pipeline/runtime/health.ts";
import { type Offerings, offersOf } from "./pipeline/verbs/offerings.ts";
import type { Clock, Entropy } from "./ports/clock.ts";
import { amount, type Checks, checkOptions } from "./runtime/checks.ts";

export type { CallOptions, EngineOptions, PlanOptions, PlanRequest, RateLimits };

/** A gateway inside the process. Every method takes the wire's own shapes and throws only `GatewayError`. */
export interface CoreEngine extends Requests {
  /** Virtual keys; like the next three, `invalid_configuration` without a store. */
  readonly keys: Keys;
  /** Projects (teams), which keys belong to. */
  readonly projects: Projects;
  /** Customers, which projects and keys belong to. */
  readonly customers: Customers;
  /** What was used and what it cost. */
  readonly usage: UsageReports;
  /** What its providers offer and what that costs, for administration. */
  readonly offers: Offerings;
  /** Answers that are kept; forgetting is `invalid_configuration` without a cache. */
  readonly cache: AnswerCacheAdmin;
  /** The targets that have failed, with the state of their circuits. */
  health(): readonly TargetHealth[];
  /**
   * Listens to an event; the returned function stops listening. What a listener throws, or the promise of an asynchronous one
   * rejects with, becomes a process warning; nobody waits for that promise.
   */
  on<Name extends keyof EventMap>(name: Name, listener: (event: EventMap[Name]) => void): () => void;
  /** What virtual keys begin with. */
  readonly keyPrefix: string;
  /** True when there is a store, and so there can be virtual keys. */
  readonly hasKeys: boolean;
  /**
   * Resolves once the counters hold what they held before the last stop, so that calls with a key can be judged; rejects with what
   * keeps them from it, e.g. another process that writes the ledger of the same store. Asked again a second later, or by a call with a
   * key, what failed is tried again.
   */
  ready(): Promise<void>;
  /** A fresh identifier in the engine's own form. */
  newEventId(): string;
  /** The time and the chance that it runs on; a portal over it runs on the same. */
  readonly clock: Clock;
  readonly entropy: Entropy;
  /** True once `close` was called. */
  readonly isDraining: boolean;
  /** Requests under way. */
  readonly inFlight: number;
  /**
   * Takes no new work, waits for the requests under way, cancels what is left after `graceMs` (default 30,000), then lets go of
   * the providers' sockets, the cache, the counters and the store; of each, also when another one fails to close or takes longer than ten
   * seconds, with which it then rejects.
   * Later calls give the same promise.
   */
  close(options?: CloseOptions): Promise<void>;
}

/** How patiently the engine closes. */
export interface CloseOptions {
  readonly graceMs?: number | undefined;
}

const closeChecks: Checks<CloseOptions> = { graceMs: amount };

/** Builds an engine over the world it is given; `createEngine` of the package adds the machine's own. */
export function assembleEngine(options: EngineOptions, world: World): CoreEngine {
  let isClosing = false;
  let closing: Promise<void> | undefined;
  const { ports, governance, keyPrefix } = assemble(options, world, () => isClosing);
  const { calls, events, ids, health, clock } = ports;
  return {
    get keys() {
      return governance.keys;
    },
    get projects() {
      return governance.projects;
    },
    get customers() {
      return governance.customers;
    },
    get usage() {
      return governance.usage;
    },
    offers: offersOf(ports),
    cache: answerCacheAdmin(ports),
    ...requestsOf(ports),
    health: () => health.list(clock.now()),
    on: (name, listener) => listen(events, name, listener),
    keyPrefix,
    hasKeys: options.store !== undefined,
    ready: async () => ports.accounting.recovered?.(),
    newEventId: ids,
    clock,
    entropy: options.entropy ?? world.entropy,
    get inFlight() {
      return calls.size;
    },
    get isDraining() {
      return isClosing;
    },
    close(provided = {}) {
      try {
        checkOptions(provided, closeChecks, { of: "close", code: "invalid_request" });
      } catch (thrown) {
        return Promise.reject(thrown);
      }
      isClosing = true;
      closing ??= closePorts(ports, options.store, provided.graceMs ?? 30_000);
      return closing;
    },
  };
}
