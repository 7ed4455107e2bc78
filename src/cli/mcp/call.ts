import type { ToolCallResponse } from "../../engine/api/mcp/call.ts";
import { writeMoney } from "../../server/terminal/format.ts";
import { plainText } from "../../server/terminal/plain-text.ts";
import { UsageError } from "../../server/terminal/usage-error.ts";
import { defineCommand } from "../program/command.ts";
import { mcpOptions } from "./options.ts";

/** `tollgate mcp call`. */
export const callTool = defineCommand({
  name: "mcp call",
  summary: "call a tool and print its answer",
  usage: "<tool> [arguments]",
  about:
    "Calls a tool by the name that `tollgate mcp list` shows, with a JSON object of arguments; - reads them from stdin. Texts of the\n" +
    "answer go to stdout, progress and cost to stderr. Exit code 1 if the tool says that it failed.",
  words: [1, 2],
  options: mcpOptions,
  examples: [
    ['tollgate mcp call files__read_file \'{"path":"README.md"}\'', "call a tool with arguments"],
    ['tollgate mcp call everything__echo \'{"message":"hello"}\' --json', "print the whole answer"],
  ],
  async run({ words: [name = "", text = "{}"], values }, terminal) {
    const provided = readArguments(text === "-" ? await terminal.readInput() : text);
    const { openForTools } = await import("./open.ts");
    const { engine } = await openForTools(terminal, values.config);
    try {
      const answer = await engine.mcp.call(
        { name, arguments: provided },
        { onProgress: ({ progress, total, message = "" }) => terminal.err(`${progress}/${total ?? "?"} ${message}\n`) },
      );
      terminal.out(values.json ? `${JSON.stringify(answer, null, 2)}\n` : textsOf(answer));
      const cost = answer.usage?.cost?.total_cost ?? 0;
      if (!values.json && cost > 0) terminal.err(`${writeMoney(cost)}\n`);
      return answer.isError ? 1 : 0;
    } finally {
      await engine.close({ graceMs: 0 });
    }
  },
});

function readArguments(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value };
  } catch {
    // reported below
  }
  throw new UsageError("The arguments must be a JSON object.", 'Write them in quotes: \'{"path":"README.md"}\'.');
}

/** Texts as they are; of other blocks, what they are. */
function textsOf({ content }: ToolCallResponse): string {
  const lines = content.map((block) => (typeof block.text === "string" ? plainText(block.text) : `[${block.type}]`));
  return `${lines.join("\n")}\n`;
}
