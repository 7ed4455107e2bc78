import { z } from "zod";
import { GatewayError } from "./errors.ts";
import { type CacheOptions, CacheShape } from "./options/cache.ts";
import { defaultKeyPrefix } from "./policy/key.ts";
import type { Clock, Entropy, Ids, Random } from "./ports/clock.ts";
import type { Counters } from "./ports/counters.ts";
import type { Prices } from "./ports/prices.ts";
import type { Provider, Timeouts } from "./ports/provider.ts";
import type { Store } from "./ports/store.ts";
import type { Tokens } from "./ports/tokens.ts";
import { type CircuitRules, defaultCircuitRules } from "./routing/circuit.ts";
import type { Order } from "./routing/order.ts";
import { checkRules, type RouteRule } from "./routing/rules.ts";
import { defaultRetryPolicy, type RetryPolicy } from "./routing/verdict.ts";
import { describeIssues } from "./runtime/issues.ts";

/** `resume` asks the next candidate to go on; `error` ends the stream with the failure. */
export type Recovery = "resume" | "error";

/** Asking the next candidate too when the first has sent nothing after so many milliseconds. */
export interface Hedge {
  readonly after_ms: number;
}

/** Bounds of the calls under way in one process. */
export interface Concurrency {
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
  /** Deadlines in milliseconds, by default those of {@link defaultTimeouts}. */
  readonly timeouts?: Partial<Timeouts> | undefined;
  /** Tries of one target, by default those of `defaultRetryPolicy`. */
  readonly retry?: Partial<RetryPolicy> | undefined;
  /** When the circuit of a target opens and for how long, by default those of `defaultCircuitRules`. */
  readonly circuit?: Partial<CircuitRules> | undefined;
  /** Conditional rules about routes; the first that matches acts. */
  readonly rules?: readonly RouteRule[] | undefined;
  /** How the candidates of a model without a provider are put in order; `weight` by default. */
  readonly order?: Order | undefined;
  /** What becomes of a stream that breaks after its first content; by default it is resumed when the request has fallbacks. */
  readonly recovery?: Recovery | undefined;
  /** Asks the next candidate too when the first has sent nothing after so long; off by default. */
  readonly hedge?: Hedge | undefined;
  /** How many calls may be under way at once in this process, and how many more may wait for how long. */
  readonly concurrency?: Partial<Concurrency> | undefined;
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
  /** Refuses calls without a virtual key, also in this process; false by default. */
  readonly requireKey?: boolean | undefined;
  /** What virtual keys begin with; `sk-tg-` by default. */
  readonly keyPrefix?: string | undefined;
  /** What becomes of a call whose price is unknown, made with a key that has a budget; `allow` by default. */
  readonly unpriced?: "allow" | "deny" | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: Random | undefined;
  readonly ids?: Ids | undefined;
  /** Fresh random bytes, which keys are made of. */
  readonly entropy?: Entropy | undefined;
}

/** The time, chance and identifiers that an engine uses unless its options bring their own. */
export interface World {
  readonly clock: Clock;
  readonly random: Random;
  readonly ids: Ids;
  readonly counters: () => Counters;
  readonly prices: () => Prices;
  readonly entropy: Entropy;
}

/** Deadlines of inference-resolved.md, 6.6, in milliseconds. */
export const defaultTimeouts: Timeouts = {
  ...{ connect: 10_000, firstContent: 60_000, firstContentMax: 300_000, gap: 30_000, whole: 600_000 },
};

const ms = z.number().positive();
const method = z.custom<unknown>((value) => typeof value === "function", "must be a function").optional();

const timeouts = { connect: ms, firstContent: ms, firstContentMax: ms, gap: ms, whole: ms };
const TimeoutsShape = z.strictObject(timeouts).partial().optional();

const ProviderShape = z.looseObject({
  timeouts: TimeoutsShape,
  name: z.string().regex(/^[a-z0-9][a-z0-9._-]*$/, "must be lower-case letters, digits, `.`, `_` and `-`"),
  chat: method,
  streamChat: method,
  countTokens: method,
  embed: method,
  rerank: method,
  decide: method,
  listModels: method,
  close: method,
});

const patterns = z.union([z.string(), z.array(z.string())]);
const RuleShape = z.strictObject({
  name: z.string(),
  when: z
    .strictObject({
      metadata: z.record(z.string(), patterns).optional(),
      model: patterns.optional(),
      key: patterns.optional(),
      project: patterns.optional(),
      hours: z
        .strictObject({
          from: z.string(),
          to: z.string(),
          days: z.array(z.enum(["mon", "tue", "wed", "thu", "fri", "sat", "sun"])).optional(),
        })
        .optional(),
      budgetLeft: z.strictObject({ atLeast: z.number().optional(), below: z.number().optional() }).optional(),
    })
    .optional(),
  use: z.strictObject({
    model: z.string().optional(),
    fallbacks: z.array(z.string()).optional(),
    order: z.enum(["given", "weight", "price", "latency"]).optional(),
    exclude: z.array(z.string()).optional(),
  }),
});

/** A port, as far as can be seen from outside: an object with these members. */
function portOf(...members: readonly string[]) {
  const hasAll = (value: unknown) =>
    typeof value === "object" && value !== null && members.every((name) => name in value);
  return z
    .custom<unknown>((value) => value === undefined || hasAll(value), `must be an object with ${members.join(", ")}`)
    .optional();
}

/** The options that a configuration file may hold as they are. */
export const plainOptions = {
  circuit: z
    .strictObject({
      consecutive: z.int().min(1),
      window: z.int().min(1).max(30),
      minimumSample: z.int().min(1).max(30),
      share: z.number().min(0).max(1),
      openMs: ms,
      maxOpenMs: ms,
      probeMs: ms,
    })
    .partial()
    .optional(),
  rules: z.array(RuleShape).optional(),
  order: z.enum(["given", "weight", "price", "latency"]).optional(),
  recovery: z.enum(["resume", "error"]).optional(),
  hedge: z.strictObject({ after_ms: ms }).optional(),
  concurrency: z
    .strictObject({ maxInFlight: z.int().min(1), maxWaiting: z.int().min(0), maxWaitMs: ms.max(86_400_000) })
    .partial()
    .optional(),
  requireKey: z.boolean().optional(),
  keyPrefix: z
    .string()
    .min(1)
    .regex(/^[!-~]*$/, "must be ASCII without spaces, since keys are sent in a header")
    .optional(),
  unpriced: z.enum(["allow", "deny"]).optional(),
  stablePrompts: z.boolean().optional(),
};

const OptionsShape = z.strictObject({
  ...plainOptions,
  providers: z.array(ProviderShape).min(1, "must hold at least one provider"),
  timeouts: TimeoutsShape,
  retry: z
    .strictObject({ retries: z.int().min(0).max(10), baseMs: ms, maxMs: ms, patienceMs: z.number().min(0) })
    .partial()
    .optional(),
  store: portOf("records", "ledger"),
  counters: portOf("reserve", "settle", "release", "read"),
  prices: portOf("find"),
  tokens: portOf("countText", "countChat"),
  cache: CacheShape,
  clock: z.looseObject({ now: method.unwrap(), after: method.unwrap() }).optional(),
  random: method,
  ids: method,
  entropy: method,
});

/** Options with their defaults, checked. */
export interface CheckedOptions {
  readonly providers: ReadonlyMap<string, Provider>;
  readonly timeouts: Timeouts;
  readonly retry: RetryPolicy;
  readonly circuit: CircuitRules;
  readonly concurrency: Concurrency;
  readonly keyPrefix: string;
}

/** Checks the options of an engine; throws `invalid_configuration` with the field's path in `param`. */
export function readOptions(options: EngineOptions): CheckedOptions {
  const checked = OptionsShape.safeParse(options);
  if (!checked.success) {
    const { param, message } = describeIssues(checked.error.issues);
    throw misconfigured(param, message);
  }
  const providers = new Map<string, Provider>();
  for (const [position, provider] of options.providers.entries()) {
    if (providers.has(provider.name))
      throw misconfigured(`providers.${position}.name`, `\`${provider.name}\` is there twice`);
    providers.set(provider.name, provider);
  }
  checkRules(options.rules ?? []);
  return {
    providers,
    timeouts: withDefaults(defaultTimeouts, options.timeouts),
    retry: withDefaults(defaultRetryPolicy, options.retry),
    circuit: withDefaults(defaultCircuitRules, options.circuit),
    concurrency: withDefaults(defaultConcurrency, options.concurrency),
    keyPrefix: options.keyPrefix ?? defaultKeyPrefix,
  };
}

/** A field that is `undefined` is one that is not there: it must not take the default away. */
function withDefaults<Fields extends object>(defaults: Fields, options: Partial<Fields> = {}): Fields {
  const provided = Object.entries(options).filter(([, value]) => value !== undefined);
  return { ...defaults, ...Object.fromEntries(provided) };
}

function misconfigured(param: string | undefined, problem: string): GatewayError {
  const subject = param === undefined ? "The options of createEngine" : `\`${param}\``;
  return new GatewayError("invalid_configuration", `${subject}: ${problem}.`, { param });
}
