import { op } from "../../../operations/define.ts";
import * as schema from "./schema.ts";

/** The endpoint of the Model Context Protocol (streamable HTTP, without sessions). */
export const rows = {
  mcp: op("POST /mcp", "virtual_key", "Use the verbs as tools of the Model Context Protocol", {
    in: schema.McpMessage,
    out: schema.McpAnswer,
  }),
};
