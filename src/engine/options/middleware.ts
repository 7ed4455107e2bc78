import { z } from "zod";
import { findSimilar } from "../runtime/did-you-mean.ts";
import { duration } from "./duration.ts";

const hook = z.custom<unknown>((value) => typeof value === "function", "must be a function").optional();

const Fields = z.looseObject({
  name: z.string().min(1).max(100),
  verbs: z.array(z.enum(["chat", "embed", "rerank", "decide", "tool"])).optional(),
  applies: hook,
  request: hook,
  answer: hook,
  stream: z.looseObject({ hold: z.enum(["chunk", "sentence", "whole"]), text: hook.unwrap() }).optional(),
  timeout: duration("ms").optional(),
  onError: z.enum(["closed", "open"]).optional(),
});
const fields = Object.keys(Fields.shape);

const OneMiddleware = Fields.superRefine(refuseNearNames).refine(
  ({ request, answer, stream }) => request ?? answer ?? stream,
  "needs `request`, `answer` or `stream`",
);

/** A middleware may have members of its own; one in place of a field of ours, with nearly its name, would be left out in silence. */
function refuseNearNames(middleware: object, context: z.RefinementCtx): void {
  for (const name of Object.keys(middleware)) {
    const similar = fields.includes(name) ? undefined : findSimilar(name, fields, 1);
    if (similar !== undefined && !(similar in middleware))
      context.addIssue({
        code: "custom",
        path: [name],
        message: `is not a known field (did you mean \`${similar}\`?)`,
      });
  }
}

/** A list of middleware, as far as it can be seen from outside. */
export const MiddlewareShape = z
  .array(OneMiddleware)
  .refine((all) => new Set(all.map(({ name }) => name)).size === all.length, "has a `name` twice");
