import { GatewayError } from "../../engine/errors.ts";
import { coerceQuery } from "../../operations/coerce.ts";
import type { PortalRow } from "../../operations/portal/table.ts";
import type { HttpContext } from "../context.ts";
import { readOptionalJson } from "../request/body.ts";
import { parseQuery } from "../request/query.ts";
import type { RequestContext } from "../response/request-context.ts";
import { credentialOf } from "./authenticate.ts";
import { readLastEventId } from "./event-stream.ts";

/** Path wins over body, body over query (portal-resolved.md, section 1). */
export async function readFields(
  { operation }: PortalRow,
  { request, params }: RequestContext,
  { reading }: HttpContext,
) {
  const body = (await readOptionalJson(request, reading, { key: credentialOf(request) })) ?? {};
  if (typeof body !== "object" || body === null || Array.isArray(body))
    throw new GatewayError("invalid_request", "The body must be a JSON object.");
  const query = request.query === "" ? {} : coerceQuery(operation, parseQuery(request.query));
  return { ...(operation.stream ? readLastEventId(request) : {}), ...query, ...body, ...params };
}
