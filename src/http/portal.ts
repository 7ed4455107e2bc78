import { GatewayError } from "../errors.ts";
import { coerceQuery } from "../operations/coerce.ts";
import type { PortalRow } from "../operations/portal/table.ts";
import type { Portal } from "../portal/portal.ts";
import { type HttpContext, toJson } from "./context.ts";
import { type HttpResponse, readHeader } from "./message.ts";
import { readOptionalJson } from "./request/body.ts";
import { readVirtualKey } from "./request/credentials.ts";
import { parseQuery } from "./request/query.ts";
import type { Endpoint, RequestContext } from "./response/request-context.ts";

/** Where the portal hangs beside the root: as the gateway's own management. */
export const portalMounts = ["", "/api"] as const;

/** The endpoints of the portal, by the paths of its table. */
export function portalEndpoints(portal: Portal, context: HttpContext): Endpoint[] {
  return portal.rows.map((row) => ({
    operation: row.operation,
    answer: (request) => answer({ portal, row, context }, request),
  }));
}

interface PortalContextOfRow {
  readonly portal: Portal;
  readonly row: PortalRow;
  readonly context: HttpContext;
}

/** Token, region, permission, input, in this order. */
async function answer(
  { portal, row, context }: PortalContextOfRow,
  requestContext: RequestContext,
): Promise<HttpResponse> {
  const { request, eventId } = requestContext;
  const { headers, signal } = request;
  refuseVirtualKey(requestContext, context);
  const caller = await portal.authenticate(readHeader(headers, "auth-token"));
  const region = readHeader(headers, "region");
  const input = await readFields(row, requestContext, context);
  const shown: Record<string, string> = {};
  const onVersion = (seen: string) => {
    shown.etag = `"${seen}"`;
  };
  const version = readMatch(readHeader(headers, "if-match"));
  const value = await portal.run({ row, input, caller, region, signal, eventId, version, onVersion });
  const response = value === undefined ? { status: 204, headers: {}, body: "" } : toJson(value);
  // Keys, tokens, kubeconfigs: some answers are secrets, and none is for a cache.
  Object.assign(response.headers, shown, { "cache-control": "no-store" });
  return response;
}

/** Returns the version in `if-match`: the one that the caller got as `etag`. `*` means any. */
function readMatch(header: string | undefined): string | undefined {
  return header === undefined || header.trim() === "*" ? undefined : header.trim().replace(/^"(.*)"$/, "$1");
}

/** Virtual keys are for inference; where the gateway is managed none is taken, whatever else is sent (inference-resolved.md, section 2). */
function refuseVirtualKey({ request }: RequestContext, { keyPrefix }: HttpContext): void {
  if (readVirtualKey(request.headers, keyPrefix) === undefined) return;
  const message = "The portal takes access tokens, not virtual keys: they are for inference.";
  throw new GatewayError("virtual_key_not_accepted", message);
}

/** Path wins over body, body over query (portal-resolved.md, section 1). */
async function readFields({ operation }: PortalRow, { request, params }: RequestContext, { reading }: HttpContext) {
  const body = (await readOptionalJson(request, reading, { key: readHeader(request.headers, "auth-token") })) ?? {};
  if (typeof body !== "object" || body === null || Array.isArray(body))
    throw new GatewayError("invalid_request", "The body must be a JSON object.");
  const query = request.query === "" ? {} : coerceQuery(operation, parseQuery(request.query));
  return { ...query, ...body, ...params };
}
