import { createRouter, type Match } from "../../operations/router.ts";
import { consoleEndpoints } from "../console/console-route.ts";
import type { HttpContext } from "../context.ts";
import { dialectEndpoints } from "../dialects/endpoints.ts";
import { docsEndpoints } from "../docs/docs-route.ts";
import type { HttpRequest } from "../message.ts";
import { inferenceEndpoints } from "../openai-api/inference.ts";
import type { Endpoint, RequestContext } from "../response/request-context.ts";
import { createGuard, isManagement, type ServiceRefused } from "../service-auth.ts";
import { findAlias } from "./aliases.ts";
import { portalRoutes } from "./portal-routes.ts";

/** An endpoint by its method and path. */
export interface HttpRoute {
  readonly method: string;
  readonly path: string;
  readonly endpoint: Endpoint;
}

/** What was asked, as its endpoint is found. */
type Asked = Pick<RequestContext, "request">;

/**
 * Finds the endpoint of a request, or refuses it where the gateway is managed, before anything else of it is looked at. A path that is
 * unknown and nobody else's may be another name of one: the request then gets the operation's own path.
 */
export function createRoutes(context: HttpContext): (asked: Asked) => Match<HttpRoute> | ServiceRefused {
  const inference = [
    ...inferenceEndpoints(context),
    ...dialectEndpoints(context),
    ...docsEndpoints(),
    ...consoleEndpoints(context),
  ].map((endpoint) => toRoute(endpoint));
  const hung = portalRoutes(context).map(({ endpoint, mount }) => toRoute(endpoint, mount));
  const match = createRouter<HttpRoute>([...inference, ...hung]);
  const guard = createGuard(context);
  /** A shared path that is unknown is somebody else's. Asked for no method, the router only tells whether it knows the path. */
  const isOurs = ({ isShared, path }: HttpRequest) => !isShared || match("", path).kind !== "unknown";
  const find = (request: HttpRequest) => {
    const { method, path } = request;
    const refused = isManagement(path) && isOurs(request) ? guard(request) : undefined;
    return refused ?? match(method === "HEAD" ? "GET" : method, path);
  };
  return (asked) => {
    const { request } = asked;
    const found = find(request);
    const path = found.kind === "unknown" && !request.isShared ? findAlias(request.path) : undefined;
    if (path === undefined) return found;
    const renamed = { ...request, path };
    const other = find(renamed);
    if (other.kind !== "unknown") asked.request = renamed;
    return other;
  };
}

function toRoute(endpoint: Endpoint, mount = ""): HttpRoute {
  const { method, path } = endpoint.operation;
  return { method, path: mount + path, endpoint };
}
