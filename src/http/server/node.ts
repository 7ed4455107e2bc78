import type { IncomingMessage, ServerResponse } from "node:http";
import { GatewayError } from "../../errors.ts";
import type { Clock } from "../../ports/clock.ts";
import { createAborter } from "../../runtime/abortable.ts";
import { type Checks, checkOptions, object, text } from "../../runtime/checks.ts";
import { turnEnd } from "../../runtime/loop-turn.ts";
import type { HttpRequest, HttpResponse, RequestBody } from "../message.ts";
import { createHandler } from "./handler.ts";
import { type HandlerOptions, handlerChecks, keepAliveMsOf } from "./handler-options.ts";
import { send } from "./node-answer.ts";
import { beginBody, readBody } from "./node-body.ts";

/** What a listener is made of; only `engine` and `clock` are required. */
export interface CoreListenerOptions extends HandlerOptions {
  readonly clock: Clock;
  /** Where the API is mounted, e.g. `/gateway`, when the framework does not take that off `req.url` itself. */
  readonly prefix?: string | undefined;
}

/**
 * Answers a request of node:http. As a middleware (with `next`) it passes on what is not its own path; without `next` that is
 * 404. Never throws.
 */
export type Listener = (req: IncomingMessage, res: ServerResponse, next?: () => void) => void;

const checks: Checks<CoreListenerOptions> = { ...handlerChecks, clock: object, prefix: text };

/** Builds a listener for node:http; it also mounts in Express, Connect and Fastify. */
export function createListener(options: CoreListenerOptions): Listener {
  checkOptions(options, checks, { of: "createListener", needs: ["engine"] });
  const handle = createHandler(options);
  const keepAlive = { clock: options.clock, keepAliveMs: keepAliveMsOf(options) };
  const prefix = options.prefix?.replace(/\/+$/, "") ?? "";
  return (req, res, next) => {
    answer(req, res, next)
      .then((response) => (response.isPassedOn ? next?.() : send(response, res, keepAlive)))
      .catch(() => res.destroy()); // the answer could not be written: cut, so that it does not look complete
  };

  /**
   * Requests with a short body are begun together, when all that came in this turn are here. Where paths are shared, a body may be
   * somebody else's to read.
   */
  function answer(req: IncomingMessage, res: ServerResponse, next: (() => void) | undefined): Promise<HttpResponse> {
    const isShared = next !== undefined;
    const begun = isShared ? undefined : beginBody(req);
    if (!begun) return handle(toRequest(req, res, { prefix, isShared }));
    return turnEnd().then(() => handle(toRequest(req, res, { prefix, isShared, begun })));
  }
}

interface Mount {
  readonly prefix: string;
  readonly isShared: boolean;
  /** The body, where it is being read already. */
  readonly begun?: Promise<RequestBody>;
}

function toRequest(req: IncomingMessage, res: ServerResponse, { prefix, isShared, begun }: Mount): HttpRequest {
  const hangUp = createAborter();
  const leave = () => {
    if (!res.writableFinished) hangUp.abort(new GatewayError("request_cancelled", "The caller hung up."));
  };
  if (res.closed) leave();
  else res.on("close", leave);
  let body = begun;
  const target = originForm(req.url ?? "/");
  const mark = target.indexOf("?");
  const path = mark === -1 ? target : target.slice(0, mark);
  return {
    method: req.method ?? "GET",
    path: withoutPrefix(path, prefix),
    prefix: prefix || mountOf(req),
    query: mark === -1 ? "" : target.slice(mark + 1),
    headers: req.headers,
    isShared,
    signal: hangUp,
    fault: hasTwoHosts(req.rawHeaders) ? twoHosts() : undefined,
    read(intake) {
      const taken = body;
      body = undefined; // let go of: the request lives until it is answered
      return readBody(req, intake, taken);
    },
  };
}

/** Node keeps the first of two and says nothing; whatever stands in front may have gone by the second (RFC 9112, 3.2). */
function hasTwoHosts(rawHeaders: readonly string[]): boolean {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    if (name.length === 4 && name.toLowerCase() === "host") count++;
  }
  return count > 1;
}

function twoHosts(): GatewayError {
  return new GatewayError("invalid_request", "The header `host` is there twice.", { param: "host" });
}

const slash = 47;

/** The target without the origin that a client may put in front (RFC 9112, 3.2.2). */
function originForm(target: string): string {
  if (target.charCodeAt(0) === slash || target === "*") return target;
  const path = target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?]*/i, "");
  return path.startsWith("/") ? path : `/${path}`;
}

/** Empty for a path outside the prefix: no operation has it. */
function withoutPrefix(path: string, prefix: string): string {
  if (prefix === "") return path;
  return path.startsWith(prefix) && path.charCodeAt(prefix.length) === slash ? path.slice(prefix.length) : "";
}

/** What Express and Connect have taken off `req.url`. */
function mountOf(req: IncomingMessage): string {
  if (!("originalUrl" in req) || typeof req.originalUrl !== "string" || !req.url) return "";
  return req.originalUrl.endsWith(req.url) ? req.originalUrl.slice(0, -req.url.length) : "";
}
