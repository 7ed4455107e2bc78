import { alignColumns } from "../../server/terminal/format.ts";
import { defineCommand } from "../program/command.ts";
import { mcpOptions, noServers } from "./options.ts";

/** `tollgate mcp check`. */
export const checkServers = defineCommand({
  name: "mcp check",
  summary: "connect to each configured server and count its tools",
  usage: "",
  about: "Connects to every server at once and asks for its tools. Exit code 1 if one fails; its message says why.",
  words: [0, 0],
  options: mcpOptions,
  examples: [["tollgate mcp check", "see whether all servers can be reached"]],
  async run({ values }, terminal) {
    const { openForTools } = await import("./open.ts");
    const { engine, config } = await openForTools(terminal, values.config);
    try {
      const { tools, unavailable } = await engine.mcp.tools();
      const servers = Object.keys(config.mcp?.servers ?? {}).map((name) => {
        const failure = unavailable.find(({ server }) => server === name);
        const count = tools.filter(({ server }) => server === name).length;
        return { name, ok: failure === undefined, message: failure?.message, tools: failure ? undefined : count };
      });
      const rows = servers.map(({ name, ok, message, tools: count }) => [
        ok ? "ok" : "failed",
        name,
        message ?? `${count} tools`,
      ]);
      if (values.json) terminal.out(`${JSON.stringify({ servers }, null, 2)}\n`);
      else terminal.out(rows.length === 0 ? noServers : alignColumns(rows));
      return servers.every(({ ok }) => ok) ? 0 : 1;
    } finally {
      await engine.close({ graceMs: 0 });
    }
  },
});
