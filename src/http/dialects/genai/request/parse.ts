import { invalidRequest } from "../../../../engine/dialects/refusals.ts";
import { parserOf } from "../../../../engine/pipeline/call/parse.ts";
import { toCamelCase } from "../names.ts";
import { GenaiRequest } from "../schema.ts";

const parse = parserOf(GenaiRequest);

/** Parses the body of `generateContent`, in camel or snake case; throws `invalid_request` with the vendor's name of the field. */
export function parseRequest(body: unknown): GenaiRequest {
  const parsed = parse(toCamelCase(body));
  if (parsed.cachedContent !== undefined) throw invalidRequest("cachedContent", "is kept at its vendor only.");
  return parsed;
}
