import { z } from "zod";
import { modelPattern } from "./model-pattern.ts";
import { TimeZone } from "./time-zone.ts";

/** How long a window lasts: minute, hour, day, week, month, quarter, year; `never` is one window without an end, for what was paid ahead. */
export const ResetDuration = z.enum(["1m", "1h", "1d", "1w", "1M", "1Q", "1Y", "never"]);
export type ResetDuration = z.infer<typeof ResetDuration>;

/** Identifiers stand in paths and counters: letters, digits, `.`, `_` and `-`. */
export const Id = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/, "must be 1 to 128 letters, digits, `.`, `_` or `-`");

/** A model by its name (`gpt-5`, `openai/gpt-5`), all models below a name (`openai/*`), or all (`*`). */
export const ModelPattern = z
  .string()
  .max(modelPattern.most)
  .regex(modelPattern.form, "must be a model's name, `provider/*` or `*`");
export type ModelPattern = z.infer<typeof ModelPattern>;

/** What a limit counts, where that is not every call of its owner. */
const scope = {
  /** Only calls to these models; they stand in the name of the count, which is why there are few. */
  models: z.array(ModelPattern).min(1).max(20).optional(),
  /** Only calls of this end user (the request's `user`), or with `*` each end user alone, whom no other limit of the owner names. */
  user: z.string().min(1).max(256).optional(),
  /** When it was last reset by hand, RFC 3339: what came before does not count. */
  reset_at: z.iso.datetime({ offset: true }).optional(),
  /** Why. */
  reset_reason: z.string().max(500).optional(),
};

const WeekStart = z.enum(["monday", "sunday", "saturday"]);

/**
 * Spending that is allowed per window, in US dollars. `hard` reserves the model's largest possible answer, so that spending never
 * passes the limit; `soft` reserves what the caller asked for, so that it passes by what is in flight at most.
 */
export const Budget = z
  .strictObject({
    /** A name for the owner's own use; the count belongs to the owner, the duration and the alignment, and outlives edits. */
    id: Id.optional(),
    /** Dollars. Less than a nano-dollar would be counted as nothing, so that no call passes. */
    max_limit: z
      .number()
      .nonnegative()
      .max(9_000_000)
      .refine((dollars) => dollars === 0 || dollars >= 1e-9, "must be 0, or at least 0.000000001"),
    reset_duration: ResetDuration,
    /** Windows of the calendar instead of windows that begin with the first use. */
    calendar_aligned: z.boolean().default(false),
    /** The time zone of the calendar; UTC without. Windows of minutes and hours are those of UTC. */
    timezone: TimeZone.optional(),
    /** The first day of a calendar week; Monday without. */
    week_start: WeekStart.optional(),
    enforcement: z.enum(["hard", "soft"]).default("soft"),
    fit: z.boolean().optional(), // `max_completion_tokens` is lowered to what is left, instead of a refusal; `warnings` say so
    ...scope,
  })
  .superRefine(({ calendar_aligned, timezone, week_start }, context) => {
    for (const [field, value] of Object.entries({ timezone, week_start }))
      if (value !== undefined && !calendar_aligned)
        context.addIssue({ code: "custom", path: [field], message: "is for a budget that is `calendar_aligned`" });
  });
export type Budget = z.infer<typeof Budget>;

const Count = z.int().nonnegative().max(1_000_000_000_000);

export const MaxInFlight = z.int().min(1).max(1_000_000);

const limitPairs = [
  ["token_max_limit", "token_reset_duration"],
  ["request_max_limit", "request_reset_duration"],
] as const;

/** Tokens, requests, or both, that are allowed per window; a window begins with the first use. */
export const RateLimit = z
  .strictObject({
    token_max_limit: Count.optional(),
    token_reset_duration: ResetDuration.optional(),
    request_max_limit: Count.optional(),
    request_reset_duration: ResetDuration.optional(),
    ...scope,
  })
  .superRefine((limit, context) => {
    const report = (field: string, message: string) => context.addIssue({ code: "custom", path: [field], message });
    for (const [max, duration] of limitPairs) {
      if (limit[max] !== undefined && limit[duration] === undefined) report(duration, `is needed with \`${max}\``);
      if (limit[max] === undefined && limit[duration] !== undefined) report(max, `is needed with \`${duration}\``);
    }
    if (limitPairs.every(([max]) => limit[max] === undefined))
      report("request_max_limit", "must be given, or `token_max_limit`");
  })
  .meta({
    examples: [{ request_max_limit: 1_000, request_reset_duration: "1h" }],
    anyOf: limitPairs.map(([max]) => ({ properties: { [max]: { type: "integer" } }, required: [max] })),
    dependentRequired: Object.fromEntries(
      limitPairs.flatMap(([max, duration]) => [
        [max, [duration]],
        [duration, [max]],
      ]),
    ),
  });
export type RateLimit = z.infer<typeof RateLimit>;
