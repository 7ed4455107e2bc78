import { isGatewayError } from "../errors.ts";
import { readArguments } from "./arguments.ts";
import { type Command, type Example, UsageError } from "./command.ts";
import { commands } from "./commands/table.ts";
import { writeCommandHelp, writeProgramHelp } from "./help.ts";
import { findSimilar } from "./similar.ts";
import type { Terminal } from "./terminal.ts";

const examples: readonly Example[] = [
  ["tollgate serve", "serve what the environment and tollgate.config.* name, on port 8080"],
  ['tollgate chat local/echo "Hello there"', "try it without any key"],
  ["OPENAI_API_KEY=… tollgate models", "list what your providers offer"],
  ["tollgate plan openai/gpt-5 --fallback local/echo", "see who would be asked, and why not the others"],
];

/**
 * Runs one command line; resolves with the exit code: 0 done, 1 failed, 2 wrongly used. What goes wrong is one line and a hint on
 * stderr, never a stack, except for a defect of ours.
 */
export async function runProgram(given: readonly string[], terminal: Terminal, version: () => string): Promise<number> {
  try {
    return await dispatch(given, terminal, version);
  } catch (thrown) {
    terminal.err(explain(thrown));
    return thrown instanceof UsageError ? 2 : 1;
  }
}

async function dispatch(
  [name, ...rest]: readonly string[],
  terminal: Terminal,
  version: () => string,
): Promise<number> {
  if (name === "--version" || name === "-v" || name === "-V") return say(terminal, `${version()}\n`);
  if (name === undefined || name === "--help" || name === "-h" || (name === "help" && rest[0] === undefined)) {
    const all = await Promise.all(Object.values(commands).map((load) => load()));
    return say(terminal, writeProgramHelp(all, examples));
  }
  if (name === "help") return say(terminal, writeCommandHelp(await loadCommand(rest[0] ?? "")));
  const command = await loadCommand(name);
  const { wantsHelp, ...found } = readArguments(command, rest);
  return wantsHelp ? say(terminal, writeCommandHelp(command)) : command.run(found, terminal);
}

function say(terminal: Terminal, text: string): number {
  terminal.out(text);
  return 0;
}

function loadCommand(name: string): Promise<Command> {
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (load !== undefined) return load();
  const names = Object.keys(commands);
  const similar = findSimilar(name, names);
  const hint =
    similar === undefined
      ? `There are ${names.join(", ")}; tollgate --help shows them.`
      : `Did you mean tollgate ${similar}?`;
  throw new UsageError(name.startsWith("-") ? `Unknown option ${name}.` : `Unknown command "${name}".`, hint);
}

function explain(thrown: unknown): string {
  if (thrown instanceof UsageError) return `tollgate: ${[thrown.message, thrown.hint].filter(Boolean).join(" ")}\n`;
  if (isGatewayError(thrown) && thrown.code !== "internal") return `tollgate: ${thrown.message}\n`;
  const error = isGatewayError(thrown) ? (thrown.cause ?? thrown) : thrown;
  return `tollgate: a defect; please report it.\n${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`;
}
