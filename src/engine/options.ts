import type { z } from "zod";
import { GatewayError } from "./errors.ts";
import type { CacheOptions } from "./options/cache.ts";
import type { Unpriced } from "./options/plain.ts";
import { describeSchemaFault } from "./options/schema-fault.ts";
import { BoundsShape, OptionsShape } from "./options/shape.ts";
import { defaultKeyPrefix } from "./policy/key.ts";
import type { Clock, Entropy, Ids, Random } from "./ports/clock.ts";
import type { Counters } from "./ports/counters.ts";
import type { Middleware } from "./ports/middleware/middleware.ts";
import type { Prices } from "./ports/prices.ts";
import type { Provider, Timeouts } from "./ports/provider.ts";
import type { Store } from "./ports/store.ts";
import type { Tokens } from "./ports/tokens.ts";
import type { ConfiguredToolServer, OpenToolServer } from "./ports/tools/tool-settings.ts";
import type { Transport } from "./ports/transport.ts";
import { type CircuitRules, defaultCircuitRules } from "./routing/circuit.ts";
import type { Order } from "./routing/order.ts";
import { checkRules, type RouteRule } from "./routing/rules.ts";
import { defaultRetryPolicy, type RetryPolicy } from "./routing/verdict.ts";
import type { Duration, WithDurations } from "./runtime/duration.ts";

/** `resume` asks the next candidate to go on; `error` ends the stream with the failure. */
export type Recovery = "resume" | "error";

/** Asking the next candidate too when the first has sent nothing after so many milliseconds. */
export interface Hedge {
  /** Milliseconds without content from the first candidate. */
  readonly after_ms: number;
}

/** EngineBounds of the calls under way in one process. */
export interface Concurrency {
  /** Calls under way at once; 10,000 by default. */
  readonly maxInFlight: number;
  /** Calls that may wait for a place, of all keys together; more are refused with `concurrency_limited`. */
  readonly maxWaiting: number;
  /** Milliseconds that a call may wait. */
  readonly maxWaitMs: number;
}

/** High enough that only a flood reaches them. */
const defaultConcurrency: Concurrency = { maxInFlight: 10_000, maxWaiting: 20_000, maxWaitMs: 10_000 };

/** What an engine is made of; only `providers` is required. */
export interface EngineOptions {
  /** At least one; names are unique. */
  readonly providers: readonly Provider[];
  /**
   * Says how a provider that is not configured is set up, e.g. ``"set `GROQ_API_KEY`"``, for the error of a request that names it;
   * `undefined` for names that are unknown.
   */
  readonly setupHint?: ((provider: string) => string | undefined) | undefined;
  /**
   * How calls to providers leave the machine, e.g. `network({ proxy, ca })` of `tollgate/transports/undici`. Providers with a `transport` or a
   * `fetch` of their own use that; without this option, each has connections of its own. The engine closes it.
   */
  readonly transport?: Transport | undefined;
  /** Deadlines, in milliseconds or as text such as `"10s"`; by default those of {@link defaultTimeouts}. */
  readonly timeouts?: Partial<WithDurations<Timeouts>> | undefined;
  /** Tries of one target, by default those of `defaultRetryPolicy`. */
  readonly retry?: Partial<WithDurations<RetryPolicy, "baseMs" | "maxMs" | "patienceMs">> | undefined;
  /** When the circuit of a target opens and for how long, by default those of `defaultCircuitRules`. */
  readonly circuit?: Partial<WithDurations<CircuitRules, "openMs" | "maxOpenMs" | "probeMs">> | undefined;
  /** Conditional rules about routes; the first that matches acts. */
  readonly rules?: readonly RouteRule[] | undefined;
  /** How the candidates of a model without a provider are put in order; `weight` by default. */
  readonly order?: Order | undefined;
  /** What becomes of a stream that breaks after its first content; by default it is resumed when the request has fallbacks. */
  readonly recovery?: Recovery | undefined;
  /** Asks the next candidate too when the first has sent nothing after so long; off by default. */
  readonly hedge?: WithDurations<Hedge> | undefined;
  /** How many calls may be under way at once in this process, and how many more may wait for how long. */
  readonly concurrency?: Partial<WithDurations<Concurrency, "maxWaitMs">> | undefined;
  /** Where virtual keys and the ledger are kept; without one there are neither. The engine closes it. */
  readonly store?: Store | undefined;
  /** What is counted for budgets and windows; in the memory of this process by default. The engine closes it. */
  readonly counters?: Counters | undefined;
  /** What models are and cost; the catalogue of the package by default. */
  readonly prices?: Prices | undefined;
  /** Counts tokens where a provider does not; estimated by length by default. */
  readonly tokens?: Tokens | undefined;
  /** Keeps answers and gives them again to callers who ask the same; off by default. The engine closes it. */
  readonly cache?: CacheOptions | undefined;
  /** Sorts tools and the fields of schemas, so that providers recognise prompts they have read before; false by default. */
  readonly stablePrompts?: boolean | undefined;
  /**
   * Milliseconds that pieces of a running stream may be gathered while the event loop has no time to spare: 40 by default, 0 for never. First
   * contents and ends never wait.
   */
  readonly gatherMs?: Duration | undefined;
  /**
   * Milliseconds for which a virtual key goes on being served while the store of keys does not answer, since its record was last read or
   * known to be current; by default not at all, and the call is refused with `store_unavailable`. What was changed about a key meanwhile
   * holds once the store answers. Counters decide as ever: what they cannot count is refused. Put `spillingStore` around the store, so
   * that the entries of these calls survive the process.
   */
  readonly knownKeysMs?: Duration | undefined;
  /** Refuses calls without a virtual key, also in this process; false by default. */
  readonly requireKey?: boolean | undefined;
  /** What virtual keys begin with; `sk-tg-` by default. */
  readonly keyPrefix?: string | undefined;
  /**
   * What becomes of a call whose price is unknown, in whole or in part, made with a key that has a budget. By default it is refused
   * where a budget is hard, and where all are soft it is served, told in `warnings` and counted as nothing. `deny` refuses it under
   * either, `allow` serves it under either. Rates in dollars (`input_cost_per_token`, `output_cost_per_token`, …) serve it under soft
   * budgets and count it at these rates. A budget with nothing left refuses it in any case.
   */
  readonly unpriced?: Unpriced | undefined;
  /**
   * Servers of the Model Context Protocol by name, whose tools virtual keys may call (`mcp_configs`): settings, or servers of your own. Each
   * is connected when it is first asked. The engine closes them. With `search`, clients of `/mcp` see three tools that find, describe and
   * call the others; `?search=` in the address of a client has the last word. False by default.
   */
  readonly mcp?:
    | {
        readonly servers: Readonly<Record<string, ConfiguredToolServer>>;
        readonly search?: boolean | undefined;
      }
    | undefined;
  /**
   * What every request passes before its route is planned, and its answer before the caller gets it: guards of `tollgate/guards/*`, or your
   * own. Requests pass the list in order, answers in reverse.
   */
  readonly middleware?: readonly Middleware[] | undefined;
  /** Time and timers; the machine's by default. Tests give `fakeClock()`. */
  readonly clock?: Clock | undefined;
  /** Chance in [0, 1), for weights and back-off; `Math.random` by default. */
  readonly random?: Random | undefined;
  /** Fresh identifiers of requests, which sort by time; made of time and chance by default. */
  readonly ids?: Ids | undefined;
  /** Fresh random bytes, which keys are made of. */
  readonly entropy?: Entropy | undefined;
}

/** What an engine can be given anew while it runs; what is left out has its default, as with a new engine. */
export type ReconfigurableOptions = Pick<
  EngineOptions,
  | "providers"
  | "setupHint"
  | "transport"
  | "timeouts"
  | "retry"
  | "circuit"
  | "rules"
  | "order"
  | "recovery"
  | "hedge"
  | "cache"
  | "stablePrompts"
  | "gatherMs"
  | "unpriced"
  | "mcp"
  | "middleware"
>;

/** The time, chance and identifiers that an engine uses unless its options bring their own. */
export interface World {
  readonly clock: Clock;
  readonly random: Random;
  readonly ids: Ids;
  readonly counters: () => Counters;
  readonly prices: () => Prices;
  readonly entropy: Entropy;
  /** Reaches the tool servers of `mcp`. */
  readonly openToolServer: OpenToolServer;
}

/** Deadlines of inference-resolved.md, 6.6, in milliseconds. */
export const defaultTimeouts: Timeouts = {
  ...{ connect: 10_000, firstContent: 60_000, firstContentMax: 300_000, gap: 30_000, whole: 600_000 },
};

/** Longer than it takes a busy loop to come round, and too short for a reader to see. */
const defaultGatherMs = 40;

/** The options that bound how long and how much, with their defaults; durations are in milliseconds. */
export interface EngineBounds {
  readonly timeouts: Timeouts;
  readonly retry: RetryPolicy;
  readonly circuit: CircuitRules;
  readonly concurrency: Concurrency;
  readonly hedge: Hedge | undefined;
  readonly gatherMs: number;
}

/** Options with their defaults, checked. */
export interface CheckedOptions extends EngineBounds {
  readonly providers: ReadonlyMap<string, Provider>;
  readonly keyPrefix: string;
  readonly knownKeysMs: number | undefined;
}

/** Checks the options of an engine; throws `invalid_configuration` with the field's path in `param`. */
export function readOptions(options: EngineOptions): CheckedOptions {
  const { knownKeysMs } = parsed(OptionsShape, options);
  const providers = new Map<string, Provider>();
  for (const [position, provider] of options.providers.entries()) {
    if (providers.has(provider.name))
      throw misconfigured(`providers.${position}.name`, `\`${provider.name}\` is there twice`);
    providers.set(provider.name, provider);
  }
  checkRules(options.rules ?? []);
  return { ...readBounds(options), providers, keyPrefix: options.keyPrefix ?? defaultKeyPrefix, knownKeysMs };
}

/** Checks the bounds among an engine's options; throws like {@link readOptions}. */
export function readBounds(options: Pick<EngineOptions, keyof EngineBounds>): EngineBounds {
  const { timeouts, retry, circuit, concurrency, hedge, gatherMs = defaultGatherMs } = parsed(BoundsShape, options);
  return {
    timeouts: withDefaults(defaultTimeouts, timeouts),
    retry: withDefaults(defaultRetryPolicy, retry),
    circuit: withDefaults(defaultCircuitRules, circuit),
    concurrency: withDefaults(defaultConcurrency, concurrency),
    hedge,
    gatherMs,
  };
}

function parsed<Shape extends z.ZodType>(shape: Shape, options: unknown): z.output<Shape> {
  const result = shape.safeParse(options);
  if (result.success) return result.data;
  const { param, message } = describeSchemaFault(shape, result.error);
  throw misconfigured(param, message);
}

type Stated<Fields> = { readonly [Name in keyof Fields]?: Fields[Name] | undefined };

/** A field that is `undefined` is one that is not there: it must not take the default away. */
function withDefaults<Fields extends object>(defaults: Fields, options: Stated<Fields> = {}): Fields {
  const provided = Object.entries(options).filter(([, value]) => value !== undefined);
  return { ...defaults, ...Object.fromEntries(provided) };
}

function misconfigured(param: string | undefined, problem: string): GatewayError {
  const subject = param === undefined ? "The options of createEngine" : `\`${param}\``;
  return new GatewayError("invalid_configuration", `${subject}: ${problem}.`, { param });
}
