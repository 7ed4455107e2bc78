import type { IncomingMessage, ServerResponse } from "node:http";
import { GatewayError } from "../../engine/errors.ts";
import { createAborter } from "../../engine/runtime/abortable.ts";
import type { HttpRequest, RequestBody } from "../message.ts";
import { readBody } from "./node-body.ts";

/** Where a listener is mounted, and what is known of the request before it is looked at. */
interface Mount {
  readonly prefix: string;
  readonly isShared: boolean;
  /** The body, where it is being read already. */
  readonly begun?: Promise<RequestBody>;
  /** What the request is refused with. */
  readonly fault?: GatewayError | undefined;
}

/** A request of node:http as the handler takes it. */
export function toRequest(
  req: IncomingMessage,
  res: ServerResponse,
  { prefix, isShared, begun, fault }: Mount,
): HttpRequest {
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
    address: req.socket.remoteAddress,
    isShared,
    signal: hangUp,
    fault: fault ?? (hasTwoHosts(req.rawHeaders) ? twoHosts() : undefined),
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
