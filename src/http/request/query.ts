import { parse } from "node:querystring";

/**
 * The parameters of a query string by name, a repeated one as an array. Broken percent-encoding is kept as it is; the record
 * has no prototype, so that no name can reach one.
 */
export function parseQuery(query: string): Readonly<Record<string, string | readonly string[]>> {
  return parse(query) as Record<string, string | string[]>;
}
