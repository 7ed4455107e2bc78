import type { RequestListener } from "node:http";
import { isIP } from "node:net";
import { GatewayError } from "../../engine/errors.ts";
import { memo } from "../../engine/runtime/memo.ts";
import { toErrorResponse } from "../../http/response/errors.ts";
import type { FailureReport } from "../../http/response/request-context.ts";

/** What names this server answers to. */
export interface OwnNames {
  /** Accepted names in addition to addresses and `localhost`. */
  readonly hosts: readonly string[];
  readonly newEventId: () => string;
  /** Receives every rejected request. */
  readonly onFailure: FailureReport;
}

/**
 * Refuses requests that name another host. A page of any web site can lead its own name to 127.0.0.1 and then is, for the browser, of
 * the same origin as this server: without this it could spend on a gateway that is open to its own machine.
 */
export function answerOwnNames(listener: RequestListener, { hosts, newEventId, onFailure }: OwnNames): RequestListener {
  const known = new Set(hosts.map((name) => name.toLowerCase()));
  const isServed = memo((host) => {
    const name = nameOf(host);
    return isOwn(name) || known.has(name);
  });
  return (request, response) => {
    const { host = "" } = request.headers;
    if (host === "" || isServed(host)) {
      listener(request, response);
      return;
    }
    const name = nameOf(host);
    const eventId = newEventId();
    const message = `The host \`${name}\` is not served here; \`server.hosts\` of the configuration lists names beside localhost.`;
    const error = new GatewayError("invalid_request", message, { param: "host" });
    onFailure(error, { eventId, method: request.method ?? "", path: request.url?.split("?")[0] ?? "" });
    const { status, headers, body } = toErrorResponse(error, { eventId, requestType: undefined, model: undefined });
    response.writeHead(status, { ...headers, "x-tg-event-id": eventId, "x-content-type-options": "nosniff" }).end(body);
    request.resume();
  };
}

/** The name in a `host` header, without its port and in lower case. */
function nameOf(host: string): string {
  return host.toLowerCase().replace(/:\d*$/, "");
}

/** Addresses cannot be led elsewhere, and browsers keep `localhost` on this machine (RFC 6761, 6.3). */
function isOwn(name: string): boolean {
  return isIP(name.replace(/^\[|\]$/g, "")) !== 0 || name === "localhost" || name.endsWith(".localhost");
}
