import { type Operation, op } from "../../../operations/define.ts";
import { routes } from "./routes.ts";
import * as schema from "./schema.ts";

/** The endpoint of the Model Context Protocol (streamable HTTP). */
export const rows = {
  mcp: op(routes.mcp, "virtual_key", "Use the verbs and the tools of other servers by the Model Context Protocol", {
    in: schema.McpMessage,
    out: schema.McpAnswer,
    accepted: "A notification was taken; there is nothing to say.",
    failure: schema.McpFailure,
    stream: schema.McpAnswer,
  }),
  mcp_changes: op(routes.mcp_changes, "virtual_key", "Follow changes of the list of tools", {
    stream: schema.McpNotification,
    failure: schema.McpFailure,
  }),
} satisfies Record<keyof typeof routes, Operation>;
