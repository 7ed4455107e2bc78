import { type AllowedOrigins, allowOrigin, allowPreflight, isPreflight } from "./cors.ts";
import type { Exchange } from "./endpoint.ts";
import type { HttpResponse } from "./exchange.ts";
import { addRateHeaders } from "./rates.ts";

/** Adds what every answer carries: its id, where the caller stands in its windows, and which web pages may read it. */
export function addHeaders(response: HttpResponse, exchange: Exchange, cors: AllowedOrigins | undefined): void {
  const { headers } = response;
  headers["x-tg-event-id"] = exchange.eventId;
  if (exchange.rates) addRateHeaders(headers, exchange.rates);
  if (cors) Object.assign(headers, allowOrigin(cors, exchange.request), preflightHeaders(exchange, response));
}

function preflightHeaders({ request }: Exchange, { headers }: HttpResponse): Record<string, string> {
  return headers.allow && isPreflight(request) ? allowPreflight(headers.allow, request) : {};
}
