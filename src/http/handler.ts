import { GatewayError } from "../errors.ts";
import type { Match } from "../operations/router.ts";
import { readOrigins } from "./cors.ts";
import { type Exchange, readFailure } from "./endpoint.ts";
import { toErrorResponse } from "./errors.ts";
import type { HttpRequest, HttpResponse } from "./exchange.ts";
import { refusalAt } from "./families.ts";
import type { HandlerOptions } from "./handler-options.ts";
import { addHeaders } from "./headers.ts";
import type { Refused } from "./management.ts";
import { createRoutes, type Route } from "./routes.ts";
import { sourceOf } from "./source.ts";

/** Answers one request. Never rejects: what goes wrong is an answer with the error body. */
export type Handler = (request: HttpRequest) => Promise<HttpResponse>;

/**
 * Builds the handler that all carriers share: routes, answers, and turns every failure into the one error body. Throws
 * `invalid_configuration` for options that are none.
 */
export function createHandler(options: HandlerOptions): Handler {
  const { engine, onFailure } = options;
  const cors = readOrigins(options.cors);
  const find = createRoutes(sourceOf(options));
  return async (request) => {
    const exchange: Exchange = {
      request,
      eventId: engine.newEventId(),
      params: {},
      requestType: undefined,
      model: undefined,
      origins: undefined,
      rates: undefined,
      report: onFailure,
    };
    let response: HttpResponse;
    try {
      response = await answer(exchange, find(request));
    } catch (thrown) {
      response = refuse(thrown, exchange);
    }
    addHeaders(response, exchange, cors);
    return response;
  };
}

/** The error as the caller's dialect has it: that of the family whose path it is, or ours. */
function refuse(thrown: unknown, exchange: Exchange): HttpResponse {
  const error = readFailure(thrown, exchange);
  return (refusalAt(exchange.request.path) ?? toErrorResponse)(error, exchange);
}

function answer(exchange: Exchange, match: Match<Route> | Refused): Promise<HttpResponse> | HttpResponse {
  if (match.kind === "refused") return answerRefused(exchange, match);
  if (match.kind === "unknown") return answerUnknown(exchange);
  if (match.kind === "other_methods") return answerOtherMethod(exchange, match.methods);
  exchange.params = match.params;
  return match.row.endpoint.answer(exchange);
}

/** A 401 names the schemes by which the caller may try again (RFC 9110, 15.5.2). */
function answerRefused(exchange: Exchange, { error, challenge }: Refused): HttpResponse {
  const response = refuse(error, exchange);
  if (challenge !== undefined) response.headers["www-authenticate"] = challenge;
  return response;
}

function answerUnknown({ request: { method, path, prefix, isShared } }: Exchange): HttpResponse {
  if (isShared) return { status: 404, headers: {}, body: "", isPassedOn: true };
  if (method === "OPTIONS" && path === "*") return { status: 204, headers: {}, body: "" };
  const missing = path === "" ? `The path is outside ${prefix}` : `There is no ${prefix}${path}`;
  throw new GatewayError("not_found", `${missing}; GET ${prefix}/openapi.json lists what there is.`);
}

function answerOtherMethod(exchange: Exchange, methods: readonly string[]): HttpResponse {
  const { method, path } = exchange.request;
  const allow = [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"].join(", ");
  if (method === "OPTIONS") return { status: 204, headers: { allow }, body: "" };
  const error = new GatewayError("method_not_allowed", `${path} does not take ${method}; it takes ${allow}.`);
  const response = refuse(error, exchange);
  response.headers.allow = allow;
  return response;
}
