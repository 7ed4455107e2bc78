import { GatewayError } from "../../engine/errors.ts";
import { type HttpRequest, readHeader } from "../message.ts";
import { rateHeaderNames } from "./rate-limit-headers.ts";

/** Which web pages may call: any, or those of the listed origins (`https://app.example`; `*` for any). */
export type AllowedOrigins = true | readonly string[];

const notAnOrigin = "must be an origin as browsers send it, `https://app.example`, without a path, or `*` for any";

/** What is wrong with an origin of the list; undefined for one that a browser may send, and for `*`. */
export function problemOfOrigin(origin: unknown): string | undefined {
  if (origin === "*") return undefined;
  if (typeof origin !== "string" || !/^[a-z][a-z0-9+.-]*:\/\/[^\s/?#@*,]+$/.test(origin)) return notAnOrigin;
  // Of the web's own schemes, what is left out of an origin is known: capitals, and the port that goes without saying.
  const isOfTheWeb = /^https?:/.test(origin);
  return isOfTheWeb && URL.parse(origin)?.origin !== origin ? notAnOrigin : undefined;
}

/** The origins that may call, checked; throws `invalid_configuration`, which names the one that is not an origin. */
export function readOrigins(cors: AllowedOrigins | undefined): AllowedOrigins | undefined {
  if (!cors || cors === true) return cors;
  const at = Array.isArray(cors) ? cors.findIndex((each) => problemOfOrigin(each) !== undefined) : undefined;
  if (at === -1) return cors.includes("*") ? true : cors;
  const param = at === undefined ? "cors" : `cors.${at}`;
  const problem = at === undefined ? "must be `true` or a list of origins" : notAnOrigin;
  throw new GatewayError("invalid_configuration", `\`${param}\` ${problem}.`, { param });
}

/** Seconds for which a browser may remember a preflight. */
const rememberFor = "600";

const exposedHeaders = [
  "x-tg-event-id",
  "x-request-id",
  "etag",
  "retry-after",
  "retry-after-ms",
  ...rateHeaderNames,
  "x-tg-next",
  "x-tg-job",
  "x-tg-warnings",
].join(", ");

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

/** The headers of a preflight's answer in addition to {@link allowOrigin}: the path's methods, and all headers it requests. */
export function allowPreflight(methods: string, request: HttpRequest): Record<string, string> {
  const parsed = readHeader(request.headers, "access-control-request-headers");
  return {
    "access-control-allow-methods": methods,
    ...(parsed === undefined ? {} : { "access-control-allow-headers": parsed }),
    "access-control-max-age": rememberFor,
  };
}
