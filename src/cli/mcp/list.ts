import { storeOptions } from "../../server/store/with-store.ts";
import { alignColumns } from "../../server/terminal/format.ts";
import { plainLine } from "../../server/terminal/plain-text.ts";
import { defineCommand } from "../program/command.ts";
import { mcpOptions, noServers } from "./options.ts";

/** Characters of a description in the table. */
const shownOfDescription = 80;

/** `tollgate mcp list`. */
export const listTools = defineCommand({
  name: "mcp list",
  summary: "list the tools of the configured servers",
  usage: "",
  about:
    "Lists all tools, or those that a key may call, by the names that clients see. A server that cannot be reached is named on stderr,\n" +
    "and the exit code is 1.",
  words: [0, 0],
  options: {
    key: { kind: "text", value: "key", about: "only the tools that this key may call, by its id or name" },
    store: storeOptions.store,
    ...mcpOptions,
  },
  examples: [
    ["tollgate mcp list", "all tools of all servers"],
    ["tollgate mcp list --key agent", "the tools that one key may call"],
  ],
  async run({ values }, terminal) {
    const { openForTools } = await import("./open.ts");
    const { openOverSharedStore } = await import("../decide/open.ts");
    const { findRecord } = await import("../records/record-access.ts");
    const { key, config, store } = values;
    const opened =
      key === undefined ? openForTools(terminal, config, { store }) : openOverSharedStore(terminal, config, store);
    const { engine } = await opened;
    try {
      const record = key === undefined ? undefined : await findRecord(engine, "key", key);
      const {
        tools,
        unavailable,
        held = [],
      } = await engine.mcp.tools(record === undefined ? {} : { keyId: record.id });
      for (const { name, reason } of held) terminal.err(`${plainLine(name)}: ${reason}, not approved\n`);
      for (const { server, message } of unavailable) terminal.err(`${server}: ${message}\n`);
      if (values.json)
        terminal.out(`${JSON.stringify({ tools, unavailable, ...(held.length > 0 ? { held } : {}) }, null, 2)}\n`);
      else if (!engine.mcp.hasServers) terminal.out(noServers);
      else {
        const rows = tools.map(({ name, description = "" }) => [
          plainLine(name),
          plainLine(description).slice(0, shownOfDescription),
        ]);
        terminal.out(rows.length === 0 ? "No tools.\n" : alignColumns([["NAME", "DESCRIPTION"], ...rows]));
      }
      return unavailable.length === 0 ? 0 : 1;
    } finally {
      await engine.close({ graceMs: 0 });
    }
  },
});
