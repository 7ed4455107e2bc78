import { assemble } from "./assemble.ts";
import { type EventMap, listen } from "./events.ts";
import type { EngineOptions, ReconfigurableOptions, World } from "./options.ts";
import { closePorts } from "./pipeline/admin/close.ts";
import type { Customers, Keys, Projects } from "./pipeline/admin/registry.ts";
import type { UsageReports } from "./pipeline/admin/usage-reports.ts";
import type { AnswerCacheAdmin } from "./pipeline/cache/open.ts";
import { type Calibrations, calibrationsOf } from "./pipeline/calibrations/load.ts";
import type { CallOptions, RateLimits } from "./pipeline/call/options.ts";
import { followConfigurations } from "./pipeline/configuration/configurations.ts";
import { liveRequests, type Requests } from "./pipeline/requests.ts";
import type { PlanOptions, PlanRequest } from "./pipeline/routing/explain.ts";
import type { TargetHealth } from "./pipeline/runtime/health.ts";
import type { Readiness } from "./pipeline/runtime/readiness.ts";
import type { ToolRuns } from "./pipeline/tools/run/tool-runs.ts";
import { toolRunsOf } from "./pipeline/tools/runs.ts";
import type { ToolRequests } from "./pipeline/tools/tool-requests.ts";
import type { Offerings } from "./pipeline/verbs/offerings.ts";
import type { StoredResponses } from "./pipeline/verbs/stored-responses/stored-responses.ts";
import type { Clock, Entropy } from "./ports/clock.ts";
import { amount, type Checks, checkOptions } from "./runtime/checks.ts";

export type { CallOptions, EngineOptions, PlanOptions, PlanRequest, RateLimits, ReconfigurableOptions };

/** A gateway inside the process. Every method takes the wire's own shapes and throws only `GatewayError`. */
export interface CoreEngine extends Requests, ToolRuns {
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
  /** Responses that vendors of OpenAI's Responses API hold. */
  readonly storedResponses: StoredResponses;
  /** Calibration maps of decisions; fitting and reading them is `invalid_configuration` without a store. */
  readonly calibrations: Calibrations;
  /** Answers that are kept; forgetting is `invalid_configuration` without a cache. */
  readonly cache: AnswerCacheAdmin;
  /** Tools of the MCP servers of `mcp`, under the same keys, limits and ledger as models. */
  readonly mcp: ToolRequests;
  /**
   * Takes other options over at once: calls that have begun end as they began, later ones follow the new options. What is left out has its
   * default. The store, the counters, the keys and the circuits of targets stay; providers, a transport and a cache that the new options
   * no longer have are closed when the calls that use them are over, so an object may be given again. Throws `invalid_configuration` for
   * options that `createEngine` would refuse, and then nothing changes.
   */
  reconfigure(options: ReconfigurableOptions): void;
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
  /** Whether it can take calls: asks the store and the counters, at most once a second. Never rejects. */
  readiness(): Promise<Readiness>;
  /** A fresh identifier in the engine's own form. */
  newEventId(): string;
  /** The time and the chance that it runs on; a portal over it runs on the same. */
  readonly clock: Clock;
  /** The random bytes that keys are made of. */
  readonly entropy: Entropy;
  /** Has `readiness` and `GET /health` say that it is draining, so that load balancers look elsewhere, while calls are still taken. */
  announceClose(): void;
  /** True once `announceClose` or `close` was called. */
  readonly isLeaving: boolean;
  /** True once `close` was called. */
  readonly isDraining: boolean;
  /** Requests under way. */
  readonly inFlight: number;
  /** Those of virtual keys, by the key's id; without keys that have none. */
  inFlightByKey(): ReadonlyMap<string, number>;
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
  /** Milliseconds that requests under way may take to end, at least 0; 30,000 by default. */
  readonly graceMs?: number | undefined;
}

const closeChecks: Checks<CloseOptions> = { graceMs: amount };

/** Builds an engine over the world it is given; `createEngine` of the package adds the machine's own. */
export function assembleEngine(options: EngineOptions, world: World): CoreEngine {
  const life = { isLeaving: false, isClosing: false };
  const state = { life, livePorts: () => followed.live.ports };
  const { ports, configure, lostCalls, governance, probes, keyPrefix } = assemble(options, world, state);
  const { calls, events, ids, clock, accounting } = ports;
  const { entropy = world.entropy } = options;
  const followed = followConfigurations(ports, configure);
  const requests = liveRequests(() => followed.live.requests);
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
    get offers() {
      return followed.live.offers;
    },
    get storedResponses() {
      return followed.live.storedResponses;
    },
    get cache() {
      return followed.live.cache;
    },
    get mcp() {
      return followed.live.mcp;
    },
    ...{ ...requests, ...toolRunsOf(() => followed.live), reconfigure: followed.reconfigure },
    calibrations: calibrationsOf(ports, options.store, requests.decide),
    health: () => followed.live.ports.health.list(clock.now()),
    on: (name, listener) => listen(events, name, listener),
    ...{ keyPrefix, hasKeys: options.store !== undefined, ...probes, newEventId: ids, clock, entropy },
    ready: async () => accounting.recovered?.(),
    get inFlight() {
      return calls.size;
    },
    announceClose: () => void Object.assign(life, { isLeaving: true }),
    get isLeaving() {
      return life.isLeaving;
    },
    get isDraining() {
      return life.isClosing;
    },
    close: closeOnce((graceMs) => {
      Object.assign(life, { isLeaving: true, isClosing: true });
      return closePorts({ ...followed.parts(), lostCalls, store: options.store }, graceMs);
    }),
  };
}

/** Checks the options of each call, and closes at the first. */
function closeOnce(close: (graceMs: number) => Promise<void>): CoreEngine["close"] {
  let closing: Promise<void> | undefined;
  return (provided = {}) => {
    try {
      checkOptions(provided, closeChecks, { of: "close", code: "invalid_request" });
    } catch (thrown) {
      return Promise.reject(thrown);
    }
    closing ??= close(provided.graceMs ?? 30_000);
    return closing;
  };
}
