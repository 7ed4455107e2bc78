import type { Terminal } from "../../server/terminal/terminal.ts";

/** What the values of each kind of option are. */
interface ValueOf {
  readonly flag: boolean;
  readonly text: string;
  /** May be repeated. */
  readonly list: readonly string[];
  readonly integer: number;
  readonly number: number;
  /** Milliseconds, written `500ms`, `30s`, `2m` or `30` (seconds). */
  readonly duration: number;
}

/** One option of a command; its name, without dashes, is its key in the table. */
export interface CommandOption {
  readonly kind: keyof ValueOf;
  /** One line for the help. */
  readonly about: string;
  /** What stands for the value in the help: `file`, `port`. */
  readonly value?: string;
  /** One letter. */
  readonly short?: string;
  readonly least?: number;
  readonly most?: number;
  /** The only texts allowed. */
  readonly choices?: readonly string[];
}

export type CommandOptions = Readonly<Record<string, CommandOption>>;

/** The values of a command's options, by name. */
export type Values<Table extends CommandOptions> = { readonly [Name in keyof Table]?: ValueOf[Table[Name]["kind"]] };

/** The text of an option that only some commands of a kind have. */
export function textOf(values: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = values[name];
  return typeof value === "string" ? value : undefined;
}

/** The arguments of a command. */
export interface CommandInput<Table extends CommandOptions> {
  readonly words: readonly string[];
  readonly values: Values<Table>;
}

/** One command of the program, as a row of its table. Loading the row loads nothing heavy: `run` imports what it needs. */
export interface Command {
  readonly name: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** What follows the name: `<model> [prompt]`. */
  readonly usage: string;
  /** A paragraph or two for the help of the command. */
  readonly about: string;
  readonly options: CommandOptions;
  readonly examples: readonly Example[];
  /** Least and most words that it takes. */
  readonly words: readonly [least: number, most: number];
  /** Does the work; resolves with the exit code. */
  run(provided: CommandInput<CommandOptions>, terminal: Terminal): Promise<number>;
}

/** Commands that share their first word: `tollgate key create`, `tollgate key list`. */
export interface CommandGroup {
  readonly name: string;
  readonly summary: string;
  readonly about: string;
  readonly examples: readonly Example[];
  /** By their second word, in the order of the help. */
  readonly commands: Readonly<Record<string, Command>>;
  /** Runs for any other second word: `tollgate price openai/gpt-5`. */
  readonly otherwise?: Command;
}

/** A command line to copy, and what it does. */
export type Example = readonly [line: string, what: string];

/** Defines a command whose `run` receives its options with their types. */
export function defineCommand<const Table extends CommandOptions>(
  command: Omit<Command, "options" | "run"> & {
    readonly options: Table;
    run(provided: CommandInput<Table>, terminal: Terminal): Promise<number>;
  },
): Command {
  return command as Command; // `readArguments` gives `run` exactly the values that the table describes
}
