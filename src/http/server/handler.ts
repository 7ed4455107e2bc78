import { GatewayError } from "../../engine/errors.ts";
import type { Match } from "../../operations/router.ts";
import { contextOf } from "../context.ts";
import { refusalAt } from "../dialects/endpoints.ts";
import type { HttpRequest, HttpResponse } from "../message.ts";
import { readOrigins } from "../response/cors.ts";
import { toErrorResponse } from "../response/errors.ts";
import { addHeaders } from "../response/extra-headers.ts";
import { type RequestContext, readFailure } from "../response/request-context.ts";
import type { ServiceRefused } from "../service-auth.ts";
import type { HandlerOptions } from "./handler-options.ts";
import { createRoutes, type HttpRoute } from "./routes.ts";

/** Answers one request. Never rejects: what goes wrong is an answer with the error body. */
export type Handler = (request: HttpRequest) => Promise<HttpResponse>;

/**
 * Builds the handler that all carriers share: routes, answers, and turns every failure into the one error body. Throws
 * `invalid_configuration` for unknown options.
 */
export function createHandler(options: HandlerOptions): Handler {
  const { engine, onFailure, describeCaller } = options;
  const cors = readOrigins(options.cors);
  const find = createRoutes(contextOf(options));
  return async (request) => {
    const context: RequestContext = {
      request,
      eventId: engine.newEventId(),
      params: {},
      requestType: undefined,
      model: undefined,
      origins: undefined,
      rates: undefined,
      vendor: undefined,
      source: undefined,
      report: onFailure,
      caller: describeCaller?.(request),
    };
    let response: HttpResponse;
    try {
      response = await answer(context, find(context));
    } catch (thrown) {
      response = refuse(thrown, context);
    }
    addHeaders(response, context, cors);
    return response;
  };
}

/** The error as the caller's dialect has it: that of the family whose path it is, or ours. */
function refuse(thrown: unknown, context: RequestContext): HttpResponse {
  const error = readFailure(thrown, context);
  const response = (refusalAt(context.request.path) ?? toErrorResponse)(error, context);
  if (response.status === 401) response.headers["www-authenticate"] = challengeOf(error);
  return response;
}

/** What a 401 asks for (RFC 9110, 15.5.2): a virtual key, or an access token, which has a header of its own. */
function challengeOf({ code }: GatewayError): string {
  const asksForKey = code.startsWith("virtual_key_") && code !== "virtual_key_not_accepted";
  return asksForKey ? 'Bearer realm="tollgate"' : 'Token realm="tollgate", header="auth-token"';
}

function answer(
  context: RequestContext,
  match: Match<HttpRoute> | ServiceRefused,
): Promise<HttpResponse> | HttpResponse {
  const { fault, isShared } = context.request;
  if (fault && !(isShared && match.kind === "unknown")) throw fault;
  if (match.kind === "refused") return answerRefused(context, match);
  if (match.kind === "unknown") return answerUnknown(context);
  if (match.kind === "other_methods") return answerOtherMethod(context, match.methods);
  context.params = match.params;
  return match.row.endpoint.answer(context);
}

/** A 401 names the schemes by which the caller may try again (RFC 9110, 15.5.2). */
function answerRefused(context: RequestContext, { error, challenge }: ServiceRefused): HttpResponse {
  const response = refuse(error, context);
  if (challenge !== undefined) response.headers["www-authenticate"] = challenge;
  return response;
}

function answerUnknown({ request: { method, path, prefix, isShared } }: RequestContext): HttpResponse {
  if (isShared) return { status: 404, headers: {}, body: "", isPassedOn: true };
  if (method === "OPTIONS" && path === "*") return { status: 204, headers: {}, body: "" };
  const missing = path === "" ? `The path is outside ${prefix}` : `There is no ${prefix}${path}`;
  throw new GatewayError("not_found", `${missing}; GET ${prefix}/openapi.json lists what there is.`);
}

function answerOtherMethod(context: RequestContext, methods: readonly string[]): HttpResponse {
  const { method, path } = context.request;
  const allow = [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"].join(", ");
  if (method === "OPTIONS") return { status: 204, headers: { allow }, body: "" };
  const error = new GatewayError("method_not_allowed", `${path} does not take ${method}; it takes ${allow}.`);
  const response = refuse(error, context);
  response.headers.allow = allow;
  return response;
}
