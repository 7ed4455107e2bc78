import { createRouter, type Match } from "../operations/router.ts";
import type { Endpoint } from "./endpoint.ts";
import type { HttpRequest } from "./exchange.ts";
import { familyEndpoints } from "./families.ts";
import { inferenceEndpoints } from "./inference.ts";
import { createGuard, isManagement, type Refused } from "./management.ts";
import { portalEndpoints, portalMounts } from "./portal.ts";
import type { Source } from "./source.ts";
import { viewerEndpoints } from "./viewing.ts";

/** An endpoint by its method and path. */
export interface Route {
  readonly method: string;
  readonly path: string;
  readonly endpoint: Endpoint;
}

/** Finds the endpoint of a request, or refuses it where the gateway is managed, before anything else of it is looked at. */
export function createRoutes(source: Source): (request: HttpRequest) => Match<Route> | Refused {
  const inference = [...inferenceEndpoints(source), ...familyEndpoints(source), ...viewerEndpoints()].map((endpoint) =>
    toRoute(endpoint),
  );
  const match = createRouter<Route>([...inference, ...portalRoutes(source)]);
  const guard = createGuard(source);
  /** A shared path that is unknown is somebody else's. Asked for no method, the router only tells whether it knows the path. */
  const isOurs = ({ isShared, path }: HttpRequest) => !isShared || match("", path).kind !== "unknown";
  return (request) => {
    const { method, path } = request;
    const refused = isManagement(path) && isOurs(request) ? guard(request) : undefined;
    return refused ?? match(method === "HEAD" ? "GET" : method, path);
  };
}

/** The portal hangs at the root and, as the gateway's management, under `/api` (portal-resolved.md, section 1). */
function portalRoutes(source: Source): Route[] {
  const { portal } = source;
  if (!portal) return [];
  const endpoints = portalEndpoints(portal, source);
  return portalMounts.flatMap((mount) => endpoints.map((endpoint) => toRoute(endpoint, mount)));
}

function toRoute(endpoint: Endpoint, mount = ""): Route {
  const { method, path } = endpoint.operation;
  return { method, path: mount + path, endpoint };
}
