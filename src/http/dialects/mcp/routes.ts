import type { RoutePattern } from "../../../operations/define.ts";
import type { VendorDialect } from "../shared/dialect.ts";

/** Method and path of each operation of the Model Context Protocol (streamable HTTP). */
export const routes = {
  mcp: "POST /mcp",
  mcp_changes: "GET /mcp",
} as const satisfies Record<string, RoutePattern>;

/** The Model Context Protocol over the engine's verbs and the tools of other servers. */
export const mcp: VendorDialect<keyof typeof routes> = { prefix: "/mcp", routes, load: () => import("./handlers.ts") };
