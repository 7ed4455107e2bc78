import { z } from "zod";
import { duration } from "../../engine/options/duration.ts";
import { deepestJson } from "../../engine/runtime/json/json-scan.ts";
import { problemOfOrigin } from "../../http/response/cors.ts";
import { ServiceShape } from "../../operations/service-credential.ts";

/** A number, also as the text that an environment variable holds. */
export function numeric(schema: z.ZodNumber) {
  return z
    .custom<number | `${number}`>(
      (value) => typeof value !== "string" || /^\d+$/.test(value),
      "must be a number, not a string",
    )
    .transform((value) => (typeof value === "string" ? Number(value) : value))
    .pipe(schema);
}

/** How the port is served. */
export const Server = z.strictObject({
  port: numeric(z.int().min(0).max(65_535)).optional(),
  host: z.string().min(1).optional(),
  /** Host names that a server on this machine accepts in addition to localhost, such as those of a reverse proxy. */
  hosts: z.array(z.string().min(1)).optional(),
  /** Bytes of a request's body. */
  bodyLimit: numeric(z.int().positive()).optional(),
  /** What else a body may hold and use (docs/bounds.md). */
  bodyBounds: z
    .strictObject({
      unpackRatio: numeric(z.number().min(1)),
      values: numeric(z.int().positive()),
      depth: numeric(z.int().min(1).max(deepestJson)),
      bufferedPerKey: numeric(z.int().positive()),
      buffered: numeric(z.int().positive()),
      arrivalMs: duration("ms", z.int().nonnegative()),
    })
    .partial()
    .optional(),
  /** Milliseconds of silence in a stream after which a comment is sent; 0 for never. */
  keepAliveMs: duration("ms", z.int().nonnegative()).optional(),
  /** Milliseconds that a request waits to be begun before new ones are refused; 0 for never. */
  startWaitMs: duration("ms", z.int().nonnegative()).optional(),
  /** Web pages that may call: `true` for any, or their origins. */
  cors: z
    .union([z.literal(true), z.array(z.string())], { error: "must be `true` or a list of origins" })
    .superRefine((origins, context) => {
      for (const [position, origin] of origins === true ? [] : origins.entries()) {
        const message = problemOfOrigin(origin);
        if (message !== undefined) context.addIssue({ code: "custom", path: [position], message });
      }
    })
    .optional(),
  /** `false` serves the portal under `/api` only. */
  portalAtRoot: z.boolean().optional(),
  /** `false` leaves the web console out. */
  console: z.boolean().optional(),
  /** What operators send under `/api`. */
  service: ServiceShape.optional(),
});
