import type { z } from "zod";
import { GatewayError } from "../errors.ts";

/** Reads an unknown value as a request; throws `invalid_request` with the offending field in `param`. */
export type Parser<Request> = (input: unknown) => Request;

/**
 * A parser over a schema. Top-level fields that are `null` count as absent, as vendors' own APIs have it; the caller's object is
 * never changed.
 */
export function parserOf<Schema extends z.ZodType>(schema: Schema): Parser<z.output<Schema>> {
  return (input) => {
    const result = schema.safeParse(withoutNulls(input));
    if (result.success) return result.data;
    throw invalidRequest(result.error.issues);
  };
}

/** The first and most specific of the issues as an `invalid_request`. */
export function invalidRequest(issues: readonly Issue[]): GatewayError {
  const issue = mostSpecific(issues[0] ?? { path: [], message: "is not valid" });
  const param = issue.path.map(String).join(".");
  const name = param === "" ? "The request" : `\`${param}\``;
  return new GatewayError("invalid_request", `${name}: ${issue.message}`, { param: param === "" ? undefined : param });
}

/** What is read of a zod issue. */
interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly errors?: readonly (readonly Issue[])[];
}

/** Descends into the branch of a union that got furthest: that is the one the caller meant. */
function mostSpecific(issue: Issue): Issue {
  let deepest: Issue | undefined;
  for (const branch of issue.errors ?? []) {
    const first = branch[0];
    if (first && first.path.length > (deepest?.path.length ?? 0)) deepest = first;
  }
  if (!deepest) return issue;
  const inner = mostSpecific(deepest);
  return { path: [...issue.path, ...inner.path], message: inner.message };
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
