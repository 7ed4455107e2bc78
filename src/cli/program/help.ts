import { commonOptions } from "./arguments.ts";
import type { Command, CommandGroup, CommandOption, CommandOptions, Example } from "./command.ts";

/** The help of the program. */
export function writeProgramHelp(commands: readonly (Command | CommandGroup)[], examples: readonly Example[]): string {
  const rows = commands.map((each) => {
    const usage = "commands" in each ? wordsOf(each).join("|") : each.usage;
    return [`${each.name} ${usage}`.trim(), each.summary] as const;
  });
  return [
    "tollgate: an AI gateway with one API for every provider.",
    "",
    "Usage: tollgate <command> [options]",
    "",
    "Commands:",
    ...align(rows),
    "",
    "Examples:",
    ...align(examples),
    "",
    "tollgate <command> --help shows the details of a command. tollgate --version prints the version.",
    "",
  ].join("\n");
}

function wordsOf({ commands, otherwise }: CommandGroup): string[] {
  return [...(otherwise ? [otherwise.usage] : []), ...Object.keys(commands)];
}

/** The help of a group of commands. */
export function writeGroupHelp({ name, about, commands, otherwise, examples }: CommandGroup): string {
  const all = [...(otherwise ? [otherwise] : []), ...Object.values(commands)];
  const rows = all.map((each) => [`${each.name} ${each.usage}`.trim(), each.summary] as const);
  return [
    `Usage: tollgate ${name} <command> [options]`,
    "",
    about,
    "",
    "Commands:",
    ...align(rows),
    "",
    "Examples:",
    ...align(examples),
    "",
    `tollgate ${name} <command> --help shows the details of a command.`,
    "",
  ].join("\n");
}

/** The help of one command. */
export function writeCommandHelp({ name, usage, about, options, examples }: Command): string {
  const rows = Object.entries<CommandOption>({ ...options, ...commonOptions } satisfies CommandOptions).map(
    describeOption,
  );
  return [
    `Usage: tollgate ${name} ${usage}`.trim().concat(" [options]"),
    "",
    about,
    "",
    "Options:",
    ...align(rows),
    "",
    "Examples:",
    ...align(examples),
    "",
  ].join("\n");
}

function describeOption([name, { kind, value = "value", short, about }]: [string, CommandOption]): readonly [
  string,
  string,
] {
  const long = kind === "flag" ? `--${name}` : `--${name} <${value}>`;
  return [short === undefined ? `    ${long}` : `-${short}, ${long}`, about];
}

/** Rows of two columns, indented by two; a left side that is too long gets a line of its own. */
function align(rows: readonly (readonly [string, string])[]): string[] {
  const widest = 50;
  const width = Math.max(0, ...rows.map(([left]) => left.length).filter((length) => length <= widest));
  return rows.flatMap(([left, right]) => {
    if (right === "") return [`  ${left}`];
    return left.length <= width
      ? [`  ${left.padEnd(width)}  ${right}`]
      : [`  ${left}`, `  ${" ".repeat(width)}  ${right}`];
  });
}
