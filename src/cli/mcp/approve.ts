import { storeOptions } from "../../server/store/with-store.ts";
import { alignColumns } from "../../server/terminal/format.ts";
import { plainLine } from "../../server/terminal/plain-text.ts";
import { defineCommand } from "../program/command.ts";
import { mcpOptions } from "./options.ts";

/** Characters of a description in the table. */
const shownOfDescription = 100;

/** `tollgate mcp approve`. */
export const approveTools = defineCommand({
  name: "mcp approve",
  summary: "approve the tools of a server as it describes them now",
  usage: "<server>",
  about:
    "For servers with `approval`: reads the server's tools and keeps a hash of each description, which it is held to from then on.\n" +
    "Prints the tools that were new or changed; read their descriptions with --dry-run first, since they are what models follow.",
  words: [1, 1],
  options: {
    tool: { kind: "list", value: "pattern", about: "only tools of these names, with * for any characters; repeatable" },
    "dry-run": { kind: "flag", about: "print what would be approved, and approve nothing" },
    store: storeOptions.store,
    ...mcpOptions,
  },
  examples: [
    ["tollgate mcp approve github --dry-run", "see what is new or changed"],
    ["tollgate mcp approve github --tool 'read_*'", "approve some tools"],
  ],
  async run({ words: [server = ""], values }, terminal) {
    const { openForTools } = await import("./open.ts");
    const { engine, config } = await openForTools(terminal, values.config, {
      store: values.store,
      isStoreNeeded: true,
    });
    const isDryRun = values["dry-run"] === true;
    try {
      const approved = await engine.mcp.approve({ server, tools: values.tool, isDryRun });
      if (values.json) terminal.out(`${JSON.stringify({ approved }, null, 2)}\n`);
      else if (approved.length === 0) terminal.out("Nothing is new or changed.\n");
      else {
        const rows = approved.map(({ tool, was, description = "" }) => [
          was,
          plainLine(tool),
          plainLine(description).slice(0, shownOfDescription),
        ]);
        terminal.out(alignColumns(rows));
      }
      const hasSetting = config.mcp?.servers[server]?.approval !== undefined;
      if (!hasSetting)
        terminal.err(`tollgate: ${server} has no \`approval\` in its settings, and is not held to this.\n`);
      return 0;
    } finally {
      await engine.close({ graceMs: 0 });
    }
  },
});
