import { z } from "zod";

/** One failed target of a failed call. */
const Attempt = z.looseObject({
  target: z.string(),
  status: z.int(),
  reason: z.string(),
  milliseconds: z.number(),
  tries: z.int().optional(),
});

/** The one error body of both APIs, before and inside a stream (inference-resolved.md, section 3). */
export const ErrorBody = z.looseObject({
  event_id: z.string(),
  type: z.string(),
  is_gateway_error: z.boolean(),
  status_code: z.int(),
  error: z.looseObject({
    type: z.string(),
    code: z.string().nullable(),
    message: z.string(),
    param: z.string().nullable(),
    event_id: z.string(),
    attempts: z.array(Attempt).optional(),
    /** Of `content_blocked`: the middleware that refused. */
    middleware: z.string().optional(),
    /** Of `content_blocked`: the middleware's own word for why. */
    reason: z.string().optional(),
    /** Of the portal: the key of the code's text in every language, and its parameters; `detail` is the sentence in English. */
    key: z.string().optional(),
    params: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
  }),
  extra_fields: z.looseObject({
    provider: z.string().optional(),
    model_requested: z.string().optional(),
    request_type: z.string().optional(),
  }),
});
export type ErrorBody = z.infer<typeof ErrorBody>;
