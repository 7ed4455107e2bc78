import { z } from "zod";
import { RequestType } from "../../../../engine/api/common.ts";
import { requestDimensions } from "../../../../engine/ports/ledger.ts";
import { op } from "../../../define.ts";
import { flag, id, ids, instant, words } from "../../fields.ts";

/** What usage can be grouped by; `interval` cuts it by time. */
export const Dimension = z.union([z.enum(requestDimensions), z.string().regex(/^metadata\..{1,200}$/)]);

/** A key, project or customer of a request. The name is absent where it is gone, or not the caller's to see. */
const Owner = z.object({ id: z.string(), name: z.string().optional() });

const tokens = {
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  cached_read_tokens: z.int(),
  cached_write_tokens: z.int(),
  reasoning_tokens: z.int(),
};

/** One request, refused ones included. Money is in US dollars, times are in milliseconds. */
export const AiRequest = z.object({
  event_id: z.string(),
  /** When it came in. */
  at: instant,
  request_type: RequestType,
  /** The model as the caller asked for it. */
  model_requested: z.string(),
  /** `provider/model` that was asked last; absent when none was. */
  model: z.string().optional(),
  provider: z.string().optional(),
  key: Owner.optional(),
  project: Owner.optional(),
  customer: Owner.optional(),
  user: z.string().optional(),
  metadata: z.record(z.string(), z.string()).optional(),
  status: z.int(),
  /** `ok`, or the code of the error. */
  reason: z.string(),
  latency: z.number(),
  time_to_first_token: z.number().optional(),
  cache: z.enum(["direct", "semantic"]).optional(),
  /** What the cache saved. */
  saved: z.number(),
  /** Tokens of the cached answer, as they were counted when it was generated. */
  saved_prompt_tokens: z.int(),
  saved_completion_tokens: z.int(),
  ...tokens,
  cost: z.number(),
  /** The cost with the uplift of the key's reseller. */
  price: z.number(),
  attempt_count: z.int(),
  is_estimated: flag,
  is_unpriced: flag,
});
export type AiRequest = z.output<typeof AiRequest>;

/** One line of a bill: `amount` is quantity × rate. */
export const AiLineItem = z.object({
  unit: z.string(),
  quantity: z.number(),
  /** US dollars per unit. */
  rate: z.number(),
  amount: z.number(),
  basis: z.string(),
});
export type AiLineItem = z.output<typeof AiLineItem>;

/** One target that was asked. `credential` is shown to the provider level only. */
export const AiRequestAttempt = z.object({
  at: instant,
  provider: z.string(),
  model: z.string(),
  credential: z.string().optional(),
  status: z.int(),
  reason: z.string(),
  latency: z.number(),
  time_to_first_token: z.number().optional(),
  ...tokens,
  cost: z.number(),
  items: z.array(AiLineItem),
  price_version: z.string().optional(),
  is_estimated: flag,
  is_unpriced: flag,
});
export type AiRequestAttempt = z.output<typeof AiRequestAttempt>;

/** A target, or an entry of the request, that was not asked, and why. */
export const AiSkippedTarget = z.object({ entry: z.string(), reason: z.string(), message: z.string() });
export type AiSkippedTarget = z.output<typeof AiSkippedTarget>;

/** Arguments and result of a tool call as JSON text, where the key logs contents (`log_content` of its `mcp_configs`). */
const AiToolContent = z.object({
  /** As the server was sent them. */
  arguments: z.string(),
  /** Absent where the call failed. */
  result: z.string().optional(),
  /** A text is longer than what the ledger has of it. */
  is_truncated: flag,
});

/**
 * One request with everything that explains its bill and its route, as the ledger has them. The amounts of all line items add up to `cost`.
 * `plan` has the targets in the order in which they were to be asked, `skipped` who was not asked, eight of each at most; `omitted` counts
 * the others.
 */
export const AiRequestDetail = AiRequest.extend({
  attempts: z.array(AiRequestAttempt),
  plan: z.array(z.string()),
  skipped: z.array(AiSkippedTarget),
  rule: z.string().optional(),
  omitted: z.int().optional(),
  tool_content: AiToolContent.optional(),
});
export type AiRequestDetail = z.output<typeof AiRequestDetail>;

/** One event of the live log; its other fields depend on `type`. */
export const AiRequestEvent = z.looseObject({
  type: z.string(),
  at: instant,
  /** Events before this one that were not sent, because there were too many. */
  dropped: z.int().optional(),
});
export type AiRequestEvent = z.output<typeof AiRequestEvent>;

const eventTypes = ["planned", "attempted", "fell_back", "refused", "cache", "settled", "circuit"] as const;

const statuses = z.array(z.int().min(100).max(599)).max(100);

/** What requests can be filtered by. Several values of a field are alternatives. */
export const requestFilters = {
  key_id: ids.optional(),
  project_id: ids.optional(),
  customer_id: ids.optional(),
  provider: words.optional(),
  model: words.optional(),
  request_type: z.array(RequestType).max(10).optional(),
  user: words.optional(),
  status: statuses.optional(),
  reason: words.optional(),
  cache: z
    .array(z.enum(["direct", "semantic", "none"]))
    .max(3)
    .optional(),
  metadata: z.record(z.string(), z.string()).optional(),
};

const isExtension = true;

/** Requests, one by one. */
export const aiRequests = {
  requests: op("GET /ai/requests", "ai_requests-get", "List requests, the newest first", {
    in: {
      ...requestFilters,
      from: instant.optional(),
      to: instant.optional(),
      event_id: id.optional(),
      min_cost: z.number().nonnegative().max(1_000_000).optional(),
      min_latency: z.number().nonnegative().optional(),
      limit: z.int().min(1).max(200).optional(),
      after: z.string().min(1).max(100).optional(),
    },
    out: z.array(AiRequest),
    isExtension,
  }),
  requestStream: op("GET /ai/requests/stream", "ai_requests_stream-get", "Follow requests as they happen", {
    in: {
      type: z.array(z.enum(eventTypes)).max(eventTypes.length).optional(),
      key_id: ids.optional(),
      model: words.optional(),
      provider: words.optional(),
      status: statuses.optional(),
      last_event_id: z.string().min(1).max(100).optional(),
    },
    stream: AiRequestEvent,
    isExtension,
  }),
  request: op("GET /ai/requests/{event_id}", "ai_request-get", "Read one request with its bill", {
    out: AiRequestDetail,
    isExtension,
  }),
};
