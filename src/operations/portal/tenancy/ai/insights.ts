import { z } from "zod";
import { Budget, RateLimit, ResetDuration } from "../../../../engine/api/governance.ts";
import { TimeZone } from "../../../../engine/api/limits/time-zone.ts";
import { op } from "../../../define.ts";
import { flag, id, instant, text, words } from "../../fields.ts";
import { Verb } from "./parts.ts";
import { aiPrices } from "./prices.ts";
import { Dimension, requestFilters } from "./requests.ts";

/** Sums of requests in one group and one interval. Money is in US dollars, `latency` the sum of milliseconds, `saved_*_tokens` what hits of the answer cache did not ask for again. */
export const AiUsageRow = z.object({
  /** The beginning of the interval, in UTC; absent without `interval`. */
  at: instant.optional(),
  /** The value of each dimension, `null` where requests have none. */
  group: z.record(z.string(), z.string().nullable()),
  /** The names of the key, project and customer of the group, deleted ones too, as far as the caller sees them: by dimension. */
  names: z.record(z.string(), z.string()).optional(),
  /** True for the sum of all groups beyond `limit`. */
  is_other: flag.optional(),
  /** All that came in, refused ones included. */
  requests: z.int(),
  /** Requests with a status of 400 or more. */
  failures: z.int(),
  /** Failures for which no provider was asked: the gateway refused them. */
  refused: z.int(),
  cache_hits: z.int(),
  attempts: z.int(),
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  cached_read_tokens: z.int(),
  cached_write_tokens: z.int(),
  reasoning_tokens: z.int(),
  unpriced: z.int(),
  estimated: z.int(),
  latency: z.number(),
  cost: z.number(),
  /** The cost with the uplifts of the keys' resellers, rounded for each key and provider, to the nano-dollar. */
  price: z.number(),
  saved: z.number(),
  saved_prompt_tokens: z.int(),
  saved_completion_tokens: z.int(),
});
export type AiUsageRow = z.output<typeof AiUsageRow>;

/** One limit on the way of a key: of itself, its provider entries, its project or its customer. Money is in US dollars. */
export const AiLimit = z.object({
  level: z.string(),
  owner: z.object({ id: z.string(), name: z.string().optional() }),
  unit: z.string(),
  max: z.number(),
  used: z.number(),
  /** Held by calls under way. */
  reserved: z.number(),
  left: z.number(),
  duration: z.string(),
  is_calendar: flag,
  is_hard: flag,
  is_used_up: flag,
  /** Absent for a rolling window that has not begun. */
  resets_at: instant.optional(),
});
export type AiLimit = z.output<typeof AiLimit>;

/** The route that a request would take. */
export const AiPlan = z.object({
  targets: z.array(
    z.object({
      target: z.string(),
      provider: z.string(),
      model: z.string(),
      /** What the named number of tokens would cost; absent where the price is unknown. */
      expected_cost: z.number().optional(),
    }),
  ),
  skipped: z.array(z.object({ entry: z.string(), reason: z.string(), message: z.string() })),
  /** The rule that acted. */
  rule: z.string().optional(),
});
export type AiPlan = z.output<typeof AiPlan>;

/** The health of one target in this process; latencies are in milliseconds. */
export const AiTargetHealth = z.object({
  target: z.string(),
  state: z.string(),
  /** When an open circuit lets a request through. */
  open_until: instant.optional(),
  failures_in_a_row: z.int(),
  last_5_minutes: z.object({ requests: z.int(), failures: z.int() }),
  last_hour: z.object({ requests: z.int(), failures: z.int() }),
  /** Of the last hour; absent without an answer. Upper bounds, at most a fifth too high. */
  latency_p50: z.number().optional(),
  latency_p95: z.number().optional(),
});
export type AiTargetHealth = z.output<typeof AiTargetHealth>;

/** A tier: what keys and projects are made from. `key_price` is in US dollars a month. */
export const AiTier = z.object({
  name: z.string(),
  llms: z.array(z.string()),
  budgets: z.array(Budget),
  rate_limits: z.array(RateLimit),
  key_price: z.number(),
});
export type AiTier = z.output<typeof AiTier>;

const isExtension = true;
const count = z.int().nonnegative().max(1e9);

/** What happened and what would: usage, limits, routes and health. */
export const aiInsights = {
  ...aiPrices,
  usage: op("GET /ai/usage", "ai_usage-get", "Sum usage by any grouping, hour by hour, day by day or month by month", {
    in: {
      ...requestFilters,
      from: instant,
      to: instant,
      group_by: z.array(Dimension).max(6).optional(),
      interval: z.enum(["hour", "day", "month"]).optional(),
      timezone: TimeZone.optional(),
      limit: z.int().min(1).max(1_000).optional(),
      order: z
        .enum([
          "cost",
          "price",
          "requests",
          "refused",
          "failures",
          "prompt_tokens",
          "completion_tokens",
          "saved",
          "saved_prompt_tokens",
          "saved_completion_tokens",
        ])
        .optional(),
    },
    out: z.array(AiUsageRow),
    isExtension,
  }),
  tiers: op("GET /ai/tiers", "ai_tiers-get", "List the tiers that the caller may make keys and projects from", {
    out: z.array(AiTier),
    isExtension,
  }),
  limits: op("GET /ai/limits", "ai_limits-get", "Read every limit on the way of a key, a project or a customer", {
    in: { key_id: id.optional(), project_id: id.optional(), customer_id: id.optional() },
    out: z.array(AiLimit),
    isExtension,
    rules: ["Exactly one of `key_id`, `project_id` and `customer_id` is required."],
  }),
  resetLimits: op(
    "POST /ai/limits/reset",
    "ai_limits_reset-post",
    "Begin the counts of a key's, a project's or a customer's limits anew, with a reason",
    {
      in: {
        key_id: id.optional(),
        project_id: id.optional(),
        customer_id: id.optional(),
        reason: z.string().trim().min(1).max(500),
        window: ResetDuration.optional(),
      },
      isExtension,
      rules: ["Exactly one of `key_id`, `project_id` and `customer_id` is required."],
    },
  ),
  plan: op("POST /ai/plan", "ai_plan-post", "Explain the route that a request would take, without sending it", {
    in: {
      model: text,
      fallbacks: words.optional(),
      key_id: id.optional(),
      verb: Verb.optional(),
      metadata: z.record(z.string(), z.string()).optional(),
      prompt_tokens: count.optional(),
      completion_tokens: count.optional(),
    },
    out: AiPlan,
    isQuery: true,
    isExtension,
    rules: ["`key_id` is required below the provider's level."],
  }),
  health: op("GET /ai/health", "ai_health-get", "Read the health of every target: circuit, failures, latency", {
    out: z.array(AiTargetHealth),
    isExtension,
  }),
};
