import { virtualKeyHeaders } from "../../operations/key-headers.ts";
import type { HttpResponse } from "../message.ts";
import { type AllowedOrigins, allowOrigin, allowPreflight, isPreflight } from "./cors.ts";
import { addRateHeaders } from "./rate-limit-headers.ts";
import type { RequestContext } from "./request-context.ts";

/** What says who is asking, and of which region: an answer for one must not be given to another by a cache on the way. */
const askers = [...virtualKeyHeaders, "auth-token", "cookie", "region"].join(", ");

/**
 * Adds what every answer carries: its id, that its type is not to be guessed, what it depends on, where the caller stands in its windows,
 * and which web pages may read it. Public answers do not depend on the caller.
 */
export function addHeaders(response: HttpResponse, context: RequestContext, cors: AllowedOrigins | undefined): void {
  const { headers } = response;
  headers["x-tg-event-id"] = context.eventId;
  headers["x-request-id"] = context.eventId; // where the vendors' clients look for it
  if (context.request.path.startsWith("/anthropic/")) headers["request-id"] = context.eventId;
  headers["x-content-type-options"] = "nosniff";
  if (!headers["cache-control"]?.startsWith("public"))
    headers.vary = headers.vary === undefined ? askers : `${askers}, ${headers.vary}`;
  if (context.rates) addRateHeaders(headers, context.rates);
  if (!cors) return;
  const { vary, ...allowed } = allowOrigin(cors, context.request);
  Object.assign(headers, allowed, preflightHeaders(context, response));
  if (vary !== undefined) headers.vary = headers.vary === undefined ? vary : `${headers.vary}, ${vary}`;
}

function preflightHeaders({ request }: RequestContext, { headers }: HttpResponse): Record<string, string> {
  return headers.allow && isPreflight(request) ? allowPreflight(headers.allow, request) : {};
}
