import type { RoutePattern } from "../../../operations/define.ts";
import type { VendorDialect } from "../shared/dialect.ts";

/** Method and path of each operation of the Model Context Protocol (streamable HTTP, without sessions). */
export const routes = {
  mcp: "POST /mcp",
} as const satisfies Record<string, RoutePattern>;

/** The Model Context Protocol over the engine's verbs. */
export const mcp: VendorDialect<keyof typeof routes> = { prefix: "/mcp", routes, load: () => import("./handlers.ts") };
