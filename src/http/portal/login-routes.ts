import { type RoutePattern, splitRoute } from "../../operations/define.ts";
import type { HttpContext } from "../context.ts";
import type { Endpoint } from "../response/request-context.ts";

/** Where a login at a provider begins, and where the provider sends the browser back to. Pages of a browser, and no operations. */
const routes = {
  begin: "GET /session/oidc/{name}",
  finish: "GET /session/oidc/{name}/return",
} as const satisfies Record<string, RoutePattern>;

/** The endpoints of logins at OpenID providers; none without a provider. */
export function loginEndpoints({ portal, console: files }: Pick<HttpContext, "portal" | "console">): Endpoint[] {
  if (!portal || portal.logins.offered.length === 0) return [];
  return (["begin", "finish"] as const).map((page) => ({
    operation: splitRoute(routes[page]),
    answer: async (exchange) =>
      (await import("./login-pages.ts")).answerLogin(page, { portal, hasConsole: files !== undefined, exchange }),
  }));
}
