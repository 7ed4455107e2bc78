import { z } from "zod";
import { isToolProvider } from "../ports/tools/tool-server.ts";
import { CacheShape } from "./cache.ts";
import { duration, timeoutsOf } from "./duration.ts";
import { MiddlewareShape } from "./middleware.ts";
import { plainOptions } from "./plain.ts";

const ms = duration("ms");
const RetryShape = z
  .strictObject({
    retries: z.int().min(0).max(10),
    baseMs: ms,
    maxMs: ms,
    patienceMs: duration("ms", z.number().min(0)),
  })
  .partial()
  .optional();

const method = z.custom<unknown>((value) => typeof value === "function", "must be a function").optional();

const TimeoutsShape = timeoutsOf().optional();

const ProviderShape = z.looseObject({
  timeouts: TimeoutsShape,
  name: z
    .string()
    .regex(/^[a-z0-9][a-z0-9._-]*$/, "must be lower-case letters, digits, `.`, `_` and `-`")
    .refine((name) => !isToolProvider(name), "must not begin with `mcp.`, which names tool servers"),
  chat: method,
  streamChat: method,
  countTokens: method,
  embed: method,
  rerank: method,
  decide: method,
  listModels: method,
  storedResponse: method,
  close: method,
});

/** A port, as far as can be seen from outside: an object with these members. */
function portOf(...members: readonly string[]) {
  const hasAll = (value: unknown) =>
    typeof value === "object" && value !== null && members.every((name) => name in value);
  return z
    .custom<unknown>((value) => value === undefined || hasAll(value), `must be an object with ${members.join(", ")}`)
    .optional();
}

/** What an engine's options look like, as far as that can be seen from outside. */
export const OptionsShape = z.strictObject({
  ...plainOptions,
  providers: z.array(ProviderShape).min(1, "must hold at least one provider"),
  setupHint: method,
  timeouts: TimeoutsShape,
  retry: RetryShape,
  transport: portOf("whole", "stream", "close"),
  store: portOf("records", "ledger"),
  counters: portOf("reserve", "settle", "release", "read"),
  prices: portOf("find"),
  tokens: portOf("countText", "countChat"),
  cache: CacheShape,
  middleware: MiddlewareShape.optional(),
  clock: z.looseObject({ now: method.unwrap(), after: method.unwrap() }).optional(),
  random: method,
  ids: method,
  entropy: method,
  knownKeysMs: ms.optional(),
});

const { circuit, hedge, concurrency, gatherMs } = plainOptions;

/** The bounds among an engine's options, whatever else they hold. */
export const BoundsShape = z.object({
  circuit,
  hedge,
  concurrency,
  gatherMs,
  timeouts: TimeoutsShape,
  retry: RetryShape,
});
