import { z } from "zod";
import { plainCacheOptions } from "../../engine/options/cache.ts";
import { duration } from "../../engine/options/duration.ts";
import { problemOfDatabase, problemOfStore } from "./address.ts";
import { problemOfRedis } from "./redis-address.ts";
import { numeric } from "./server.ts";

/** Milliseconds, a day at most. */
export const longestMs = z.number().positive().max(86_400_000);

/** A duration of a day at most, in milliseconds. */
export const ms = duration("ms", longestMs);

const seconds = duration("s", z.number().min(0).max(86_400));

/** A text that another function knows more about: what is wrong with it, or `undefined`. */
function checkedText(problemOf: (value: string) => string | undefined) {
  return z
    .string()
    .min(1)
    .superRefine((value, context) => {
      const message = problemOf(value);
      if (message !== undefined) context.addIssue({ code: "custom", message });
    });
}

const RedisAddress = checkedText(problemOfRedis);

/** The store file, relative to the working folder, or the address of a PostgreSQL database; `false` for no store. */
export const StoreAddress = z.union([z.literal(false), checkedText(problemOfStore)], {
  error: "must be a file, an address or `false`",
});

/** What happens while the store does not answer, and where entries of the ledger wait then. */
export const StoreUnavailable = z
  .union(
    [
      z.enum(["refuse", "known_keys"]),
      z.strictObject({
        /** `known_keys` serves keys whose records were read lately; `refuse`, the default, refuses calls with `store_unavailable`. */
        calls: z.enum(["refuse", "known_keys"]).optional(),
        /** How long a key goes on being served since its record was last known to be current; minutes, 10 by default. */
        knownFor: duration("m", z.number().positive().max(1_440)).optional(),
        /** The file that entries wait in, from the working folder; `tollgate.waiting.db` by default. */
        rows: z.string().min(1).optional(),
        /** Bytes that it may have; 256 MiB by default. */
        rowsMaxBytes: numeric(z.int().min(1_048_576)).optional(),
      }),
    ],
    { error: "must be `refuse` or `known_keys`, or `calls`, `knownFor`, `rows` and `rowsMaxBytes`" },
  )
  .transform((setting) => (typeof setting === "string" ? { calls: setting } : setting));

export type StoreUnavailableSettings = z.output<typeof StoreUnavailable>;

/** The counter server: an address, alone or with options. */
export const Counters = z
  .union(
    [
      RedisAddress,
      z.strictObject({
        address: RedisAddress,
        /** Seconds beyond the deadline of its calls and a minute for which the hard-budget reservations of a dead gateway are held; default: 0. */
        hardLapse: duration("s", z.number().nonnegative().max(31_536_000)).optional(),
      }),
    ],
    { error: "must be an address, or an `address` and `hardLapse`" },
  )
  .transform((counters) => (typeof counters === "string" ? { address: counters } : counters));

export type CountersSettings = z.output<typeof Counters>;

/** The settings of the response cache. */
export const Cache = z
  .strictObject({
    ...plainCacheOptions,
    /** A Redis server that stores the answers for all gateways that name it; default: memory of this process. */
    answers: RedisAddress.optional(),
    /** A PostgreSQL database that stores the vectors (with `embed`) for all gateways that name it. */
    vectors: checkedText(problemOfDatabase).optional(),
    /** A file that pairs of similar questions are appended to, with `embed`; `tollgate cache review` shows them. */
    review: z.string().min(1).optional(),
    /** Seconds that an answer is good for. */
    ttl: duration("s").optional(),
    /** Bytes of all answers together. */
    maxBytes: numeric(z.int().positive()).optional(),
    /** Questions that similar ones are looked for among, with `embed`. */
    maxEntries: numeric(z.int().positive()).optional(),
  })
  .refine(({ answers, maxBytes }) => answers === undefined || maxBytes === undefined, {
    path: ["maxBytes"],
    message: "is for answers in memory; what a Redis server keeps in all is its `maxmemory`",
  })
  .refine(({ vectors, maxEntries }) => vectors === undefined || maxEntries === undefined, {
    path: ["maxEntries"],
    message: "is for vectors in memory; those in a database are kept as long as answers are good (`ttl`)",
  })
  .refine(({ vectors, embed }) => vectors === undefined || embed !== undefined, {
    path: ["vectors"],
    message: "needs `embed`, the model that makes them",
  })
  .refine(({ check, embed }) => check === undefined || embed !== undefined, {
    path: ["check"],
    message: "checks similar questions, which are found with `embed`",
  })
  .refine(({ vectors, answers }) => vectors === undefined || answers !== undefined, {
    path: ["vectors"],
    message:
      "needs `answers`, the Redis server that keeps what they lead to: other gateways do not see answers in this one's memory",
  });

/** How calls to providers leave this machine. */
export const Network = z.strictObject({
  /** A proxy for all calls, one for each scheme, or `false` for none whatever the environment says. */
  proxy: z
    .union(
      [
        z.literal(false),
        z.string().min(1),
        z.strictObject({ http: z.string().min(1), https: z.string().min(1) }).partial(),
      ],
      {
        error: "must be the URL of a proxy, `http` and `https` with one each, or `false`",
      },
    )
    .optional(),
  /** Hosts that are asked without a proxy, as in `NO_PROXY`. */
  noProxy: z.union([z.string(), z.array(z.string().min(1))], { error: "must be a text or a list of hosts" }).optional(),
  /** Certificates of private authorities: PEM files relative to the working folder, or their content. */
  ca: z
    .union([z.string().min(1), z.array(z.string().min(1))], { error: "must be a file, or a list of files" })
    .optional(),
  /** Seconds that the addresses of a name are used: bounds of what name servers state, and where none states it. */
  dns: z.strictObject({ least: seconds, most: seconds, usual: seconds }).partial().optional(),
  /** Milliseconds that an idle connection is kept when the server names no time of its own. */
  keepAlive: ms.optional(),
});

/** The `network` section of a configuration. */
export type NetworkConfig = z.output<typeof Network>;
