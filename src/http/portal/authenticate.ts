import { GatewayError } from "../../engine/errors.ts";
import type { Caller } from "../../portal/call/call.ts";
import type { Portal } from "../../portal/portal.ts";
import { type HttpRequest, readHeader } from "../message.ts";
import { readVirtualKey } from "../request/credentials.ts";
import { readSessionCookie } from "./cookie.ts";

/**
 * Returns the caller of a request: by its access token, or by the cookie of its session. A cookie counts only from a page of the same
 * origin, and for a change only with the session's `csrf`. Throws the 401 errors, and `permission_denied` for another origin.
 */
export function authenticateRequest(portal: Portal, request: HttpRequest): Promise<Caller> {
  const token = readHeader(request.headers, "auth-token");
  const session = token === undefined ? readSessionCookie(request) : undefined;
  if (session === undefined) return portal.authenticate(token);
  requireSameOrigin(request);
  return portal.sessions.authenticate(session, isChange(request) ? { value: csrfIn(request) } : undefined);
}

/** Returns what a caller is told apart by before it is known. */
export function credentialOf(request: HttpRequest): string | undefined {
  return readHeader(request.headers, "auth-token") ?? readSessionCookie(request);
}

/** Returns the value of `x-csrf`. */
function csrfIn({ headers }: HttpRequest): string | undefined {
  return readHeader(headers, "x-csrf");
}

function isChange({ method }: HttpRequest): boolean {
  return method !== "GET" && method !== "HEAD";
}

/**
 * Throws `permission_denied` unless a page of the same origin sent the request: it has `x-tg-console: 1`, which no other page can add
 * without a preflight, and the browser says `Sec-Fetch-Site: same-origin`, or names this host in `Origin` (CONSOLE, C4).
 */
export function requireSameOrigin({ headers }: HttpRequest): void {
  if (readHeader(headers, "x-tg-console") !== "1")
    throw otherOrigin("x-tg-console", "needs the header `x-tg-console: 1`");
  const fetchMetadata = readHeader(headers, "sec-fetch-site");
  if (fetchMetadata === "same-origin") return;
  const origin = readHeader(headers, "origin");
  const host = readHeader(headers, "host");
  const isOwn =
    fetchMetadata === undefined && origin !== undefined && host !== undefined && URL.parse(origin)?.host === host;
  if (!isOwn) throw otherOrigin("origin", "is accepted from pages of the same origin only");
}

function otherOrigin(param: string, problem: string): GatewayError {
  return new GatewayError("permission_denied", `A session ${problem}.`, { param });
}

/** Virtual keys are for inference; where the gateway is managed none is taken, whatever else is sent (inference-resolved.md, section 2). */
export function refuseVirtualKey({ headers }: HttpRequest, keyPrefix: string): void {
  if (readVirtualKey(headers, keyPrefix) === undefined) return;
  const message = "The portal takes access tokens, not virtual keys: they are for inference.";
  throw new GatewayError("virtual_key_not_accepted", message);
}
