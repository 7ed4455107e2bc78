/** Options of every command that reaches tool servers. */
export const mcpOptions = {
  json: { kind: "flag", about: "print JSON" },
  config: { kind: "text", value: "file", short: "c", about: "configuration file; default: tollgate.config.*" },
} as const;

/** What to do where no server is configured. */
export const noServers =
  "No MCP server is configured. Name one in tollgate.config.json: " +
  '"mcp": { "servers": { "files": { "command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "."] } } }\n';
