import type { HttpContext } from "../context.ts";
import { loginEndpoints } from "../portal/login-routes.ts";
import type { Endpoint } from "../response/request-context.ts";

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
export function portalRoutes(context: HttpContext): MountedEndpoint[] {
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
