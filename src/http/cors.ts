import { type HttpRequest, readHeader } from "./exchange.ts";
import { rateHeaderNames } from "./rates.ts";

/** Which web pages may call: any, or those of the listed origins (`https://app.example`). */
export type AllowedOrigins = true | readonly string[];

/** Seconds for which a browser may remember a preflight. */
const rememberFor = "600";

const exposedHeaders = ["x-tg-event-id", "retry-after", ...rateHeaderNames, "x-tg-warnings"].join(", ");

/** Headers that let the page of this request read the answer; none when its origin may not. */
export function allowOrigin(allowed: AllowedOrigins, request: HttpRequest): Record<string, string> {
  const exposed = { "access-control-expose-headers": exposedHeaders };
  if (allowed === true) return { "access-control-allow-origin": "*", ...exposed };
  const origin = readHeader(request.headers, "origin");
  if (origin === undefined || !allowed.includes(origin)) return { vary: "origin" };
  return { "access-control-allow-origin": origin, vary: "origin", ...exposed };
}

/** True for the question of a browser whether a page may call; it never carries credentials. */
export function isPreflight({ method, headers }: HttpRequest): boolean {
  return method === "OPTIONS" && readHeader(headers, "access-control-request-method") !== undefined;
}

/** What a preflight wants to hear beside {@link allowOrigin}: the path's methods, and whatever headers it asks for. */
export function allowPreflight(methods: string, request: HttpRequest): Record<string, string> {
  const asked = readHeader(request.headers, "access-control-request-headers");
  return {
    "access-control-allow-methods": methods,
    ...(asked === undefined ? {} : { "access-control-allow-headers": asked }),
    "access-control-max-age": rememberFor,
  };
}
