import { z } from "zod";

/** Milliseconds since the epoch; `Infinity` for no end. */
const Instant = z.custom<number>(
  (value) => typeof value === "number" && !Number.isNaN(value),
  "must be a number of milliseconds since the epoch",
);
const Value = z.union([z.string(), z.number(), z.null()]);
const Filters = z.record(z.string(), z.union([Value, z.array(Value)]).optional());

interface UsageSpan {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}
const isSpan = ({ from = -Infinity, to = Infinity }: UsageSpan) => from <= to;
const backwards = { path: ["to"], message: "must not be before `from`" };

/** What to sum over. Dimensions are checked by the ledger, which knows them. */
export const UsageQuery = z
  .strictObject({
    from: Instant,
    to: Instant,
    group_by: z.array(z.string()).optional(),
    filters: Filters.optional(),
  })
  .refine(isSpan, backwards);

/** Which entries to read. */
export const EntriesQuery = z
  .strictObject({
    from: Instant.optional(),
    to: Instant.optional(),
    filters: Filters.optional(),
    id: z.string().optional(),
    limit: z.int().min(1).max(1_000),
    after: z.string().optional(),
  })
  .refine(isSpan, backwards);

/** What to forget. */
export const PruneQuery = z.strictObject({ before: Instant, sums: z.boolean().optional() });
