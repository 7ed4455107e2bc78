import { GatewayError } from "../errors.ts";
import { createRouter, type Match } from "../operations/router.ts";
import { readVirtualKey } from "./credentials.ts";
import type { Endpoint } from "./endpoint.ts";
import type { HttpRequest } from "./exchange.ts";
import { familyEndpoints } from "./families.ts";
import { inferenceEndpoints } from "./inference.ts";
import { portalEndpoints, portalMounts } from "./portal.ts";
import type { Source } from "./source.ts";
import { viewerEndpoints } from "./viewer.ts";

/** An endpoint by its method and path. */
export interface Route {
  readonly method: string;
  readonly path: string;
  readonly endpoint: Endpoint;
}

/** Finds the endpoint of a request. Throws `virtual_key_not_accepted` for a virtual key where the gateway is managed. */
export function createRoutes(source: Source): (request: HttpRequest) => Match<Route> {
  const inference = [...inferenceEndpoints(source), ...familyEndpoints(source), ...viewerEndpoints()].map((endpoint) =>
    toRoute(endpoint),
  );
  const match = createRouter<Route>([...inference, ...portalRoutes(source)]);
  return (request) => {
    const found = match(request.method === "HEAD" ? "GET" : request.method, request.path);
    refuseVirtualKey(found, request, source.keyPrefix);
    return found;
  };
}

/** Virtual keys are for inference; what manages the gateway never takes one, whatever else is sent (inference-resolved.md, section 2). */
function refuseVirtualKey(found: Match<Route>, { path, headers, isShared }: HttpRequest, keyPrefix: string): void {
  const isManagement = path === "/api" || path.startsWith("/api/");
  if (!isManagement || (isShared && found.kind === "unknown")) return; // a shared path that is unknown is somebody else's
  if (readVirtualKey(headers, keyPrefix) === undefined) return;
  throw new GatewayError("virtual_key_not_accepted", "Virtual keys are for inference and are not accepted under /api.");
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
