import { z } from "zod";
import { ToolServerName } from "../api/mcp/access.ts";
import { Rates } from "../api/rates.ts";
import { duration } from "./duration.ts";

const ms = duration("ms");

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

const UnpricedShape = z.union([z.enum(["allow", "deny"]), Rates.strict()]);

/** What becomes of calls without a known price, made with a key that has a budget: a rule, or the rates at which they are counted. */
export type Unpriced = z.infer<typeof UnpricedShape>;

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
    .strictObject({
      maxInFlight: z.int().min(1),
      maxWaiting: z.int().min(0),
      maxWaitMs: duration("ms", z.number().positive().max(86_400_000)),
    })
    .partial()
    .optional(),
  requireKey: z.boolean().optional(),
  keyPrefix: z
    .string()
    .min(1)
    .regex(/^[!-~]*$/, "must be ASCII without spaces, since keys are sent in a header")
    .optional(),
  unpriced: UnpricedShape.optional(),
  /** Servers of the Model Context Protocol by name (docs/mcp.md); what opens a server checks its settings. */
  mcp: z
    .strictObject({ servers: z.record(ToolServerName, z.looseObject({})), search: z.boolean().optional() })
    .optional(),
  stablePrompts: z.boolean().optional(),
  gatherMs: duration("ms", z.number().min(0).max(1_000)).optional(),
};
