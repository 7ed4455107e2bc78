import type { Route } from "../../../operations/define.ts";

/** Where the operations of the Model Context Protocol (streamable HTTP, without sessions) are. */
export const routes = {
  mcp: "POST /mcp",
} as const satisfies Record<string, Route>;
