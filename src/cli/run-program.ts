import { isGatewayError } from "../engine/errors.ts";
import { findSimilar } from "../engine/runtime/did-you-mean.ts";
import { plainText } from "../server/terminal/plain-text.ts";
import type { Terminal } from "../server/terminal/terminal.ts";
import { UsageError } from "../server/terminal/usage-error.ts";
import { aliases, commands } from "./commands/all-commands.ts";
import { readArguments } from "./program/arguments.ts";
import type { Command, CommandGroup, Example } from "./program/command.ts";
import { writeCommandHelp, writeGroupHelp, writeProgramHelp } from "./program/help.ts";

const examples: readonly Example[] = [
  ["tollgate serve", "serve the providers of the environment and tollgate.config.* on port 8080"],
  ['tollgate chat local/echo "Hello there"', "try it without an API key"],
  ["OPENAI_API_KEY=… tollgate models", "list the models of your providers"],
  ["tollgate plan openai/gpt-5 --fallback local/echo", "see the candidates, and why others are skipped"],
];

/**
 * Runs one command line; resolves with the exit code: 0 done, 1 failed, 2 wrongly used. What goes wrong is one line and a hint on
 * stderr, never a stack, except for a defect of ours.
 */
export async function runProgram(
  provided: readonly string[],
  terminal: Terminal,
  version: () => string,
): Promise<number> {
  try {
    return await dispatch(provided, terminal, version);
  } catch (thrown) {
    terminal.err(plainText(explain(thrown)));
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
  const command = name === "help" ? findHelped(await loadCommand(rest[0] ?? ""), rest[1]) : await loadCommand(name);
  if (name === "help")
    return say(terminal, "commands" in command ? writeGroupHelp(command) : writeCommandHelp(command));
  if (!("commands" in command)) return runCommand(command, rest, terminal);
  const [second, ...others] = rest;
  if (second === undefined || second === "--help" || second === "-h") return say(terminal, writeGroupHelp(command));
  const isOther = command.otherwise !== undefined && !Object.hasOwn(command.commands, second);
  return isOther ? runCommand(command.otherwise, rest, terminal) : runCommand(pick(command, second), others, terminal);
}

function findHelped(command: Command | CommandGroup, second: string | undefined): Command | CommandGroup {
  return "commands" in command && second !== undefined ? pick(command, second) : command;
}

async function runCommand(command: Command, provided: readonly string[], terminal: Terminal): Promise<number> {
  const { wantsHelp, ...found } = readArguments(command, provided);
  return wantsHelp ? say(terminal, writeCommandHelp(command)) : command.run(found, terminal);
}

/** The command of a group that has this second word. */
function pick({ name, commands }: CommandGroup, second: string): Command {
  const found = Object.hasOwn(commands, second) ? commands[second] : undefined;
  if (found !== undefined) return found;
  throw unknown(second, Object.keys(commands), `tollgate ${name}`);
}

function say(terminal: Terminal, text: string): number {
  terminal.out(text);
  return 0;
}

function loadCommand(word: string): Promise<Command | CommandGroup> {
  const name = Object.hasOwn(aliases, word) ? (aliases[word] as string) : word;
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (load !== undefined) return load();
  throw unknown(name, Object.keys(commands), "tollgate");
}

/** What is no command behind `program`, and what was probably meant. */
function unknown(word: string, names: readonly string[], program: string): UsageError {
  const similar = findSimilar(word, names);
  const hint =
    similar === undefined
      ? `There are ${names.join(", ")}; ${program} --help shows them.`
      : `Did you mean ${program} ${similar}?`;
  return new UsageError(word.startsWith("-") ? `Unknown option ${word}.` : `Unknown command "${word}".`, hint);
}

function explain(thrown: unknown): string {
  if (thrown instanceof UsageError) return `tollgate: ${[thrown.message, thrown.hint].filter(Boolean).join(" ")}\n`;
  // An `internal` error with a `param` tells the operator all that helps; only callers over HTTP do not see it.
  if (isGatewayError(thrown) && (thrown.code !== "internal" || thrown.param !== undefined))
    return `tollgate: ${thrown.message}\n`;
  const error = isGatewayError(thrown) ? (thrown.cause ?? thrown) : thrown;
  return `tollgate: a defect; please report it.\n${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`;
}
