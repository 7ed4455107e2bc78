import type { z } from "zod";
import { findNoJson } from "../api/no-json.ts";
import { GatewayError } from "../errors.ts";
import { describeIssues, type Issue } from "../issues.ts";

/** Reads an unknown value as a request; throws `invalid_request` with the offending field in `param`. */
export type Parser<Request> = (input: unknown) => Request;

/** How a parser departs from its schema. */
interface ParserOptions {
  readonly keepsNulls?: boolean;
}

/**
 * A parser over a schema. Top-level fields that are `null` count as absent, as vendors' own APIs have it; the caller's object is
 * never changed.
 */
export function parserOf<Schema extends z.ZodType>(
  schema: Schema,
  { keepsNulls = false }: ParserOptions = {},
): Parser<z.output<Schema>> {
  return (input) => {
    const result = schema.safeParse(keepsNulls ? input : withoutNulls(input));
    if (result.success) return result.data;
    throw invalidRequest(result.error.issues);
  };
}

/**
 * A parser of what providers are asked: beside what the schema says, JSON must be able to carry all of it, also the fields that nobody
 * here knows. `usual` reads what is usual, faster; undefined leaves it to the schema.
 */
export function requestParserOf<Schema extends z.ZodType>(
  schema: Schema,
  usual?: Parser<z.output<Schema> | undefined>,
): Parser<z.output<Schema>> {
  const parse = parserOf(schema);
  return (input) => {
    const known = usual?.(input);
    if (known !== undefined) return known;
    const request = parse(input);
    const found = findNoJson(request, input);
    if (found === undefined) return request;
    const param = found.path.join(".");
    throw new GatewayError("invalid_request", `\`${param}\`: ${found.problem}`, { param });
  };
}

/** What a schema found as an `invalid_request`. */
function invalidRequest(issues: readonly Issue[]): GatewayError {
  const { param, message } = describeIssues(issues);
  return new GatewayError("invalid_request", `${param === undefined ? "The request" : `\`${param}\``}: ${message}`, {
    param,
  });
}

function withoutNulls(input: unknown): unknown {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return input;
  for (const name in input) {
    if ((input as Record<string, unknown>)[name] === null) {
      return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null));
    }
  }
  return input;
}
