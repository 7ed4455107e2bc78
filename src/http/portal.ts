import { GatewayError } from "../errors.ts";
import { coerceQuery } from "../operations/coerce.ts";
import type { PortalRow } from "../operations/portal/table.ts";
import type { Portal } from "../portal/portal.ts";
import { readOptionalJson } from "./body.ts";
import { readVirtualKey } from "./credentials.ts";
import type { Endpoint, Exchange } from "./endpoint.ts";
import { type HttpResponse, readHeader } from "./exchange.ts";
import { parseQuery } from "./query.ts";
import { type Source, toJson } from "./source.ts";

/** Where the portal hangs beside the root: as the gateway's own management. */
export const portalMounts = ["", "/api"] as const;

/** The endpoints of the portal, by the paths of its table. */
export function portalEndpoints(portal: Portal, source: Source): Endpoint[] {
  return portal.rows.map((row) => ({
    operation: row.operation,
    answer: (exchange) => answer({ portal, row, source }, exchange),
  }));
}

interface Place {
  readonly portal: Portal;
  readonly row: PortalRow;
  readonly source: Source;
}

/** Token, region, permission, input, in this order. */
async function answer({ portal, row, source }: Place, exchange: Exchange): Promise<HttpResponse> {
  const { request, eventId } = exchange;
  const { headers, signal } = request;
  refuseVirtualKey(exchange, source);
  const caller = await portal.authenticate(readHeader(headers, "auth-token"));
  const region = readHeader(headers, "region");
  const input = await readFields(row, exchange, source);
  const value = await portal.run({ row, input, caller, region, signal, eventId });
  return value === undefined ? { status: 204, headers: {}, body: "" } : toJson(value);
}

/** Virtual keys are for inference; where the gateway is managed none is taken, whatever else is sent (inference-resolved.md, section 2). */
function refuseVirtualKey({ request }: Exchange, { keyPrefix }: Source): void {
  if (readVirtualKey(request.headers, keyPrefix) === undefined) return;
  const message = "The portal takes access tokens, not virtual keys: they are for inference.";
  throw new GatewayError("virtual_key_not_accepted", message);
}

/** Path wins over body, body over query (portal-resolved.md, section 1). */
async function readFields({ operation }: PortalRow, { request, params }: Exchange, { bodyLimit }: Source) {
  const body = (await readOptionalJson(request, bodyLimit)) ?? {};
  if (typeof body !== "object" || body === null || Array.isArray(body))
    throw new GatewayError("invalid_request", "The body must be a JSON object.");
  const query = request.query === "" ? {} : coerceQuery(operation, parseQuery(request.query));
  return { ...query, ...body, ...params };
}
