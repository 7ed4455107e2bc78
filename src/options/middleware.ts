import { z } from "zod";
import { duration } from "./duration.ts";

const hook = z.custom<unknown>((value) => typeof value === "function", "must be a function").optional();

const OneMiddleware = z
  .looseObject({
    name: z.string().min(1).max(100),
    verbs: z.array(z.enum(["chat", "embed", "rerank", "decide", "tool"])).optional(),
    applies: hook,
    request: hook,
    answer: hook,
    stream: z.looseObject({ hold: z.enum(["chunk", "sentence", "whole"]), text: hook.unwrap() }).optional(),
    timeout: duration("ms").optional(),
    onError: z.enum(["closed", "open"]).optional(),
  })
  .refine(({ request, answer, stream }) => request ?? answer ?? stream, "needs `request`, `answer` or `stream`");

/** A list of middleware, as far as it can be seen from outside. */
export const MiddlewareShape = z
  .array(OneMiddleware)
  .refine((all) => new Set(all.map(({ name }) => name)).size === all.length, "has a `name` twice");
