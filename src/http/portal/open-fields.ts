import { GatewayError } from "../../engine/errors.ts";
import { coerceQuery } from "../../operations/coerce.ts";
import type { Operation } from "../../operations/define.ts";
import { readInput } from "../../operations/invoke.ts";
import type { HttpContext } from "../context.ts";
import { readOptionalJson } from "../request/body.ts";
import { parseQuery } from "../request/query.ts";
import type { RequestContext } from "../response/request-context.ts";

/** A request of somebody who is not known yet. */
interface OpenRequest {
  readonly context: HttpContext;
  readonly exchange: RequestContext;
}

/** The largest body in bytes: it is read before anybody is known. */
const bodyLimit = 16_384;

/** Reads and checks the input of a row. Throws `invalid_request` naming the field. */
export async function readOpenFields({ context, exchange }: OpenRequest, operation: Operation): Promise<unknown> {
  const { reading } = context;
  const bounds = { ...reading.bounds, bodyLimit: Math.min(bodyLimit, reading.bounds.bodyLimit) };
  const body = (await readOptionalJson(exchange.request, { ...reading, bounds })) ?? {};
  if (typeof body !== "object" || body === null || Array.isArray(body))
    throw new GatewayError("invalid_request", "The body must be a JSON object.");
  const { query } = exchange.request;
  return readInput(operation, { ...(query === "" ? {} : coerceQuery(operation, parseQuery(query))), ...body });
}
