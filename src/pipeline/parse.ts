import type { z } from "zod";
import { GatewayError } from "../errors.ts";
import { describeIssues, type Issue } from "../issues.ts";

/** Reads an unknown value as a request; throws `invalid_request` with the offending field in `param`. */
export type Parser<Request> = (input: unknown) => Request;

/** How a parser departs from its schema. */
interface ParserOptions<Request> {
  readonly keepsNulls?: boolean;
  /** Reads what is usual, faster; undefined leaves it to the schema. */
  readonly usual?: (input: unknown) => Request | undefined;
}

/**
 * A parser over a schema. Top-level fields that are `null` count as absent, as vendors' own APIs have it; the caller's object is
 * never changed.
 */
export function parserOf<Schema extends z.ZodType>(
  schema: Schema,
  { keepsNulls = false, usual }: ParserOptions<z.output<Schema>> = {},
): Parser<z.output<Schema>> {
  return (input) => {
    const known = usual?.(input);
    if (known !== undefined) return known;
    const result = schema.safeParse(keepsNulls ? input : withoutNulls(input));
    if (result.success) return result.data;
    throw invalidRequest(result.error.issues);
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
