import { z } from "zod";
import { duration, timeoutsOf } from "../../engine/options/duration.ts";
import { plainOptions } from "../../engine/options/plain.ts";
import { defaultKeyPrefix } from "../../engine/policy/key.ts";
import type { Provider } from "../../engine/ports/provider.ts";
import { clashOf } from "../../operations/service-credential.ts";
import { Cache, Counters, longestMs, ms, Network, StoreAddress, StoreUnavailable } from "./connections.ts";
import { logLevels } from "./log-levels.ts";
import { numeric, Server } from "./server.ts";

const place = z.int().min(1).max(1_000);
const days = duration("d", z.number().positive().max(36_500));

const ids = z.array(z.string().min(1)).min(1);

/** One guard by its name, or a middleware of a TypeScript or JavaScript file. */
const Guard = z.looseObject({
  use: z.string().optional(),
  /** The ids of those that it is for; for all unless given. */
  ...{ keys: ids.optional(), projects: ids.optional(), customers: ids.optional() },
  verbs: z.array(z.string()).optional(),
  timeout: duration("ms").optional(),
  onError: z.enum(["closed", "open"]).optional(),
});

const Settings = z.strictObject({
  server: Server.optional(),
  store: StoreAddress.optional(),
  /** What happens while the store does not answer; entries of calls under way wait in a file where this is set, else in memory. */
  storeUnavailable: StoreUnavailable.optional(),
  /** A Redis server that counts for all gateways that name it; without it, this process counts alone. */
  counters: Counters.optional(),
  /** Retention of requests and of sums by day, in days; unlimited by default. */
  ledger: z
    .strictObject({ keepDays: days, keepSumsDays: days, keepAuditDays: days, keepTaskDays: days })
    .partial()
    .refine(({ keepDays = 0, keepSumsDays = Infinity }) => keepSumsDays >= keepDays, {
      path: ["keepSumsDays"],
      message: "must be at least `ledger.keepDays`: requests are forgotten with the sums of their days",
    })
    .optional(),
  /** Prices over the built-in ones: a file or an address (LiteLLM's format, models.dev's or ours), or its content. */
  prices: z
    .union([z.string().min(1), z.record(z.string(), z.unknown())], {
      error: "must be a file, an address, or prices by model",
    })
    .optional(),
  /** Seconds between two looks at the file or the address of `prices`; 0 for never. */
  pricesInterval: duration("s", z.number().nonnegative().max(2_000_000)).optional(),
  /** How tokens are counted where a provider does not say. */
  tokens: z.enum(["tiktoken", "estimate"], { error: "must be `tiktoken` or `estimate`" }).optional(),
  /** Caches answers; `{}` for the defaults. */
  cache: Cache.optional(),
  /** Serves metrics for Prometheus, on a port of their own: `true`, or where. */
  metrics: z
    .union([z.literal(true), Server.pick({ host: true, port: true })], {
      error: "must be `true`, or `host` and `port`",
    })
    .optional(),
  ...plainOptions,
  timeouts: timeoutsOf(longestMs).optional(),
  retry: z
    .strictObject({
      retries: numeric(z.int().min(0).max(10)),
      baseMs: ms,
      maxMs: ms,
      patienceMs: duration("ms", z.number().min(0)),
    })
    .partial()
    .optional(),
  /** Regions of the portal by their codes, each with its back ends by kind (docs/backends.md). */
  regions: z.record(z.string(), z.record(z.string(), z.unknown())).optional(),
  /** The address of the gateway as its users reach it; links in mails, and returns of logins, begin with it. */
  publicUrl: z.url({ protocol: /^https?$/ }).optional(),
  /** The server that mails are sent through, `smtps://user:password@host` or `smtp://…`, and their sender. */
  mail: z.strictObject({ url: z.url({ protocol: /^smtps?$/ }), from: z.string().min(1) }).optional(),
  /** OpenID providers that users of the portal log in at, `oidc()` of `tollgate/identity/oidc` checks each (docs/console.md). */
  oidc: z.array(z.looseObject({ name: z.string() })).optional(),
  /** Networks in addition to the public Internet that webhooks of alerts may call, as `10.1.0.0/16`. */
  webhooks: z.strictObject({ allow: z.array(z.union([z.cidrv4(), z.cidrv6(), z.ipv4(), z.ipv6()])) }).optional(),
  /** Key tiers, cost uplifts and backup policies of the portal, which validates them. */
  tiers: z.record(z.string(), z.looseObject({})).optional(),
  uplift: z.record(z.string(), z.array(z.looseObject({}))).optional(),
  backupPolicies: z.record(z.string(), z.looseObject({})).optional(),
  /** Backups that a process makes at a time: in one region (8), and of these for one tenant (2). */
  backupPlaces: z.strictObject({ region: place.optional(), tenant: place.optional() }).optional(),
  /** What every request and its answer pass, in order (docs/guards.md); what makes a guard checks its settings. */
  guards: z.array(Guard).optional(),
  network: Network.optional(),
  logLevel: z.enum(logLevels, { error: `must be one of ${logLevels.join(", ")}` }).optional(),
  /** `false` to serve only what the file names, not what the environment does. */
  discover: z.boolean().optional(),
  providers: z
    .custom<ProvidersConfig>(
      (value) => typeof value === "object" && value !== null,
      "must be an object by name, or a list",
    )
    .optional(),
});

/** A configuration file, except for what stands in `providers`: that depends on the kind of each. */
export const ConfigShape = Settings.superRefine(({ server, keyPrefix = defaultKeyPrefix }, context) => {
  const message = server?.service && clashOf(server.service, keyPrefix);
  if (message !== undefined) context.addIssue({ code: "custom", path: ["server", "service", "token"], message });
});

/** One of several keys of a provider, and what it is good for. */
export interface CredentialConfig {
  readonly id: string;
  readonly apiKey: string;
  readonly weight?: number;
  readonly models?: readonly string[];
  readonly blockedModels?: readonly string[];
  readonly aliases?: Readonly<Record<string, string>>;
}

/** Settings of one provider; what there is depends on its kind. `true` takes all from the usual variables, `false` switches it off. */
export type ProviderSettingsConfig =
  | boolean
  | {
      /** Which vendor this is, where the name does not say it: `openai`, `groq`, … */
      readonly kind?: string;
      readonly apiKey?: string;
      /** Several keys instead of one. */
      readonly credentials?: readonly CredentialConfig[];
      readonly baseUrl?: string;
      readonly headers?: Readonly<Record<string, string>>;
      readonly [setting: string]: unknown;
    };

/** Providers by name, declared; or, from a TypeScript or JavaScript file, as objects. */
export type ProvidersConfig = readonly Provider[] | Readonly<Record<string, ProviderSettingsConfig>>;

/** What `tollgate.config.*` holds: the default export of a TypeScript or JavaScript file, or the document of a JSON or YAML one. */
export type GatewayConfig = z.input<typeof ConfigShape>;

/** A configuration that was read: its durations are numbers of the unit that each field names. */
export type CheckedConfig = z.output<typeof ConfigShape>;
