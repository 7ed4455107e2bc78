import { GatewayError } from "../../engine/errors.ts";
import { coerceQuery } from "../../operations/coerce.ts";
import type { Operation } from "../../operations/define.ts";
import { readInput } from "../../operations/invoke.ts";
import type { Credentials, SessionOperationName } from "../../operations/portal/sessions.ts";
import type { Portal } from "../../portal/portal.ts";
import type { BootInput } from "../../portal/sessions/boot.ts";
import type { Redemption } from "../../portal/sessions/redeem.ts";
import type { OpenedSession } from "../../portal/sessions/sessions.ts";
import { type HttpContext, toJson } from "../context.ts";
import type { HttpRequest, HttpResponse } from "../message.ts";
import { readOptionalJson } from "../request/body.ts";
import { parseQuery } from "../request/query.ts";
import type { RequestContext } from "../response/request-context.ts";
import { authenticateRequest, requireSameOrigin } from "./authenticate.ts";
import { clearSessionCookie, readSessionCookie, writeSessionCookie } from "./cookie.ts";
import { isFromThisMachine } from "./local.ts";
import { localizeFailure } from "./localized.ts";

/** A request of somebody who is not known yet. */
interface OpenRequest {
  readonly context: HttpContext;
  readonly exchange: RequestContext;
}

/** The largest body in bytes: it is read before anybody is known. */
const bodyLimit = 16_384;

/** Reads and checks the input of a row. Throws `invalid_request` naming the field. */
async function readOpenFields({ context, exchange }: OpenRequest, operation: Operation): Promise<unknown> {
  const { reading } = context;
  const bounds = { ...reading.bounds, bodyLimit: Math.min(bodyLimit, reading.bounds.bodyLimit) };
  const body = (await readOptionalJson(exchange.request, { ...reading, bounds })) ?? {};
  if (typeof body !== "object" || body === null || Array.isArray(body))
    throw new GatewayError("invalid_request", "The body must be a JSON object.");
  const { query } = exchange.request;
  return readInput(operation, { ...(query === "" ? {} : coerceQuery(operation, parseQuery(query))), ...body });
}

/** One request, and the portal that it is for. */
interface SessionRequest {
  readonly portal: Portal;
  readonly context: HttpContext;
  readonly exchange: RequestContext;
}

type SessionHandler = (request: SessionRequest) => Promise<HttpResponse>;

/** The operation of sessions that a request is for. */
interface SessionOperation extends Omit<SessionRequest, "exchange"> {
  readonly name: SessionOperationName;
}

/** Answers a request for a session, or for what the console needs before one. */
export function answerSession({ name, ...served }: SessionOperation, exchange: RequestContext): Promise<HttpResponse> {
  return localizeFailure({ portal: served.portal, exchange }, () => handlers[name]({ ...served, exchange }));
}

const handlers = {
  async login(request) {
    const { portal, exchange } = request;
    const { address } = exchange.request;
    requireSameOrigin(exchange.request);
    const credentials = (await readOpenFields(request, request.portal.sessionOperations.login)) as Credentials; // the row's schema
    const from = { address, isLocal: isFromThisMachine(exchange.request), eventId: exchange.eventId };
    const opened = await portal.sessions.login(credentials, from);
    const previous = readSessionCookie(exchange.request);
    if (previous !== undefined) await portal.sessions.logout(previous);
    return showOpened(exchange.request, opened);
  },
  async read({ portal, exchange }) {
    return withoutStore(toJson(await portal.sessions.read(await ownSession(portal, exchange.request))));
  },
  async renew({ portal, exchange }) {
    const value = await ownSession(portal, exchange.request);
    return showOpened(exchange.request, await portal.sessions.renew(value));
  },
  async logout({ portal, exchange: { request, eventId } }) {
    await portal.sessions.logout(await ownSession(portal, request), eventId);
    return withoutStore({ status: 204, headers: { "set-cookie": clearSessionCookie(request) }, body: "" });
  },
  async redeem(request) {
    const { portal, exchange } = request;
    const { address } = exchange.request;
    const redemption = (await readOpenFields(request, portal.sessionOperations.redeem)) as Redemption; // the row's schema
    await portal.sessions.redeem(redemption, { address, eventId: exchange.eventId });
    return withoutStore({ status: 204, headers: {}, body: "" });
  },
  async boot(request) {
    const input = (await readOpenFields(request, request.portal.sessionOperations.boot)) as BootInput; // the row's schema
    return toJson(await request.portal.boot(input), { "cache-control": "public, max-age=60" });
  },
} as const satisfies Record<SessionOperationName, SessionHandler>;

/** Returns the session of the request's cookie, checked like that of any other call. Throws the 401 errors. */
async function ownSession(portal: Portal, request: HttpRequest): Promise<string> {
  const value = readSessionCookie(request);
  if (value === undefined)
    throw new GatewayError("token_required", "There is no session: POST /session opens one.", { param: "session" });
  await authenticateRequest(portal, { ...request, headers: { ...request.headers, "auth-token": undefined } });
  return value;
}

function showOpened(request: HttpRequest, { value, session }: OpenedSession): HttpResponse {
  return withoutStore(toJson(session, { "set-cookie": writeSessionCookie(request, value) }));
}

function withoutStore(response: HttpResponse): HttpResponse {
  response.headers["cache-control"] = "no-store";
  return response;
}
