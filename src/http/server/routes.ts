import { createRouter, type Match } from "../../operations/router.ts";
import { consoleEndpoints } from "../console/console-route.ts";
import type { HttpContext } from "../context.ts";
import { dialectEndpoints } from "../dialects/endpoints.ts";
import { docsEndpoints } from "../docs/docs-route.ts";
import type { HttpRequest } from "../message.ts";
import { inferenceEndpoints } from "../openai-api/inference.ts";
import { loginEndpoints } from "../portal/login-routes.ts";
import type { Endpoint, RequestContext } from "../response/request-context.ts";
import { createGuard, isManagement, type ServiceRefused } from "../service-auth.ts";

/** An endpoint of the portal, and what stands before its path. */
interface MountedEndpoint {
  readonly endpoint: Endpoint;
  readonly mount: string;
}

/** Where the portal hangs besides the root: as the gateway's own management. */
const portalMounts = ["", "/api"] as const;

/**
 * The portal hangs at the root, unless it is left out there, and, as the gateway's management, under `/api` (portal-resolved.md, section
 * 1). The code that answers is loaded with the first request: programs without a portal never read it.
 */
function portalRoutes(context: HttpContext): MountedEndpoint[] {
  const { portal, portalAtRoot } = context;
  if (!portal) return [];
  const rows = portal.rows.map((row): Endpoint => {
    const ofRow = { portal, row, context };
    return {
      operation: row.operation,
      answer: async (exchange) => (await import("../portal/portal.ts")).answerRow(ofRow, exchange),
    };
  });
  const sessions = Object.entries(portal.sessionOperations).map(([name, operation]): Endpoint => {
    const ofSession = { portal, context, name: name as keyof typeof portal.sessionOperations };
    return {
      operation,
      answer: async (exchange) => (await import("../portal/sessions.ts")).answerSession(ofSession, exchange),
    };
  });
  const mounts = portalMounts.filter((mount) => portalAtRoot || mount !== "");
  const logins = loginEndpoints(context).map((endpoint): MountedEndpoint => ({ endpoint, mount: "" }));
  const hung = mounts.flatMap((mount) => [...rows, ...sessions].map((endpoint) => ({ endpoint, mount })));
  return [...hung, ...logins];
}

/** Paths under which clients of other gateways and of Azure look for an operation, and the operation's own. */
const aliases: readonly (readonly [pattern: RegExp, own: string])[] = [
  // An address of a client that adds the version itself, given with its version.
  [/^(\/(?:openai|anthropic|genai|cohere|systemone))?\/(v1|v1beta|v2)\/\2\//, "$1/$2/"],
  // Azure's clients: a deployment is a model.
  [/^\/openai\/deployments\/.+\/(chat\/completions|embeddings)$/, "/openai/v1/$1"],
  // Addresses without their version.
  [/^\/openai\/(chat\/completions|embeddings|models|responses|decisions)(?=\/|$)/, "/openai/v1/$1"],
  [/^\/(chat\/completions|embeddings|models|responses|rerank|decisions)(?=\/|$)/, "/v1/$1"],
  [/^\/systemone$/, "/v1/systemone"],
  [/^\/systemone\/(systemone|models)$/, "/systemone/v1/$1"],
  [/^\/anthropic\/(messages|models)(?=\/|$)/, "/anthropic/v1/$1"],
  // Vendors' clients with the gateway's own address instead of that of the dialect.
  [/^\/v1\/messages(?=\/|$)/, "/anthropic/v1/messages"],
  [/^\/(v1beta\/models\/)/, "/genai/$1"],
  [/^\/v2\/(chat|embed|rerank)$/, "/cohere/v2/$1"],
];

/** Returns the path of an operation for a path that is unknown; undefined where it is nobody's other name. */
function findAlias(path: string): string | undefined {
  for (const [pattern, own] of aliases) if (pattern.test(path)) return path.replace(pattern, own);
  return undefined;
}

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
